import Application
import Testing

@Suite("Observers of the lifecycle")
struct LifecycleObserverTests {
    @Test("observers are notified in the order in which they were added, until they are removed")
    func observers() {
        let lifecycle = Lifecycle()
        var calls: [String] = []
        let first = lifecycle.add { calls.append("1 \($0)") }
        lifecycle.add { calls.append("2 \($0)") }
        #expect(lifecycle.last == nil)
        lifecycle.notify(.willSave)
        lifecycle.remove(first)
        lifecycle.remove(first)
        lifecycle.notify(.didSave)
        #expect(calls == ["1 willSave", "2 willSave", "2 didSave"])
        #expect(lifecycle.last == .didSave)
    }

    @Test("a step caused by an observer comes after the current one, for all observers")
    func nested() {
        let lifecycle = Lifecycle()
        var calls: [String] = []
        var token: Lifecycle.Token?
        lifecycle.add { step in
            calls.append("1 \(step)")
            if step == .memoryPressure { lifecycle.notify(.willSave) }
            if step == .willSave, let token { lifecycle.remove(token) }
        }
        token = lifecycle.add { calls.append("2 \($0)") }
        lifecycle.notify(.memoryPressure)
        #expect(calls == ["1 memoryPressure", "2 memoryPressure", "1 willSave"])
    }
}
