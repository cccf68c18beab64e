import Playback

/// Control as the OSC server sees it.
@MainActor final class ControlReceiver: @MainActor CommandReceiver {
    private unowned let control: Control

    init(_ control: Control) { self.control = control }

    /// To be called first when something has come from outside.
    func attend() { control.attend() }

    func perform(_ command: Command, from sender: String, answer: @escaping (CommandResult) -> Void) {
        control.perform(command, from: sender) { answer($0) }
    }

    /// Seconds needed in advance; `nil` under freewheel, where frames pass faster than real time.
    var lead: Double? {
        guard control.backend?.status.isFreewheeling != true else { return nil }
        return control.player.state.opensFiles ? control.performance.leadWithFiles : control.performance.lead
    }

    func simultaneously(at moment: Moment?, _ body: () -> Void) -> Bool {
        defer { control.settle() }
        return control.performance.simultaneously(at: moment, body)
    }

    func snapshot() -> Snapshot { control.snapshot() }

    func whenSounding(_ done: @escaping () -> Void) { control.whenSounding(done) }

    func findPatches(_ words: String, answer: @escaping (FoundPatches?) -> Void) {
        control.itemFiles.search.find(words, control) { answer($0) }
    }
}
