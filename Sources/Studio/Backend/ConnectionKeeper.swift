import JACK

/// What is known and wanted about the connections of the two ports.
struct ConnectionKeeper {
    var memory = ConnectionMemory()
    /// Connections of before that could not be made yet, since the other port is not there.
    var wishes: [ConnectionMemory.Wish] = []
    var isStale = true
    var hasNewPorts = false
    /// `--connect` is done once.
    var hasConnected = false

    mutating func noteLoss(at now: ContinuousClock.Instant) {
        wishes += memory.wishes(at: now).filter { !wishes.contains($0) }
        memory = ConnectionMemory()
        isStale = true
    }
}

extension BackendWorker {
    /// After opening: what `--connect` asks for the first time, later what there was before.
    mutating func connectPorts() {
        if !connections.hasConnected {
            connections.hasConnected = true
            connectAsChosen()
        }
        grantWishes()
        connections.isStale = true
    }

    private borrowing func connectAsChosen() {
        let destinations: [String]
        switch configuration.connect {
        case .none:
            return
        case .automatic:
            guard ports.allSatisfy({ client?.connections(of: $0).isEmpty ?? true }) else { return }
            destinations = client?.ports(flags: [.input, .physical]) ?? []
            if destinations.count < 2 {
                return deliver(
                    .notice("Connected to nothing: the JACK server has no pair of playback ports. Connect out_left and out_right by hand."))
            }
        case .matching(let pattern):
            destinations = client?.ports(matching: pattern, flags: .input) ?? []
            if destinations.count < 2 {
                let found = destinations.first.map { "only '\($0)' matches" } ?? "no input port matches"
                deliver(.notice("--connect '\(pattern)': \(found). The ports there are: jack_lsp."))
            }
        }
        for (port, destination) in zip(ports, destinations) { connect(port, to: destination) }
    }

    private borrowing func connect(_ port: OutputPort, to destination: String) {
        do throws(JACKError) {
            try client?.connect(port.name, to: destination)
        } catch {
            deliver(.notice(error.description))
        }
    }

    /// Connects again what can be connected by now.
    private mutating func grantWishes() {
        connections.hasNewPorts = false
        guard !connections.wishes.isEmpty else { return }
        let there = Set(client?.ports(flags: .input) ?? [])
        for wish in connections.wishes where there.contains(wish.destination) {
            connect(ports[wish.port], to: wish.destination)
        }
        connections.wishes.removeAll { there.contains($0.destination) }
    }

    /// Tells the owner when what our ports are connected to has changed.
    mutating func watchConnections() {
        if connections.hasNewPorts { grantWishes() }
        guard connections.isStale else { return }
        connections.isStale = false
        let destinations = ports.map { client?.connections(of: $0) ?? [] }
        connections.memory.note(destinations, at: .now)
        let listed = zip(ports, destinations).map { PortConnections(port: $0.name, connectedTo: $1) }
        let isNews = core.state.withLock { state in
            defer { state.status.connections = listed }
            return state.status.connections != listed
        }
        if isNews { deliver(.connectionsChanged(listed)) }
    }
}
