/// The steps of the program's life, in order. Those from restoring to saving may occur repeatedly.
package enum LifecycleStep: String, CaseIterable, Sendable {
    case willRestore, didRestore
    /// JACK has started to call the process callback.
    case willBecomeActive, didBecomeActive
    /// JACK is lost.
    case willResignActive, didResignActive
    case willSave, didSave
    /// The machine is short of memory; caches should be dropped.
    case memoryPressure
    case willTerminate
}

/// Notifies observers of the steps of the program's life.
package final class Lifecycle {
    package typealias Observer = (LifecycleStep) -> Void

    /// Identifies an observer for ``remove(_:)``.
    package struct Token: Equatable, Sendable {
        fileprivate let number: Int
    }

    /// The last reported step.
    package private(set) var last: LifecycleStep?
    private var observers: [(token: Token, observer: Observer)] = []
    private var nextToken = 0
    private var waiting: [LifecycleStep] = []
    private var isNotifying = false

    package init() {}

    /// Adds an observer after the existing ones; it is notified from the next step on.
    @discardableResult
    package func add(_ observer: @escaping Observer) -> Token {
        let token = Token(number: nextToken)
        nextToken += 1
        observers.append((token, observer))
        return token
    }

    /// Removes an observer; an unknown token is ignored.
    package func remove(_ token: Token) { observers.removeAll { $0.token == token } }

    /// Notifies all observers, one after the other. A step caused by an observer is reported once all have been notified of this one.
    package func notify(_ step: LifecycleStep) {
        waiting.append(step)
        guard !isNotifying else { return }
        isNotifying = true
        while !waiting.isEmpty {
            let step = waiting.removeFirst()
            last = step
            for entry in observers where observers.contains(where: { $0.token == entry.token }) { entry.observer(step) }
        }
        isNotifying = false
    }
}
