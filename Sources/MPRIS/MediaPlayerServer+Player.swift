import Bus
import Playback

/// The methods of the player.
extension MediaPlayerServer {
    /// MPRIS asks for an error if it cannot pause.
    func playOrPause(_ call: MethodCall, _ reply: @escaping Reply) { attempt(.toggle, call, reply) { reply(.success([])) } }

    func seek(_ call: MethodCall, _ reply: @escaping Reply) {
        perform(.skip(by: min(max(Microseconds.seconds(call.number(0)), -31_536_000), 31_536_000)), call, reply)
    }

    func open(_ call: MethodCall, _ reply: @escaping Reply) {
        file(call.text(0), reply) { path in attempt(.openFile(path), call, reply) { reply(.success([])) } }
    }

    /// A track that is no longer current, or a position outside it, comes from a caller that has not seen a change, and is ignored.
    func setPosition(_ call: MethodCall, _ reply: @escaping Reply) {
        let (track, position, state) = (call.text(0), call.number(1), receiver.snapshot().player)
        let length = state.patch?.duration.map(Microseconds.of) ?? .max
        guard let current = state.current, TrackPath.of(current) == track, position >= 0, position <= length else {
            return reply(.success([]))
        }
        perform(.changePosition(to: Microseconds.seconds(position)), call, reply)
    }

    /// The path of an address, if it is that of a file.
    func file(_ address: String, _ reply: @escaping Reply, _ open: (String) -> Void) {
        let path: String
        do throws(FileAddress.Fault) { path = try FileAddress.path(address) } catch {
            let text = address.utf8.count > 200 ? address.prefix(200) + "…" : address
            let (name, words) =
                switch error {
                case .elsewhere: ("NotSupported", "only files of this machine can be opened, as file:///…, not '\(text)'")
                case .tooLong: ("InvalidArgs", "an address has at most \(FileAddress.limit) bytes, and this one more: '\(text)'")
                case .percentSign:
                    ("InvalidArgs", "a percent sign in '\(text)' does not begin the code of a character: write %25 for the sign itself")
                case .zeroByte: ("InvalidArgs", "the name of a file cannot hold a zero byte: remove %00 from '\(text)'")
                }
            return reply(.failure(BusError(name, words)))
        }
        open(path)
    }
}
