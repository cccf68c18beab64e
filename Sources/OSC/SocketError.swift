import Glibc

/// Why a socket could not be opened.
public enum SocketError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Another program holds the port; `owner` is `nil` if this user may not see it.
    case portInUse(Endpoint, owner: PortOwner?)
    /// No network interface of this machine has the address.
    case addressNotAvailable(Endpoint)
    case failed(call: String, endpoint: Endpoint, code: Int32)
    /// Another program listens on the Unix socket of that path.
    case pathInUse(String)
    /// The path of the Unix socket is taken by something that is not a socket.
    case pathNotSocket(String)
    case pathTooLong(String)
    case unixFailed(call: String, path: String, code: Int32)

    public var description: String {
        switch self {
        case .portInUse(let endpoint, let owner?):
            "UDP port \(endpoint.port) on \(endpoint.host) is in use by \(owner.name) (process \(owner.pid)). "
                + "Stop it, or choose another port with --osc-port."
        case .portInUse(let endpoint, nil):
            "UDP port \(endpoint.port) on \(endpoint.host) is in use by another program. Stop it, or choose another port with --osc-port."
        case .addressNotAvailable(let endpoint):
            "This machine has no network address \(endpoint.host). Choose one that `ip address` lists."
        case .failed(let call, let endpoint, let code):
            "Cannot open UDP port \(endpoint.port) on \(endpoint.host): \(String(cString: strerror(code))) (\(call))."
        case .pathInUse(let path): "Another program is listening on \(path). Stop it, or choose another path for --osc-listen unix:PATH."
        case .pathNotSocket(let path):
            "\(path) exists and is not a socket. It was left unchanged. Choose another path for --osc-listen unix:PATH."
        case .pathTooLong(let path):
            "The path of a Unix socket must have 1 to \(UnixAddress.maximumLength) bytes, but '\(path)' has \(path.utf8.count)."
        case .unixFailed(let call, let path, let code):
            "Cannot open the Unix socket \(path): \(String(cString: strerror(code))) (\(call))."
        }
    }
}
