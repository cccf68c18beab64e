import Playback

/// The player as a remote control sees it.
@MainActor final class PlayerReceiver: @MainActor CommandReceiver {
    private unowned let host: PlayerHost
    private unowned let search: LibrarySearch

    init(_ host: PlayerHost, _ search: LibrarySearch) { (self.host, self.search) = (host, search) }

    /// To be called first when something has come from outside.
    func attend() { host.attend() }

    func perform(_ command: Command, from sender: String, answer: @escaping (CommandResult) -> Void) {
        host.perform(command, from: sender) { answer($0) }
    }

    /// Seconds needed in advance; `nil` under freewheel, where frames pass faster than real time.
    var lead: Double? {
        guard host.device?.status.isFreewheeling != true else { return nil }
        return host.player.state.opensFiles ? host.performance.leadWithFiles : host.performance.lead
    }

    func simultaneously(at moment: Moment?, _ body: () -> Void) -> Bool {
        defer { host.settle() }
        return host.performance.simultaneously(at: moment, body)
    }

    func snapshot() -> Snapshot { host.snapshot() }

    func whenSounding(_ done: @escaping () -> Void) { host.whenSounding(done) }

    func findPatches(_ words: String, answer: @escaping (FoundPatches?) -> Void) {
        search.find(words) { answer($0) }
    }
}
