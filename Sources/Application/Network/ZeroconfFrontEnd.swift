import Bus
import OperatingSystem
import Playback
import Zeroconf

/// Announces in the network what listens beyond loopback, through Avahi on the system bus. It only follows the name of the JACK client and
/// the network's interfaces, not the player.
@MainActor final class ZeroconfFrontEnd: FrontEnd {
    private let bus: Bus
    private let announcer: ServiceAnnouncer
    private let offers: [NetworkOffer]
    private let machine: String
    private let time: any InstanceClock
    private var lastLook: Double

    /// Seconds between checks whether an address was added, removed, or moved to another interface.
    private static let interval = 5.0

    /// - Parameters:
    ///   - client: The name of the JACK client.
    ///   - machine: The name of this machine.
    init(_ offers: [NetworkOffer], client: String, machine: String, _ host: PlayerHost) {
        time = host.time
        lastLook = time.seconds
        self.offers = offers
        self.machine = machine
        let bus = Bus(.system, on: .main)
        self.bus = bus
        let show = { [weak host] (text: String) in
            guard let host else { return }
            host.notify(notice: text)
        }
        announcer = ServiceAnnouncer(offers.flatMap(\.services), as: Self.name(client, machine), on: bus) { [weak bus] event in
            switch event {
            case .announced(let name): show("Announced in the network as '\(name)'.")
            // The loss of the bus is reported below.
            case .unavailable where bus?.isConnected != true: break
            case .unavailable: show("Not announced in the network: Avahi is not running.")
            case .refused(let reason): show("Not announced in the network: Avahi refused it (\(reason)).")
            }
        }
        bus.changed = { event in
            if case .lost(let reason) = event { show("Not announced in the network: no connection to the system bus: \(reason).") }
        }
        announcer.start()
        bus.start()
    }

    func rename(_ client: String) { announcer.rename(to: Self.name(client, machine)) }

    private static func name(_ client: String, _ machine: String) -> String { "\(client) on \(machine)" }

    func changed(_ snapshot: () -> Snapshot) {}
    func notice(_ notice: Notice) {}

    func tick(_ snapshot: () -> Snapshot) {
        let now = time.seconds
        guard now - lastLook >= Self.interval else { return }
        lastLook = now
        announcer.announce(offers.flatMap(\.services))
    }

    func close() {
        announcer.close()
        bus.close()
    }
}
