import NIOCore
import NIOHTTP1

/// The first handler of a connection: it sees the bytes. It limits the size of request headers, discards what arrives at the end of a
/// connection, and does not read from a client that does not read its answers.
final class ConnectionBounds: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let connection: HTTPConnection
    private let ended: () -> Void
    private var headSize = 0
    private var isLineEmpty = true
    private var isReadHeld = false

    /// - Parameter ended: Called when the connection has been closed, but never while something is being sent to it.
    init(_ connection: HTTPConnection, ended: @escaping () -> Void) { (self.connection, self.ended) = (connection, ended) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection.heard()
        guard connection.interpretsInput else { return }
        if !connection.isWebSocket, !isWithinBounds(Self.unwrapInboundIn(data)) {
            connection.fault = Response(.headTooLarge, closes: true)
            context.fireErrorCaught(HTTPParserError.headerOverflow)
            return
        }
        context.fireChannelRead(data)
    }

    /// Counts the bytes since the last empty line, which ends the headers.
    private func isWithinBounds(_ bytes: ByteBuffer) -> Bool {
        for byte in bytes.readableBytesView {
            headSize += 1
            if byte == UInt8(ascii: "\n") {
                if isLineEmpty { headSize = 0 }
                isLineEmpty = true
            } else if byte != UInt8(ascii: "\r") {
                isLineEmpty = false
            }
            if headSize > Request.maximumHeadSize { return false }
        }
        return true
    }

    func read(context: ChannelHandlerContext) {
        if connection.isPaused { return }
        if context.channel.isWritable { context.read() } else { isReadHeld = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if isReadHeld, context.channel.isWritable {
            isReadHeld = false
            read(context: context)
        }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection.ended()
        context.fireChannelInactive()
        // A write that fails closes the channel before it returns, while its caller may be changing what `ended` changes, too.
        context.eventLoop.assumeIsolated().execute(ended)
    }

    /// Errors of the socket close it.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError { context.fireErrorCaught(error) } else { context.close(promise: nil) }
    }
}
