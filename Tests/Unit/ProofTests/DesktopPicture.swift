import Bus
import MPRIS
import OSCRemote
import Playback
import TestSupport
import Testing

/// The player as a program on the session bus shows it, which reads everything once and then follows the signals.
final class DesktopPicture {
    private(set) var values: [String: [String: BusValue]] = [:]
    /// The position in microseconds that was read or reported last, and when.
    private var position = (value: 0.0, seconds: 0.0)
    private let call: (MethodCall) -> [BusValue]

    static let root = "org.mpris.MediaPlayer2"
    static let player = "\(root).Player"
    static let tracks = "\(root).TrackList"
    static let playlists = "\(root).Playlists"
    static let interfaces = [root, player, tracks, playlists]
    private static let properties = "org.freedesktop.DBus.Properties"
    /// With a change of these, the position is read again.
    private static let movers = ["PlaybackStatus", "Rate", "Metadata"]

    /// - Parameter call: calls a method and returns the answer.
    init(at seconds: Double, _ call: @escaping (MethodCall) -> [BusValue]) {
        self.call = call
        for interface in Self.interfaces { values[interface] = read(interface) }
        readPosition(at: seconds)
    }

    func take(_ signal: BusSignal, sentAt sent: Double, now seconds: Double) {
        switch signal.member {
        case "PropertiesChanged":
            guard let interface = signal.arguments[0].text else { return }
            let changed = signal.arguments[1].entries ?? [:]
            #expect(changed["Position"] == nil)
            values[interface]?.merge(changed) { $1 }
            for name in signal.arguments[2].elements?.compactMap(\.text) ?? [] { values[interface]?[name] = read(interface)[name] }
            if Self.movers.contains(where: { changed[$0] != nil }) { readPosition(at: seconds) }
        case "Seeked": position = (Double(signal.arguments[0].integer ?? 0), sent)
        default: break
        }
    }

    /// The position that it shows, in seconds.
    func position(at seconds: Double) -> Double {
        guard values[Self.player]?["PlaybackStatus"] == .string("Playing"), case .double(let rate)? = values[Self.player]?["Rate"] else {
            return position.value / 1e6
        }
        return position.value / 1e6 + (seconds - position.seconds) * rate
    }

    func read(_ interface: String) -> [String: BusValue] {
        call(MethodCall(Self.properties, "GetAll", [.string(interface)], sender: ":1.9")).first?.entries ?? [:]
    }

    private func readPosition(at seconds: Double) {
        position = (Double(read(Self.player)["Position"]?.integer ?? 0), seconds)
    }

    /// Any call that a program on the bus might make.
    static func randomCall(_ state: PlayerState, _ random: inout SplitMix64) -> MethodCall {
        func player(_ member: String, _ arguments: BusValue...) -> MethodCall { MethodCall(Self.player, member, arguments, sender: ":1.7") }
        func set(_ name: String, _ value: BusValue) -> MethodCall {
            MethodCall(properties, "Set", [.string(Self.player), .string(name), .variant(value)], sender: ":1.7")
        }
        let track = BusValue.path("/binaural/track/\(state.items.randomElement(using: &random)?.id ?? 0)")
        switch Int.random(in: 0..<15, using: &random) {
        case 0: return player("Next")
        case 1: return player("Previous")
        case 2: return player("Play")
        case 3: return player("PlayPause")
        case 4: return player("Stop")
        case 5: return player("Seek", .int64(.random(in: -5_000_000...5_000_000, using: &random)))
        case 6: return player("SetPosition", track, .int64(.random(in: 0...9_000_000, using: &random)))
        case 7: return set("Volume", .double(.random(in: -0.5...1.5, using: &random)))
        case 8: return set("Rate", .double([0, 0.5, 1, 2, 20, -1].randomElement(using: &random) ?? 1))
        case 9: return set("LoopStatus", .string(["None", "Track", "Playlist", "Never"].randomElement(using: &random) ?? ""))
        case 10: return set("Shuffle", .bool(.random(using: &random)))
        case 11: return MethodCall(tracks, "GoTo", [track], sender: ":1.7")
        case 12: return player("Pause")
        case 13:
            let session = ["x", "night-2"].randomElement(using: &random) ?? ""
            let path = BusValue.path("/binaural/session/\(objectPathElement(session))")
            return MethodCall("org.mpris.MediaPlayer2.Playlists", "ActivatePlaylist", [path], sender: ":1.7")
        default: return MethodCall(tracks, "RemoveTrack", [track], sender: ":1.7")
        }
    }
}
