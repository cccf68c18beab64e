import Bus
import Playback

/// The queue as a list of tracks, and sessions as playlists.
extension MediaPlayerServer {
    /// Tracks whose metadata one call may ask for, and playlists that one call gets.
    private static let mostEntries = 500

    func metadata(_ call: MethodCall) -> Result<[BusValue], BusError> {
        let paths = call.arguments.first?.elements?.compactMap(\.text) ?? []
        guard paths.count <= Self.mostEntries else {
            return .failure(BusError("LimitsExceeded", "ask for \(Self.mostEntries) tracks at most"))
        }
        let snapshot = receiver.snapshot()
        let ids = snapshot.player.items.enumerated().map { ($0.element.id, $0.offset) }
        let indexes = Dictionary(ids) { first, _ in first }
        let found = paths.compactMap { TrackPath.id($0).flatMap { indexes[$0] } }.map { index in
            let item = snapshot.player.items[index]
            let isCurrent = index == snapshot.player.currentIndex
            return BusValue.dictionary(isCurrent ? TrackMetadata.current(snapshot) : TrackMetadata.item(item, index: index, snapshot))
        }
        return .success([.array(of: "a{sv}", found)])
    }

    func addTrack(_ call: MethodCall, _ reply: @escaping Reply) {
        file(call.text(0), reply) { path in
            attempt(.addFile(path), call, reply) { [self] in place(after: call.text(1), isCurrent: call.flag(2), call, reply) }
        }
    }

    /// Gives a command for a track's place in the queue; a track that is gone is ignored.
    func performOnTrack(_ command: (Int) -> Command, _ call: MethodCall, _ reply: @escaping Reply) {
        guard let index = TrackPath.index(call.text(0), in: receiver.snapshot().player) else { return reply(.success([])) }
        perform(command(index), call, reply)
    }

    /// Moves the track that was added last to its place; after one that is not there, it stays at the end.
    private func place(after track: String, isCurrent: Bool, _ call: MethodCall, _ reply: @escaping Reply) {
        let state = receiver.snapshot().player
        let last = state.items.count - 1
        let target = track == TrackPath.none ? 0 : TrackPath.index(track, in: state).map { $0 + 1 } ?? last
        guard last >= 0 else { return reply(.success([])) }
        func select() {
            if isCurrent { perform(.selectItem(min(target, last)), call, reply) } else { reply(.success([])) }
        }
        guard target < last else { return select() }
        attempt(.moveItem(from: last, to: target), call, reply) { select() }
    }

    // MARK: Playlists

    func playlists(_ call: MethodCall) -> Result<[BusValue], BusError> {
        let order = call.text(2)
        guard order == PlayerProperties.ordering else {
            return .failure(.invalidArguments("the order is \(PlayerProperties.ordering), not '\(order.prefix(100))'"))
        }
        let sorted = receiver.snapshot().session.available.sorted()
        let listed = (call.flag(3) ? sorted.reversed() : sorted).dropFirst(Int(call.number(0)))
        let count = min(Int(call.number(1)), Self.mostEntries)
        return .success([.array(of: "(oss)", listed.prefix(count).map(PlayerProperties.playlist))])
    }

    func activatePlaylist(_ call: MethodCall, _ reply: @escaping Reply) {
        let path = call.text(0)
        guard let session = receiver.snapshot().session.available.first(where: { TrackPath.of(session: $0) == path }) else {
            return reply(.failure(.invalidArguments("there is no playlist \(path)")))
        }
        attempt(.application(.loadSession(session)), call, reply) { [self] in perform(.play, call, reply) }
    }
}
