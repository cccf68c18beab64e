import Testing

@testable import Application

@Suite("The request to quit")
struct QuitSignalTests {
    private actor Owner {
        private var signal = QuitSignal()

        var hasCome: Bool { signal.hasCome }

        func send() { signal.send() }

        func wait() async { await withCheckedContinuation { signal.resume($0) } }
    }

    @Test("the signal resumes the task that waits for it, and at once a task that waits later; a second signal changes nothing")
    func heard() async {
        let owner = Owner()
        #expect(await !owner.hasCome)
        async let waiting: Void = owner.wait()
        await owner.send()
        await owner.send()
        await waiting
        await owner.wait()
        #expect(await owner.hasCome)
    }

    @Test("the first request decides whether changes are discarded", arguments: [false, true])
    func discarding(isDiscarding: Bool) {
        var signal = QuitSignal()
        #expect(!signal.discardsChanges)
        signal.send(discardingChanges: isDiscarding)
        signal.send(discardingChanges: !isDiscarding)
        #expect(signal.discardsChanges == isDiscarding)
    }
}
