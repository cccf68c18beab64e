import Glibc

/// An error number of the C library, with the system's message.
package struct Errno: Error, RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// The error of the last call that failed on this thread. errno(3)
    package static var last: Errno { Errno(rawValue: errno) }

    /// The message, such as "No space left on device". strerror(3)
    package var description: String { String(cString: strerror(rawValue)) }

    /// The message, worded to stand inside a sentence: "no space left on device".
    package var reason: String { description.prefix(1).lowercased() + description.dropFirst() }
}
