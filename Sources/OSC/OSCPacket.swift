/// The content of one datagram.
public enum OSCPacket: Equatable, Sendable {
    case message(OSCMessage)
    case bundle(OSCBundle)
}

/// Messages and bundles that take effect at one time.
public struct OSCBundle: Equatable, Sendable {
    public var timeTag: TimeTag
    public var elements: [OSCPacket]

    public init(timeTag: TimeTag = .immediate, elements: [OSCPacket]) {
        self.timeTag = timeTag
        self.elements = elements
    }

    public init(timeTag: TimeTag = .immediate, messages: [OSCMessage]) {
        self.init(timeTag: timeTag, elements: messages.map(OSCPacket.message))
    }

    /// Size on the wire of a bundle without elements, in bytes.
    public static let headerSize = 16
    /// Size on the wire of the length field before each element, in bytes.
    public static let elementHeaderSize = 4

    /// `#bundle` and its NUL.
    static let marker: [UInt8] = [0x23, 0x62, 0x75, 0x6E, 0x64, 0x6C, 0x65, 0]
}
