// The backend's worker thread.
import JACK

/// Watches, makes and removes the connections of the program's ports, and remembers those to make again.
///
/// It holds no client: each call is handed the present one, its ports and what counts its cycles.
struct ConnectionKeeper {
    var memory: ConnectionMemory
    /// How the ports are connected if no connections are remembered.
    private let choice: ConnectionChoice
    let report: (ConnectionReport) -> Void
    /// The remembered connections as last reported.
    private var reported: [PortLink]?
    /// The present connections as last reported.
    private var listed: (outputs: [PortConnections], inputs: [PortConnections]) = ([], [])
    /// The time and cycle count of the last change, until its result is certain.
    private var change: (time: ContinuousClock.Instant, cycle: UInt64)?
    /// The ports that exist, as last reported.
    private var seen: Set<String>?
    private var hasNewPorts = false
    /// Whether `--connect` has been applied, which happens once.
    private var hasConnected = false
    /// Connections that JACK refused, which is reported once.
    var refused: Set<PortLink> = []

    /// - Parameters:
    ///   - links: The remembered connections; `nil` if there are none, so that the ports are connected as `choice` says.
    ///   - report: Called before the function that found the change returns.
    init(_ links: [PortLink]?, choice: ConnectionChoice, report: @escaping (ConnectionReport) -> Void) {
        memory = ConnectionMemory(links)
        self.choice = choice
        self.report = report
        reported = links
    }

    /// Whether the result of the last changes is not yet certain.
    var isInDoubt: Bool { memory.isInDoubt || change != nil }

    // MARK: Changes

    /// Records that the client is gone.
    mutating func recordLoss() {
        memory.recordLoss()
        refused = []
        change = nil
        listed = ([], [])
        if seen != nil { report(.existing(nil)) }
        seen = nil
    }

    /// Records that something was connected or disconnected, by this program or another.
    mutating func recordChange(cyclesBegun: UInt64) { change = (.now, cyclesBegun) }

    /// Records that ports of any client have appeared or gone.
    mutating func recordNewPorts() { hasNewPorts = true }

    /// Connects the ports after opening: the remembered connections, or as `--connect` says if there are none.
    mutating func connect(_ client: borrowing ActiveClient, _ ports: ClientPorts, cyclesBegun: () -> UInt64) {
        recordExisting(existing(client))
        if !hasConnected {
            hasConnected = true
            if memory.wanted == nil { connectAsChosen(client, ports) } else { reportMissing(client) }
        }
        connectMissing(client, ports, cyclesBegun: cyclesBegun)
        recordChange(cyclesBegun: cyclesBegun())
    }

    /// Watches the connections of the ports and reports changes.
    mutating func watch(_ client: borrowing ActiveClient, _ ports: ClientPorts, cyclesBegun: () -> UInt64) {
        if hasNewPorts {
            hasNewPorts = false
            refused = []
            recordConnections(client, ports)
            let there = existing(client)
            memory.judge(existing: there, at: .now)
            recordExisting(there)
            connectMissing(client, ports, cyclesBegun: cyclesBegun)
        }
        if change != nil {
            let isSettled = isSettled(cyclesBegun: cyclesBegun())
            recordConnections(client, ports)
            if isSettled { change = nil }
        }
        if memory.isInDoubt { memory.judge(existing: existing(client), at: .now) }
        guard memory.wanted != reported else { return }
        reported = memory.wanted
        report(.remembered(memory.wanted ?? []))
    }

    /// Reports which ports exist, if that has changed.
    private mutating func recordExisting(_ ports: Set<String>) {
        guard ports != seen else { return }
        seen = ports
        report(.existing(ports))
    }

    /// Whether the last change is certain. The server applies it before one of its next cycles, once all clients have finished the last
    /// one; until then JACK reports the old state. Its library waits a little longer than a period for that, which may not be enough if a
    /// client is late.
    private func isSettled(cyclesBegun: UInt64) -> Bool {
        guard let change else { return true }
        return cyclesBegun >= change.cycle + 4 && change.time + .milliseconds(100) < .now
    }

    mutating func recordConnections(_ client: borrowing ActiveClient, _ ports: ClientPorts) {
        var outputs: [PortConnections] = []
        for port in ports.outputs { outputs.append(PortConnections(port: port.name, connectedTo: client.connections(of: port))) }
        var inputs: [PortConnections] = []
        for port in ports.inputs { inputs.append(PortConnections(port: port.name, connectedTo: client.connections(of: port))) }
        memory.record(
            zip(ports.all, outputs + inputs).flatMap { port, listed in
                listed.connectedTo.map { PortLink(port: port.shortName, other: $0) }
            }, at: .now)
        guard listed != (outputs, inputs) else { return }
        listed = (outputs, inputs)
        report(.present(outputs: outputs, inputs: inputs))
    }

    // MARK: Connecting

    private func connectAsChosen(_ client: borrowing ActiveClient, _ ports: ClientPorts) {
        let destinations: [String]
        switch choice {
        case .none:
            return
        case .automatic:
            for port in ports.outputs where !client.connections(of: port).isEmpty { return }
            destinations = client.ports(flags: [.input, .physical])
            if destinations.count < 2 {
                return report(
                    .notice("Not connected: the JACK server has no pair of playback ports. Connect out_left and out_right yourself."))
            }
        case .matching(let pattern):
            destinations = client.ports(matching: pattern, flags: .input)
            if destinations.count < 2 {
                let found = destinations.first.map { "only '\($0)' matches" } ?? "no input port matches"
                report(.notice("--connect '\(pattern)': \(found). List the ports with jack_lsp."))
            }
        }
        for (port, destination) in zip(ports.outputs.prefix(2), destinations) {
            do throws(JACKError) {
                try client.connect(port.name, to: destination)
            } catch {
                report(.notice(error.description))
            }
        }
    }

    private func reportMissing(_ client: borrowing ActiveClient) {
        let wanted = memory.wanted ?? []
        guard !wanted.isEmpty else {
            return report(
                .notice("Not connected, as in the saved session. Connect out_left and out_right yourself, or pass --connect auto."))
        }
        let there = existing(client)
        let missing = wanted.map(\.other).filter { !there.contains($0) }
        if !missing.isEmpty { report(.waiting(missing)) }
    }

    /// Makes the remembered connections that are possible by now.
    mutating func connectMissing(_ client: borrowing ActiveClient, _ ports: ClientPorts, cyclesBegun: () -> UInt64) {
        let missing = memory.missing.filter { !refused.contains($0) }
        guard !missing.isEmpty else { return }
        let there = existing(client)
        for link in missing where there.contains(link.other) {
            do throws(JACKError) {
                try request(link, isConnected: true, client, ports, cyclesBegun: cyclesBegun)
            } catch {
                refused.insert(link)
                report(.notice(error.description))
            }
        }
    }

    /// Full names of all ports of all clients.
    private func existing(_ client: borrowing ActiveClient) -> Set<String> { Set(client.allPorts()) }
}
