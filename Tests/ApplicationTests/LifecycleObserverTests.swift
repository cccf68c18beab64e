import Application
import Testing

@Suite("Observers of the lifecycle")
struct LifecycleObserverTests {
    @Test("observers are notified in the order in which they were added, until they are removed")
    func observers() {
        let lifecycle = Lifecycle()
        var told: [String] = []
        let first = lifecycle.add { told.append("1 \($0)") }
        lifecycle.add { told.append("2 \($0)") }
        #expect(lifecycle.last == nil)
        lifecycle.tell(.willSave)
        lifecycle.remove(first)
        lifecycle.remove(first)
        lifecycle.tell(.didSave)
        #expect(told == ["1 willSave", "2 willSave", "2 didSave"])
        #expect(lifecycle.last == .didSave)
    }

    @Test("a step caused by an observer comes after the current one, for all observers")
    func nested() {
        let lifecycle = Lifecycle()
        var told: [String] = []
        var token: Lifecycle.Token?
        lifecycle.add { step in
            told.append("1 \(step)")
            if step == .memoryPressure { lifecycle.tell(.willSave) }
            if step == .willSave, let token { lifecycle.remove(token) }
        }
        token = lifecycle.add { told.append("2 \($0)") }
        lifecycle.tell(.memoryPressure)
        #expect(told == ["1 memoryPressure", "2 memoryPressure", "1 willSave"])
    }
}
