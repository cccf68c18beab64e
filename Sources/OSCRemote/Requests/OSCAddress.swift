/// The root of all addresses, and how long a message to one may be.
package enum OSCAddress {
    package static let root = "/binaural"
    /// Maximum size in bytes of a message that fits into a packet together with an `alive` message.
    static let maximumMessageSize = 1300

    /// An address without the root, given with or without it.
    static func belowRoot(_ address: String) -> String {
        address.hasPrefix(root + "/") ? String(address.dropFirst(root.count + 1)) : address
    }
}
