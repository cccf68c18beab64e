import Patches
import Playback

/// A player with its centre and chain, and a clock that the test moves.
struct TestPlayer {
    var player: Player
    let center = RemoteCommandCenter()
    let chain = ResponderChain()
    var now = Moment(frame: 0)

    static let sampleRate = 48_000

    init(_ items: [QueueItem], hasAudio: Bool = true) {
        var state = PlayerState()
        state.items = items
        state.currentIndex = items.isEmpty ? nil : 0
        state.hasAudio = hasAudio
        player = Player(state)
        center.addTarget(chain)
    }

    var state: PlayerState { player.state }
    var elapsed: Double { state.elapsed(at: now) }

    mutating func advance(seconds: Double) { now.frame += Int64(seconds * Double(Self.sampleRate)) }

    /// The engine goes to the next item now.
    mutating func advanceToFollowing() {
        if let following = state.followingIndex { player.advanced(to: state.items[following].id, at: now) }
    }

    @discardableResult
    mutating func send(_ command: Command) -> CommandResult {
        if let kind = command.kind { return center.perform(command, kind: kind, on: &player, at: now) }
        return chain.send(command, on: &player, at: now) ?? CommandResult(.noActionableNowPlayingItem)
    }

    mutating func effects() -> [Effect] { player.takeEffects() }

    func isEnabled(_ kind: RemoteCommandKind) -> Bool { center.isEnabled(kind, in: state, at: now) }
}

extension QueueItem {
    /// An item with chapters at the given seconds; a duration of `nil` is endless.
    static func make(_ name: String, duration: Double? = 60, chapters: [Double] = []) -> QueueItem {
        var patch = Patch(
            details: .init(title: name.prefix(1).uppercased() + name.dropFirst()), duration: duration,
            layers: [
                Layer(name: "bed", kind: .binaural, values: [.carrier: 200, .beat: 10]),
                Layer(name: "rain", kind: .noise),
            ])
        patch.chapters = chapters.enumerated().map { Chapter(start: $1, title: "Chapter \($0 + 1)") }
        return QueueItem(reference: name, patch: patch)
    }

    /// A minute of a sound file.
    static func foreign(_ kind: LayerKind) -> QueueItem {
        QueueItem(reference: "\(kind.rawValue)", patch: Patch(duration: 60, layers: [Layer(name: "sea", kind: kind)]))
    }

    static func missing(_ name: String) -> QueueItem { QueueItem(reference: name, patch: nil, problem: "the file has vanished") }
}
