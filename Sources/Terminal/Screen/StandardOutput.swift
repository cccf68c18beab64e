import Foundation

/// Standard output, as far as a command has printed to it.
package enum StandardOutput {
    /// Writes what still waits in the C library. fflush(3)
    ///
    /// - Returns: The system's reason if that fails; `nil` also if nobody reads any more, such as `head`.
    package static func finish() -> String? {
        guard fflush(nil) != 0, errno != EPIPE else { return nil }
        return String(cString: strerror(errno))
    }
}
