import NIOCore
import NIOWebSocket

/// Passes the messages of a WebSocket to the server's handler, and closes it at the first fault.
final class WebSocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame

    private let connection: HTTPConnection
    private let handler: any WebHandler

    /// Maximum number of fragments of a message.
    static let maximumFragmentCount = 64

    init(_ connection: HTTPConnection, _ handler: any WebHandler) { (self.connection, self.handler) = (connection, handler) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { connection.received(Self.unwrapInboundIn(data), handler) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength, NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge,
            NIOWebSocketFrameAggregator.Error.tooManyFragments:
            connection.close(.tooLarge)
        case is NIOWebSocketError, is NIOWebSocketFrameAggregator.Error, is WebSocketFault: connection.close(.malformed)
        default: context.fireErrorCaught(error)
        }
    }
}

/// Refuses frames that a client must not send (RFC 6455, sections 5.1 and 5.2); NIO's decoder lets them pass.
final class FrameRule: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = WebSocketFrame

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = Self.unwrapInboundIn(data)
        let isKnown = [.continuation, .text, .binary, .connectionClose, .ping, .pong].contains(frame.opcode)
        // No extension was negotiated, and a client has to mask its frames.
        guard isKnown, frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
            return context.fireErrorCaught(WebSocketFault.malformed)
        }
        context.fireChannelRead(data)
    }
}
