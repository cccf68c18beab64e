import Glibc

/// Why no connections can be taken.
package enum ListenError: Error, Equatable, Sendable {
    case portInUse(UInt16)
    case failed(call: String, code: Int32)
}
