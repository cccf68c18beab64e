import Glibc

/// Why the server cannot accept connections.
package enum ListenError: Error, Equatable, Sendable {
    case invalidAddress(String)
    case portInUse(UInt16, address: String)
    case failed(call: String, address: String, code: Int32)
}
