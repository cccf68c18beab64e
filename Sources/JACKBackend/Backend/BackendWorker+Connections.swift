// The backend's worker thread.
import JACK

/// The connections of the present client, which ``ConnectionKeeper`` looks after.
extension BackendWorker {
    /// Connects the ports after opening.
    mutating func connectPorts() {
        guard let context else { return }
        switch client {
        case .some(let client): connections.connect(client, ports) { context.cyclesBegun }
        case .none: break
        }
    }

    /// Records that something was connected or disconnected, by this program or another.
    mutating func recordChange() { connections.recordChange(cyclesBegun: context?.cyclesBegun ?? 0) }

    /// Watches the connections of the ports and reports changes to the owner. A server that has stalled would not answer.
    mutating func watchConnections() {
        guard let context, isRunning else { return }
        switch client {
        case .some(let client): connections.watch(client, ports) { context.cyclesBegun }
        case .none: return
        }
        // Set last: when the status shows no doubt, the events have been delivered.
        let isInDoubt = connections.isInDoubt
        core.updateStatus { $0.connectionsAreInDoubt = isInDoubt }
    }

    /// Connects or disconnects a port.
    mutating func wire(_ wiring: BackendCore.Wiring) {
        do throws(JACKError) {
            try carryOut(wiring)
            watchConnections()
            wiring.answer(nil)
        } catch {
            wiring.answer(error)
        }
    }

    private mutating func carryOut(_ wiring: BackendCore.Wiring) throws(JACKError) {
        let status = core.state.withLock { $0.status }
        guard let context, status.condition == .running else {
            throw status.condition == .stalled ? .noAnswer(serverName: status.serverName) : .noServer(name: status.serverName)
        }
        switch client {
        case .some(let client):
            if wiring.isConnected {
                try connections.connect(wiring.port, to: wiring.other, client, ports) { context.cyclesBegun }
            } else {
                try connections.disconnect(wiring.port, from: wiring.other, client, ports) { context.cyclesBegun }
            }
        case .none: throw .noServer(name: status.serverName)
        }
    }

    /// Replaces the present connections by another session's.
    mutating func restore(_ links: [PortLink]?) {
        guard let context else { return connections.restore(links) }
        switch client {
        case .some(let client): connections.restore(links, client, ports) { context.cyclesBegun }
        case .none: connections.restore(links)
        }
    }
}
