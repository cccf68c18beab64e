import Glibc

/// Why the server cannot accept connections.
package enum ListenError: Error, Equatable, Sendable {
    case portInUse(UInt16)
    case failed(call: String, code: Int32)
}
