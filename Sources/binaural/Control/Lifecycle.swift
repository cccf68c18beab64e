/// The steps of the program's life, in the order in which they come. From restoring to saving they may come again and again.
package enum LifecycleStep: String, CaseIterable, Sendable {
    case willRestore, didRestore
    /// JACK runs.
    case willBecomeActive, didBecomeActive
    /// JACK is away.
    case willResignActive, didResignActive
    case willSave, didSave
    /// The machine is short of memory: whoever can do with less should.
    case memoryPressure
    case willTerminate
}

/// Tells observers the steps of the program's life. Belongs to the control actor.
package final class Lifecycle {
    package typealias Observer = (LifecycleStep) -> Void

    /// Identifies an observer for ``remove(_:)``.
    package struct Token: Equatable, Sendable {
        fileprivate let number: Int
    }

    /// The step that was told last.
    package private(set) var last: LifecycleStep?
    private var observers: [(token: Token, observer: Observer)] = []
    private var nextToken = 0
    private var waiting: [LifecycleStep] = []
    private var isTelling = false

    package init() {}

    /// Adds an observer behind those that are there; it is told from the next step on.
    @discardableResult
    package func add(_ observer: @escaping Observer) -> Token {
        let token = Token(number: nextToken)
        nextToken += 1
        observers.append((token, observer))
        return token
    }

    /// Removes an observer; a token that is not there any more is no error.
    package func remove(_ token: Token) { observers.removeAll { $0.token == token } }

    /// Tells all observers, one after the other. A step that one of them causes is told to all once all know of this one.
    package func tell(_ step: LifecycleStep) {
        waiting.append(step)
        guard !isTelling else { return }
        isTelling = true
        while !waiting.isEmpty {
            let step = waiting.removeFirst()
            last = step
            for entry in observers where observers.contains(where: { $0.token == entry.token }) { entry.observer(step) }
        }
        isTelling = false
    }
}
