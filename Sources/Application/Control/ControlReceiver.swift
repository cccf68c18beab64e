import Playback

/// The control actor as the OSC server sees it. Only used on the actor's own queue.
final class ControlReceiver: CommandReceiver {
    private unowned let control: Control

    init(_ control: Control) { self.control = control }

    /// To be called first when something has come from outside.
    func attend() { control.assumeIsolated { $0.attend() } }

    func perform(_ command: Command, from sender: String, answer: @escaping (CommandResult) -> Void) {
        let answer = OnQueue(answer)
        control.assumeIsolated { $0.perform(command, from: sender, answer: answer.value) }
    }

    /// Seconds needed in advance; `nil` under freewheel, where frames pass faster than real time.
    var lead: Double? {
        control.assumeIsolated { control in
            guard control.backend?.status.isFreewheeling != true else { return nil }
            return control.player.state.opensFiles ? control.performance.leadWithFiles : control.performance.lead
        }
    }

    func simultaneously(at moment: Moment?, _ body: () -> Void) -> Bool {
        let performance = control.assumeIsolated { OnQueue($0.performance) }
        defer { control.assumeIsolated { $0.settle() } }
        return performance.value.simultaneously(at: moment, body)
    }

    func snapshot() -> Snapshot { control.assumeIsolated { $0.snapshot() } }

    func whenSounding(_ done: @escaping () -> Void) {
        let done = OnQueue(done)
        control.assumeIsolated { $0.whenSounding(done.value) }
    }

    func findPatches(_ words: String, answer: @escaping (FoundPatches?) -> Void) {
        let answer = OnQueue(answer)
        control.assumeIsolated { $0.itemFiles.search.find(words, $0, answer: answer.value) }
    }
}
