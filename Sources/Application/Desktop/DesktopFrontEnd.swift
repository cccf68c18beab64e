import Bus
import Glibc
import Logging
import MPRIS
import OperatingSystem
import Playback

/// The player on the session's message bus, where media keys, lock screens and headsets find it.
@MainActor final class DesktopFrontEnd: FrontEnd {
    private let bus: Bus
    private let server: MediaPlayerServer
    private let receiver: PlayerReceiver
    private let time: any InstanceClock
    private var isNamed = false

    private static let name = "org.mpris.MediaPlayer2.binaural"

    init(_ identity: PlayerIdentity, _ receiver: PlayerReceiver, _ host: PlayerHost) {
        self.receiver = receiver
        time = host.time
        let logger = host.logger
        let bus = Bus(.session, on: .main)
        self.bus = bus
        server = MediaPlayerServer(identity, receiver: receiver) { [weak bus] in bus?.emit($0) }
        bus.serve(MediaPlayerServer.path) { [weak self] in self?.answer($0) }
        bus.changed = { [weak self] event in
            if case .lost(let reason) = event {
                self?.isNamed = false
                logger.info("MPRIS: there is no session bus (\(reason)). Media keys work once there is one.")
            }
        }
        bus.own(firstOf: [Self.name, "\(Self.name).instance\(getpid())"]) { [weak self] name in
            guard let self else { return }
            isNamed = name != nil
            server.begin()
            logger.info("MPRIS: \(name ?? "all names are taken").")
        }
        bus.start()
    }

    /// The name shown to people: it distinguishes instances by the names of their JACK clients.
    static func title(_ client: String) -> String { client == "binaural" ? "Binaural" : "Binaural (\(client))" }

    func rename(_ client: String) { server.rename(to: Self.title(client)) }

    private func answer(_ call: BusCall) {
        do throws(BusError) {
            try server.admit(from: call.sender, at: time.seconds)
            receiver.attend()
            // Work that was due before the call is not charged to it.
            let now = time.seconds
            // Neither is time in which the machine held this thread up.
            let used = ProcessorClock.seconds
            defer { server.charge(call.sender, from: now, to: now + ProcessorClock.seconds - used) }
            let request = MethodCall(call.interface, call.member, try call.arguments(), sender: call.sender)
            server.answer(request, at: now) { result in
                switch result {
                case .success(let values): call.reply(values)
                case .failure(let error): call.fail(error)
                }
            }
        } catch {
            call.fail(error)
        }
    }

    func changed(_ snapshot: () -> Snapshot) {
        if isNamed { server.changed(snapshot(), at: time.seconds) }
    }

    /// Nothing to do: MPRIS has no notices.
    func notice(_ notice: Notice) {}

    /// Nothing to do, since changes are reported often enough.
    func tick(_ snapshot: () -> Snapshot) {}

    func close() { bus.close() }
}
