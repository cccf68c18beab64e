import Bus
import Playback

@testable import MPRIS

/// A program on the session bus, and the real player that it controls.
final class Desktop {
    let receiver = TestReceiver()
    private(set) var server: MediaPlayerServer!
    private let sent = Sent()
    /// Seconds of the monotonic clock.
    private(set) var seconds = 100.0

    private final class Sent {
        var signals: [BusSignal] = []
    }

    static let player = "org.mpris.MediaPlayer2.Player"
    static let tracks = "org.mpris.MediaPlayer2.TrackList"
    static let playlists = "org.mpris.MediaPlayer2.Playlists"
    private static let properties = "org.freedesktop.DBus.Properties"

    init(mayControl: Bool = true, mayQuit: Bool = true) {
        let sent = sent
        server = MediaPlayerServer(
            PlayerIdentity(name: "Binaural", mayControl: mayControl, mayQuit: mayQuit), receiver: receiver,
            emit: { sent.signals.append($0) })
        server.begin()
    }

    /// Lets time pass, and reports changes.
    func pass(_ seconds: Double = 0.05) {
        receiver.advance(seconds: seconds)
        self.seconds += seconds
        server.changed(receiver.snapshot(), at: self.seconds)
    }

    /// The signals since the last call.
    func signals() -> [BusSignal] {
        pass()
        defer { sent.signals = [] }
        return sent.signals
    }

    @discardableResult
    func call(_ interface: String, _ member: String, _ arguments: BusValue..., from sender: String = ":1.7") -> Result<[BusValue], BusError>
    {
        var answers: [Result<[BusValue], BusError>] = []
        do throws(BusError) { try server.admit(from: sender, at: seconds) } catch { return .failure(error) }
        server.answer(MethodCall(interface, member, arguments, sender: sender), at: seconds) { answers.append($0) }
        return answers.count == 1 ? answers[0] : .failure(.failed("answered \(answers.count) times"))
    }

    @discardableResult
    func play(_ member: String, _ arguments: BusValue...) -> Result<[BusValue], BusError> {
        do throws(BusError) { try server.admit(from: ":1.7", at: seconds) } catch { return .failure(error) }
        var answer: Result<[BusValue], BusError> = .failure(.failed("not answered"))
        server.answer(MethodCall(Self.player, member, arguments, sender: ":1.7"), at: seconds) { answer = $0 }
        return answer
    }

    func value(_ name: String, of interface: String = player) -> BusValue? {
        (try? call(Self.properties, "Get", .string(interface), .string(name)).get())?.first?.opened
    }

    @discardableResult
    func set(_ name: String, _ value: BusValue, of interface: String = player) -> Result<[BusValue], BusError> {
        call(Self.properties, "Set", .string(interface), .string(name), .variant(value))
    }

    var metadata: [String: BusValue] { value("Metadata")?.entries ?? [:] }
    var track: String { metadata["mpris:trackid"]?.text ?? "" }
    var position: Int { value("Position")?.integer ?? -1 }
    /// The value of each property that was reported as changed.
    func changes() -> [String: BusValue] {
        signals().filter { $0.member == "PropertiesChanged" }.reduce(into: [:]) { $0.merge($1.arguments[1].entries ?? [:]) { $1 } }
    }
}

extension Result where Success == [BusValue], Failure == BusError {
    var isDone: Bool { self == .success([]) }
    /// The name of the error, without that of D-Bus.
    var error: String? {
        guard case .failure(let error) = self else { return nil }
        return error.name.split(separator: ".").last.map(String.init)
    }
}
