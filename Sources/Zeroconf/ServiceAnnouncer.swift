import Bus

/// Announces services in the network, under one name, for as long as it exists.
///
/// A name that is taken is replaced by another one. If Avahi is restarted, or was not running, the services are announced when it comes.
/// Everything happens on the bus's queue.
package final class ServiceAnnouncer {
    /// The outcome of an announcement.
    package enum Event: Hashable, Sendable {
        case announced(name: String)
        /// Avahi does not run, or has ended.
        case unavailable
        /// Avahi has refused the services; the text is its reason.
        case refused(String)
    }

    private let bus: Bus
    private let report: (Event) -> Void
    /// The requested name.
    private var wanted: String
    /// The name that the services have, which differs after a collision.
    private var name: String
    private var services: [AnnouncedService]
    /// The daemon's unique name on the bus; `nil` while it does not run.
    private var daemon: String?
    /// The path of Avahi's object for the services; `nil` before there is one.
    private var group: String?
    private var isMakingGroup = false
    private var isRunning = false
    private var listenings: [Listening] = []
    /// The number of the latest attempt; answers to earlier ones are ignored.
    private var attempt = 0
    /// Whether the services of the latest attempt were handed over.
    private var isCommitted = false
    private var collisionCount = 0
    /// Whether the latest attempt was refused, so that ``announce(_:)`` tries again.
    private var isRefused = false
    private var last: Event?

    /// Names tried before giving up: enough for any network, and an end for a daemon that refuses all.
    private static let maximumCollisionCount = 100

    /// - Parameters:
    ///   - name: At most 63 bytes are used.
    ///   - report: Receives each change; the same event is not repeated.
    package init(_ services: [AnnouncedService], as name: String, on bus: Bus, report: @escaping (Event) -> Void) {
        (self.services, self.bus, self.report) = (services, bus, report)
        wanted = Self.label(name)
        self.name = wanted
    }

    package func start() {
        listenings = [
            bus.listen(to: BusMatch(sender: Avahi.name, path: "/", interface: Avahi.server, member: "StateChanged")) { [weak self] signal in
                self?.serverChanged(to: signal.arguments.first)
            },
            // Without its path: the object's first signal may come together with the answer that names it.
            bus.listen(to: BusMatch(sender: Avahi.name, interface: Avahi.entryGroup, member: "StateChanged")) { [weak self] signal in
                self?.groupChanged(signal)
            },
            bus.watch(Avahi.name) { [weak self] in self?.daemonChanged(to: $0) },
        ]
    }

    /// Changes the name, for example with that of the JACK client.
    package func rename(to name: String) {
        guard Self.label(name) != wanted else { return }
        wanted = Self.label(name)
        self.name = wanted
        collisionCount = 0
        publish()
    }

    /// Changes the services, for example because an interface has come up; an empty list withdraws them. The same services are announced again
    /// only if Avahi has refused them.
    package func announce(_ services: [AnnouncedService]) {
        guard services != self.services || isRefused else { return }
        self.services = services
        collisionCount = 0
        if isRefused, !isRunning { askForState() } else { publish() }
    }

    /// Withdraws the services.
    package func close() {
        attempt += 1
        isRunning = false
        for listening in listenings { bus.stop(listening) }
        listenings = []
        if let group { bus.call(Avahi.ofGroup(group, "Free")) }
        group = nil
    }

    // MARK: The daemon

    private func daemonChanged(to owner: String?) {
        guard owner == nil || owner != daemon else { return }
        attempt += 1
        (daemon, group, isMakingGroup, isRunning) = (owner, nil, false, false)
        (collisionCount, isRefused) = (0, false)
        guard owner != nil else { return notify(.unavailable) }
        askForState()
    }

    private func askForState() {
        isRefused = false
        let daemon = daemon
        bus.call(Avahi.ofServer("GetState")) { [weak self] answer in
            guard let self, daemon == self.daemon else { return }
            switch answer {
            case .success(let values): serverChanged(to: values.first)
            case .failure(.disconnected): break
            case .failure(let error): refuse("\(error)")
            }
        }
    }

    private func serverChanged(to value: BusValue?) {
        guard let state = value?.integer.flatMap(Avahi.ServerState.init) else { return }
        let wasRunning = isRunning
        isRunning = state == .running
        if isRunning, !wasRunning {
            publish()
        } else if !isRunning, wasRunning {
            // The machine's own name is in doubt: services may be announced again when it is clear.
            withdraw()
        }
    }

    // MARK: The services

    private func publish() {
        attempt += 1
        isCommitted = false
        isRefused = false
        guard isRunning else { return }
        guard let group else { return makeGroup() }
        bus.call(Avahi.ofGroup(group, "Reset"))
        add(services[...], to: group, attempt)
    }

    /// Adds one service after the other, and publishes them together when Avahi has taken all.
    private func add(_ services: ArraySlice<AnnouncedService>, to group: String, _ attempt: Int) {
        guard let service = services.first else { return }
        bus.call(Avahi.ofGroup(group, "AddService", service.arguments(name: name))) { [weak self] answer in
            guard let self, isTaken(answer, attempt) else { return }
            guard services.count == 1 else { return add(services.dropFirst(), to: group, attempt) }
            isCommitted = true
            bus.call(Avahi.ofGroup(group, "Commit")) { [weak self] in _ = self?.isTaken($0, attempt) }
        }
    }

    private func withdraw() {
        attempt += 1
        isCommitted = false
        if let group { bus.call(Avahi.ofGroup(group, "Reset")) }
    }

    private func makeGroup() {
        guard !isMakingGroup, !services.isEmpty else { return }
        isMakingGroup = true
        let daemon = daemon
        bus.call(Avahi.ofServer("EntryGroupNew")) { [weak self] answer in
            // The object of an earlier daemon has gone with it.
            guard let self, daemon == self.daemon else { return }
            isMakingGroup = false
            switch answer {
            case .success(let values):
                guard let path = values.first?.text else { return }
                group = path
                publish()
            case .failure(.disconnected): break
            case .failure(let error): refuse("\(error)")
            }
        }
    }

    /// Whether Avahi has accepted a step of the present attempt; otherwise tries another name, or reports the refusal.
    private func isTaken(_ answer: Result<[BusValue], BusError>, _ attempt: Int) -> Bool {
        guard attempt == self.attempt else { return false }
        guard case .failure(let error) = answer else { return true }
        isCommitted = false
        if error.isCollision { evade() } else if error != .disconnected { refuse("\(error)") }
        return false
    }

    private func groupChanged(_ signal: BusSignal) {
        // An earlier attempt's last signals may come after the next one has begun.
        guard signal.path == group, isCommitted, let state = signal.arguments.first?.integer.flatMap(Avahi.GroupState.init) else { return }
        switch state {
        case .established:
            collisionCount = 0
            notify(.announced(name: name))
        case .collision:
            isCommitted = false
            evade()
        case .failure: refuse(signal.arguments.last?.text ?? "")
        case .uncommitted, .registering: break
        }
    }

    /// Tries the next name.
    private func evade() {
        collisionCount += 1
        guard collisionCount <= Self.maximumCollisionCount else { return refuse("'\(wanted)' and all similar names are in use") }
        let attempt = attempt
        bus.call(Avahi.ofServer("GetAlternativeServiceName", [.string(name)])) { [weak self] answer in
            guard let self, attempt == self.attempt else { return }
            switch answer {
            case .success(let values):
                if let text = values.first?.text { name = text }
                publish()
            case .failure(.disconnected): break
            case .failure(let error): refuse("\(error)")
            }
        }
    }

    private func refuse(_ reason: String) {
        isRefused = true
        notify(.refused(reason))
    }

    private func notify(_ event: Event) {
        guard event != last else { return }
        last = event
        report(event)
    }

    /// A name as multicast DNS can carry it: 1 to 63 bytes of whole characters.
    private static func label(_ text: String) -> String {
        var label = ""
        for character in text {
            guard label.utf8.count + character.utf8.count <= 63 else { break }
            label.append(character)
        }
        return label.isEmpty ? "binaural" : label
    }
}
