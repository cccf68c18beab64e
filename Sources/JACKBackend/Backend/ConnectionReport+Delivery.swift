// The backend's worker thread.

extension ConnectionReport {
    /// A closure that publishes the connections and reports them to the owner.
    static func receiver(_ core: BackendCore, _ deliver: @escaping @Sendable (BackendEvent) -> Void) -> (ConnectionReport) -> Void {
        { report in
            switch report {
            case .present(let outputs, let inputs):
                core.updateStatus { ($0.connections, $0.inputConnections) = (outputs, inputs) }
                deliver(.connectionsChanged(outputs))
            case .remembered(let links): deliver(.connectionsLearnt(links))
            case .existing(let ports): deliver(.portsChanged(ports))
            case .waiting(let ports): deliver(.waiting(for: ports))
            case .notice(let text): deliver(.notice(text))
            }
        }
    }
}
