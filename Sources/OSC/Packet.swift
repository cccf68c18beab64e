/// The content of one datagram.
package enum Packet: Equatable, Sendable {
    case message(Message)
    case bundle(Bundle)
}

/// Messages and bundles that take effect at one time.
package struct Bundle: Equatable, Sendable {
    package var timeTag: TimeTag
    package var elements: [Packet]

    package init(timeTag: TimeTag = .immediate, elements: [Packet]) {
        self.timeTag = timeTag
        self.elements = elements
    }

    package init(timeTag: TimeTag = .immediate, messages: [Message]) {
        self.init(timeTag: timeTag, elements: messages.map(Packet.message))
    }

    /// Size on the wire of a bundle without elements, in bytes.
    package static let headerSize = 16
    /// Size on the wire of the length field before each element, in bytes.
    package static let elementHeaderSize = 4

    /// `#bundle` and its NUL.
    static let marker: [UInt8] = [0x23, 0x62, 0x75, 0x6E, 0x64, 0x6C, 0x65, 0]
}
