/// The sender or receiver of packets: a UDP endpoint, or a Unix socket on this machine.
public enum PeerAddress: Hashable, Sendable, CustomStringConvertible {
    case udp(Endpoint)
    case unix(UnixAddress)

    /// Whether only programs on this machine can send from this address.
    public var isLocal: Bool {
        switch self {
        case .udp(let endpoint): endpoint.host.isLoopback
        case .unix: true
        }
    }

    /// The UDP endpoint; `nil` for a Unix socket.
    public var endpoint: Endpoint? {
        if case .udp(let endpoint) = self { endpoint } else { nil }
    }

    /// False for a Unix socket without a name, which cannot be sent to.
    public var canBeAnswered: Bool {
        if case .unix(let address) = self { !address.isUnnamed } else { true }
    }

    /// The address as text: `127.0.0.1:7830` or `unix:/run/user/1000/x`.
    public var description: String {
        switch self {
        case .udp(let endpoint): "\(endpoint)"
        case .unix(let address): "\(address)"
        }
    }
}
