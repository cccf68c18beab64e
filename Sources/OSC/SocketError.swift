import Glibc

/// Why a socket could not be had.
package enum SocketError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Another program has the port; `owner` is `nil` where this user may not know.
    case portInUse(Endpoint, owner: PortOwner?)
    /// No interface of this machine has the address.
    case addressNotAvailable(Endpoint)
    case failed(call: String, endpoint: Endpoint, code: Int32)

    package var description: String {
        switch self {
        case .portInUse(let endpoint, let owner?):
            "UDP port \(endpoint.port) on \(endpoint.host) is in use by \(owner.name) (process \(owner.pid)). "
                + "End it, or choose another port with --osc-port."
        case .portInUse(let endpoint, nil):
            "UDP port \(endpoint.port) on \(endpoint.host) is in use by another program. End it, or choose another port with --osc-port."
        case .addressNotAvailable(let endpoint):
            "This machine has no network address \(endpoint.host). Choose one that `ip address` lists."
        case .failed(let call, let endpoint, let code):
            "Cannot open UDP port \(endpoint.port) on \(endpoint.host): \(call) says \(String(cString: strerror(code)))."
        }
    }
}
