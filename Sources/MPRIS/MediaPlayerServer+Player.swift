import Bus
import Playback

/// The methods of the player.
extension MediaPlayerServer {
    func answerPlayer(_ call: MethodCall, _ reply: @escaping Reply) {
        switch call.member {
        case "Next": perform(.nextItem, call, reply)
        case "Previous": perform(.previousItem, call, reply)
        case "Pause": perform(.pause, call, reply)
        case "Stop": perform(.stop, call, reply)
        case "Play": perform(.play, call, reply)
        case "PlayPause": playOrPause(call, reply)
        case "Seek": perform(.skip(by: min(max(Microseconds.seconds(call.number(0)), -31_536_000), 31_536_000)), call, reply)
        case "SetPosition": setPosition(call.text(0), call.number(1), call, reply)
        default: file(call.text(0), reply) { path in attempt(.openFile(path), call, reply) { reply(.success([])) } }
        }
    }

    /// MPRIS asks for an error if it cannot pause.
    private func playOrPause(_ call: MethodCall, _ reply: @escaping Reply) { attempt(.toggle, call, reply) { reply(.success([])) } }

    /// A track that is no longer current, or a position outside it, comes from a caller that has not seen a change, and is ignored.
    private func setPosition(_ track: String, _ position: Int64, _ call: MethodCall, _ reply: @escaping Reply) {
        let state = receiver.snapshot().player
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
