// The web server's thread.

import NIOCore

/// Refuses frames whose length is not written with as few bytes as possible (RFC 6455, section 5.2). NIO's decoder lets them pass, and its frames
/// do not say how their length was written.
final class LengthRule: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var place = Place.first

    /// The part of a frame to which the next byte belongs.
    private enum Place {
        /// A frame's first byte.
        case first
        /// The bit of the mask and the length, or the size of the length.
        case length
        /// A byte of a length of several bytes.
        case long(Length)
        /// One of so many bytes of mask and payload.
        case rest(UInt64)
    }

    private struct Length {
        var value: UInt64 = 0
        /// Bytes that are still to come.
        var left: Int
        /// The smallest value that needs so many bytes.
        let least: UInt64
        /// The size of the mask that follows.
        let mask: UInt64
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Self.unwrapInboundIn(data)
        // The frames before a wrong one are passed on.
        var (rest, begin) = (bytes.readableBytesView, bytes.readerIndex)
        while let byte = rest.first {
            switch place {
            case .first:
                begin = rest.startIndex
                place = .length
                rest = rest.dropFirst()
            case .length:
                let mask: UInt64 = byte & 0x80 == 0 ? 0 : 4
                place =
                    switch byte & 0x7F {
                    case 126: .long(Length(left: 2, least: 126, mask: mask))
                    case 127: .long(Length(left: 8, least: 65_536, mask: mask))
                    case let value: Self.end(after: UInt64(value) + mask)
                    }
                rest = rest.dropFirst()
            case .long(var length):
                length.value = length.value << 8 | UInt64(byte)
                length.left -= 1
                rest = rest.dropFirst()
                guard length.left == 0 else {
                    place = .long(length)
                    continue
                }
                guard length.value >= length.least else {
                    if let whole = bytes.getSlice(at: bytes.readerIndex, length: begin - bytes.readerIndex), whole.readableBytes > 0 {
                        context.fireChannelRead(Self.wrapInboundOut(whole))
                    }
                    return context.fireErrorCaught(WebSocketFault.malformed)
                }
                // The decoder refuses one that is too large.
                place = Self.end(after: length.value.addingReportingOverflow(length.mask).partialValue)
            case .rest(let count):
                let skipped = min(count, UInt64(rest.count))
                place = Self.end(after: count - skipped)
                rest = rest.dropFirst(Int(skipped))
            }
        }
        context.fireChannelRead(data)
    }

    private static func end(after count: UInt64) -> Place { count == 0 ? .first : .rest(count) }
}
