// The backend's worker thread: it watches, makes and removes connections.
import Glibc
import JACK

/// The present and the remembered connections of the program's ports.
struct ConnectionKeeper {
    var memory: ConnectionMemory
    /// How the ports are connected if no connections are remembered.
    let choice: ConnectionChoice
    /// The connections as last reported to the owner.
    var told: [PortLink]?
    /// The time and cycle count of the last change, until its result is certain.
    var change: (time: ContinuousClock.Instant, cycle: UInt64)?
    var hasNewPorts = false
    /// Whether `--connect` has been applied, which happens once.
    var hasConnected = false
    /// Connections that JACK refused, which is reported once.
    var refused: Set<PortLink> = []

    init(_ links: [PortLink]?, choice: ConnectionChoice) {
        memory = ConnectionMemory(links)
        self.choice = choice
        told = links
    }

    mutating func noteLoss() {
        memory.noteLoss()
        refused = []
        change = nil
    }
}

extension BackendWorker {
    /// Connects the ports after opening: the remembered connections, or as `--connect` says if there are none.
    mutating func connectPorts() {
        if !connections.hasConnected {
            connections.hasConnected = true
            if connections.memory.wanted == nil { connectAsChosen() } else { tellMissing() }
        }
        connectMissing()
        noteChange()
    }

    private borrowing func connectAsChosen() {
        let destinations: [String]
        switch connections.choice {
        case .none:
            return
        case .automatic:
            guard outputs.allSatisfy({ client?.connections(of: $0).isEmpty ?? true }) else { return }
            destinations = client?.ports(flags: [.input, .physical]) ?? []
            if destinations.count < 2 {
                return deliver(
                    .notice("Not connected: the JACK server has no pair of playback ports. Connect out_left and out_right yourself."))
            }
        case .matching(let pattern):
            destinations = client?.ports(matching: pattern, flags: .input) ?? []
            if destinations.count < 2 {
                let found = destinations.first.map { "only '\($0)' matches" } ?? "no input port matches"
                deliver(.notice("--connect '\(pattern)': \(found). List the ports with jack_lsp."))
            }
        }
        for (port, destination) in zip(outputs.prefix(2), destinations) {
            do throws(JACKError) {
                try client?.connect(port.name, to: destination)
            } catch {
                deliver(.notice(error.description))
            }
        }
    }

    private borrowing func tellMissing() {
        let wanted = connections.memory.wanted ?? []
        guard !wanted.isEmpty else {
            return deliver(
                .notice("Not connected, as in the saved session. Connect out_left and out_right yourself, or pass --connect auto."))
        }
        let there = existing
        let missing = wanted.map(\.other).filter { !there.contains($0) }
        guard let first = missing.first else { return }
        let waiting =
            switch missing.count {
            case 1: "the remembered port '\(first)'; it will be connected when it appears."
            case 2: "'\(first)' and 1 other remembered port; they will be connected when they appear."
            default: "'\(first)' and \(missing.count - 1) other remembered ports; they will be connected when they appear."
            }
        deliver(.notice("Waiting for \(waiting)"))
    }

    /// Full names of all ports of all clients.
    private var existing: Set<String> { Set(client?.allPorts() ?? []) }

    private var ownPorts: [any ClientPort] {
        var ports: [any ClientPort] = outputs
        ports += inputs
        return ports
    }

    private func ownPort(_ link: PortLink) -> (any ClientPort)? { ownPorts.first { $0.shortName == link.port } }

    private func others(of port: any ClientPort) -> [String] { client?.connections(of: port) ?? [] }

    /// Makes the remembered connections that are possible by now.
    private mutating func connectMissing() {
        let missing = connections.memory.missing.filter { !connections.refused.contains($0) }
        guard !missing.isEmpty else { return }
        let there = existing
        for link in missing where there.contains(link.other) {
            do throws(JACKError) {
                try request(link, isConnected: true)
            } catch {
                connections.refused.insert(link)
                deliver(.notice(error.description))
            }
        }
    }

    /// Watches the connections of the ports and reports changes to the owner.
    mutating func watchConnections() {
        if connections.hasNewPorts {
            connections.hasNewPorts = false
            connections.refused = []
            noteConnections()
            connections.memory.judge(existing: existing, at: .now)
            connectMissing()
        }
        if connections.change != nil {
            let isSettled = isSettled
            noteConnections()
            if isSettled { connections.change = nil }
        }
        if connections.memory.isInDoubt { connections.memory.judge(existing: existing, at: .now) }
        tellConnections()
    }

    /// Records that something was connected or disconnected, by this program or another.
    mutating func noteChange() {
        connections.change = (.now, context?.cyclesBegun ?? 0)
    }

    /// Whether the last change is certain. The server applies it before one of its next cycles, once all clients have finished the last
    /// one; until then JACK reports the old state. Its library waits a little longer than a period for that, which may not be enough if a
    /// client is late.
    private var isSettled: Bool {
        guard let context, let change = connections.change else { return true }
        return context.cyclesBegun >= change.cycle + 4 && change.time + .milliseconds(100) < .now
    }

    private mutating func noteConnections() {
        let listed = outputs.map { PortConnections(port: $0.name, connectedTo: others(of: $0)) }
        let listedInputs = inputs.map { PortConnections(port: $0.name, connectedTo: others(of: $0)) }
        connections.memory.note(
            zip(ownPorts, listed + listedInputs).flatMap { port, listed in
                listed.connectedTo.map { PortLink(port: port.shortName, other: $0) }
            }, at: .now)
        let isNews = core.state.withLock { state in
            defer { (state.status.connections, state.status.inputConnections) = (listed, listedInputs) }
            return state.status.connections != listed || state.status.inputConnections != listedInputs
        }
        if isNews { deliver(.connectionsChanged(listed)) }
    }

    private mutating func tellConnections() {
        let (wanted, isInDoubt) = (connections.memory.wanted, connections.memory.isInDoubt || connections.change != nil)
        if wanted != connections.told {
            connections.told = wanted
            deliver(.connectionsLearnt(wanted ?? []))
        }
        // Set last: when the status shows no doubt, the events have been delivered.
        core.updateStatus { $0.connectionsAreInDoubt = isInDoubt }
    }
}

// MARK: - What the owner asks for

extension BackendWorker {
    /// Connects or disconnects a port, named with or without the client's name.
    mutating func wire(_ wiring: BackendCore.Wiring) {
        do throws(JACKError) {
            let link = try link(wiring.port, wiring.other)
            switch wiring.isConnected {
            case true: try connect(link)
            case false: try disconnect(link)
            }
            watchConnections()
            wiring.answer(nil)
        } catch {
            wiring.answer(error)
        }
    }

    private borrowing func link(_ port: String, _ other: String) throws(JACKError) -> PortLink {
        let status = core.state.withLock { $0.status }
        guard client != nil, status.condition == .running else {
            throw status.condition == .stalled ? .noAnswer(serverName: status.serverName) : .noServer(name: status.serverName)
        }
        guard let port = ownPorts.first(where: { $0.shortName == port || $0.name == port }) else { throw .noPort(name: port) }
        return PortLink(port: port.shortName, other: other)
    }

    private mutating func connect(_ link: PortLink) throws(JACKError) {
        guard let port = ownPort(link), client?.counterparts(of: port).contains(link.other) == true else {
            throw .noPort(name: link.other)
        }
        try request(link, isConnected: true)
    }

    private mutating func disconnect(_ link: PortLink) throws(JACKError) {
        guard let port = ownPort(link) else { return }
        if others(of: port).contains(link.other) {
            try request(link, isConnected: false)
        } else if connections.memory.wanted?.contains(link) != true {
            throw .notConnected(source: port.name, destination: link.other)
        }
        noteConnections()
        connections.memory.forget(link)
    }

    /// Connects or disconnects, and waits until JACK reports the change, at most half a second.
    private mutating func request(_ link: PortLink, isConnected: Bool) throws(JACKError) {
        guard let port = ownPort(link) else { return }
        let (source, destination) = port.isInput ? (link.other, port.name) : (port.name, link.other)
        switch isConnected {
        case true: try client?.connect(source, to: destination)
        case false: try client?.disconnect(source, from: destination)
        }
        noteChange()
        let deadline = ContinuousClock.now + .milliseconds(500)
        while others(of: port).contains(link.other) == !isConnected && ContinuousClock.now < deadline { usleep(1000) }
    }

    /// Replaces the present connections by another session's.
    mutating func restore(_ links: [PortLink]?) {
        if client != nil { noteConnections() }
        for link in connections.memory.replace(with: links) {
            do throws(JACKError) {
                try request(link, isConnected: false)
            } catch {
                deliver(.notice(error.description))
            }
        }
        connections.refused = []
        guard client != nil else { return }
        noteConnections()
        connectMissing()
    }
}
