/// The sender or receiver of packets: a UDP endpoint, a Unix socket on this machine, or the other end of a WebSocket.
public enum PeerAddress: Hashable, Sendable, CustomStringConvertible {
    case udp(Endpoint)
    case unix(UnixAddress)
    /// The client's end of an open connection; no other open one has the same.
    case webSocket(Endpoint)

    /// Whether only programs on this machine can send from this address.
    public var isLocal: Bool {
        switch self {
        case .udp(let endpoint), .webSocket(let endpoint): endpoint.host.isLoopback
        case .unix: true
        }
    }

    /// The address of the sender's machine; `nil` for a Unix socket.
    public var host: IPAddress? {
        switch self {
        case .udp(let endpoint), .webSocket(let endpoint): endpoint.host
        case .unix: nil
        }
    }

    /// The UDP endpoint; `nil` for a Unix socket and a WebSocket.
    public var endpoint: Endpoint? {
        if case .udp(let endpoint) = self { endpoint } else { nil }
    }

    /// False for a Unix socket without a name, which cannot be sent to.
    public var canBeAnswered: Bool {
        if case .unix(let address) = self { !address.isUnnamed } else { true }
    }

    /// The address as text: `127.0.0.1:7830`, `unix:/run/user/1000/x` or `ws:127.0.0.1:51000`.
    public var description: String {
        switch self {
        case .udp(let endpoint): "\(endpoint)"
        case .unix(let address): "\(address)"
        case .webSocket(let endpoint): "ws:\(endpoint)"
        }
    }
}
