import Observation
import Synchronization

/// The preferences of the running program, each a property: `preferences.shortFade = 0.05`. Observers of a preference are notified when it
/// changes.
///
/// Not thread-safe: it belongs to control.
@dynamicMemberLookup
package final class Preferences: Observable {
    private var current: PreferenceValues
    private var changes = PreferenceValues()
    private let registrar = ObservationRegistrar()
    private var followers: [() -> Void] = []
    private let stale = Stale()

    /// - Parameter values: the initial values.
    package init(_ values: PreferenceValues = PreferenceValues()) { current = values }

    package var values: PreferenceValues {
        registrar.access(self, keyPath: \.values)
        return current
    }

    /// The values assigned since the start or since ``replace(with:)``.
    package var assigned: PreferenceValues {
        registrar.access(self, keyPath: \.values)
        return changes
    }

    package subscript<Value>(dynamicMember path: KeyPath<PreferenceDeclarations, Preference<Value>>) -> Value {
        get {
            registrar.access(self, keyPath: \.[name: PreferenceDescription.name(of: PreferenceDescription.declarations[keyPath: path])])
            return current[dynamicMember: path]
        }
        set { self[name: PreferenceDescription.name(of: PreferenceDescription.declarations[keyPath: path])] = newValue.stored }
    }

    /// Access by name, for callers without type information: the name must be a declared one, and the value of its kind and in its range.
    package subscript(name name: String) -> StoredPreference {
        get {
            registrar.access(self, keyPath: \.[name: name])
            return current[name: name]
        }
        set {
            guard current.chosen[name] != newValue else { return }
            registrar.withMutation(of: self, keyPath: \.[name: name]) {
                registrar.withMutation(of: self, keyPath: \.values) {
                    current[name: name] = newValue
                    changes[name: name] = newValue
                }
            }
            for index in stale.take() { run(index) }
        }
    }

    /// Replaces all values, by those of another file. The list of assigned values is cleared, and observers of preferences whose value
    /// differs are notified.
    package func replace(with values: PreferenceValues) {
        let changed = PreferenceDescription.all.map(\.name).filter { current[name: $0] != values[name: $0] }
        for name in changed { registrar.willSet(self, keyPath: \.[name: name]) }
        registrar.willSet(self, keyPath: \.values)
        (current, changes) = (values, PreferenceValues())
        registrar.didSet(self, keyPath: \.values)
        for name in changed { registrar.didSet(self, keyPath: \.[name: name]) }
        for index in stale.take() { run(index) }
    }

    /// Runs `body` now, and again after each change of a preference that it reads, before the assignment returns.
    package func follow(_ body: @escaping () -> Void) {
        followers.append(body)
        run(followers.count - 1)
    }

    private func run(_ index: Int) {
        // The notification comes once, before the value changes; the follower is run again when the new value is set.
        withObservationTracking(followers[index]) { [stale] in stale.add(index) }
    }

    /// The followers that have to be run again.
    private final class Stale: Sendable {
        private let indexes = Mutex<[Int]>([])

        func add(_ index: Int) { indexes.withLock { $0.append(index) } }

        func take() -> [Int] {
            indexes.withLock { indexes in
                defer { indexes = [] }
                return indexes
            }
        }
    }
}
