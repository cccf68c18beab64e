import Bus
import Logging
import Playback

/// Keeps the machine from suspending while something plays or a start is pending, according to the preference `inhibitSleep`.
/// systemd-inhibit(1)
@MainActor final class SleepInhibitor: FrontEnd {
    private let address: BusAddress
    private let logger: Logger
    /// Whether playing was to start at a time.
    private let isPlanned: Bool
    /// The machine's bus, from the first need on.
    private var bus: Bus?
    private var state = State.released

    private static let manager = "org.freedesktop.login1"

    private enum State {
        case released
        case asked
        /// Held until the descriptor is closed, by the manager of that unique name.
        case held(BusDescriptor, by: String?)
        /// Not asked again until the manager changes, or it is needed again.
        case refused
    }

    /// The actions to inhibit, in logind's words; the screen may blank before the start.
    private enum Purpose: String {
        case waiting = "sleep"
        case playing = "sleep:idle"

        var reason: String { self == .waiting ? "A session will start at a set time" : "A session is playing" }
    }

    private var purpose: Purpose?
    private var owner: String?

    /// - Parameter address: the machine's bus.
    init(isPlanned: Bool, on address: BusAddress = .system, logger: Logger) {
        (self.isPlanned, self.address, self.logger) = (isPlanned, address, logger)
    }

    func changed(_ snapshot: () -> Snapshot) {
        let (snapshot, before) = (snapshot(), purpose)
        purpose = applies(snapshot) ? Self.purpose(snapshot) : nil
        if purpose != before { retry() }
    }

    private static func purpose(_ snapshot: Snapshot) -> Purpose? {
        if snapshot.player.playback == .playing { return .playing }
        return snapshot.start == nil ? nil : .waiting
    }

    private func applies(_ snapshot: Snapshot) -> Bool {
        switch snapshot.preferences.inhibitSleep {
        case .auto: isPlanned || snapshot.player.sleep != nil
        case .on: true
        case .off: false
        }
    }

    private func ask() {
        guard let purpose else { return }
        let bus = connected()
        guard bus.isConnected, case .released = state else { return }
        state = .asked
        bus.call(
            BusMethod(
                Self.manager, "/org/freedesktop/login1", "\(Self.manager).Manager", "Inhibit",
                [.string(purpose.rawValue), .string("Binaural"), .string(purpose.reason), .string("block")])
        ) { [weak self] in self?.answered($0, for: purpose) }
    }

    private func answered(_ answer: Result<[BusValue], BusError>, for asked: Purpose) {
        guard case .asked = state, asked == purpose else { return }
        switch answer {
        case .success(let values):
            guard case .descriptor(let descriptor)? = values.first else { return state = .released }
            state = .held(descriptor, by: owner)
        case .failure(let error):
            state = .refused
            logger.info("The machine may suspend while it plays: \(error)")
        }
    }

    private func connected() -> Bus {
        if let bus { return bus }
        let bus = Bus(address, on: .main)
        self.bus = bus
        bus.changed = { [weak self, logger] event in
            switch event {
            case .connected: self?.retry()
            case .lost(let reason): logger.info("The machine may suspend while it plays: there is no system bus (\(reason)).")
            }
        }
        _ = bus.watch(Self.manager) { [weak self] in self?.manager(is: $0) }
        bus.start()
        return bus
    }

    /// A new manager does not know what the one before has granted.
    private func manager(is owner: String?) {
        self.owner = owner ?? self.owner
        switch state {
        case .held(let descriptor, by: nil): state = .held(descriptor, by: owner)
        case .held(_, let granter) where owner != nil && owner != granter: retry()
        case .refused where owner != nil: retry()
        default: break
        }
    }

    private func retry() {
        state = .released
        ask()
    }

    func notice(_ notice: Notice) {}

    func tick(_ snapshot: () -> Snapshot) {}

    func close() {
        state = .released
        bus?.close()
    }
}
