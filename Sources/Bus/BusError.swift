import OperatingSystem

/// An error of D-Bus: a name such as `org.freedesktop.DBus.Error.InvalidArgs`, and a sentence for people.
package struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
    package let name: String
    package let message: String

    package init(name: String, message: String) { (self.name, self.message) = (name, message) }

    /// An error of the D-Bus specification, named without `org.freedesktop.DBus.Error.`.
    package init(_ standard: String, _ message: String) {
        self.init(name: "org.freedesktop.DBus.Error.\(standard)", message: message)
    }

    package static func invalidArguments(_ message: String) -> BusError { BusError("InvalidArgs", message) }
    package static func failed(_ message: String) -> BusError { BusError("Failed", message) }
    /// The connection was lost, or there was none.
    package static let disconnected = BusError("Disconnected", "not connected to the message bus")

    package var description: String { message.isEmpty ? name : message }
}

/// Turns libsystemd's convention, a negative error number, into an error.
@discardableResult
func check(_ result: Int32, _ what: String) throws(BusError) -> Int32 {
    guard result < 0 else { return result }
    throw .failed("\(what): \(Errno(rawValue: -result).reason)")
}
