// The web server's thread: the open connections of a server.

import NIOCore
import NIOHTTP1
import NIOWebSocket

/// A server's open connections. Only used on the server's thread.
final class WebClients {
    /// `nil` until the server is started.
    var handler: (any WebHandler)?
    private let bounds: WebServer.Bounds
    private let hosts: HostRule
    private var connections: [ObjectIdentifier: HTTPConnection] = [:]

    init(bounds: WebServer.Bounds, hosts: HostRule) { (self.bounds, self.hosts) = (bounds, hosts) }

    /// Adds the handlers of a new connection.
    func add(_ channel: any Channel, isProxied: Bool) throws {
        let connection = HTTPConnection(channel, pingInterval: bounds.pingInterval, isProxied: isProxied)
        if !hasRoom(for: connection) { makeRoom(for: connection) }
        guard let handler, hasRoom(for: connection) else {
            connection.ended()
            return try turnAway(channel)
        }
        let id = ObjectIdentifier(connection)
        connections[id] = connection
        let encoder = HTTPResponseEncoder()
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = Request.maximumHeadSize
        limits.maxHeaderListSize = Request.maximumHeadSize
        limits.maxHeaderFieldCount = Request.maximumHeaderCount
        let decoder = ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits))
        let pipelining = HTTPServerPipelineHandler()
        let requests = RequestHandler(connection, hosts: hosts, handler: handler)
        let upgrading = HTTPServerUpgradeHandler(
            upgraders: [upgrader(connection, handler)], httpEncoder: encoder, extraHTTPHandlers: [decoder, pipelining, requests]
        ) { _ in }
        let end = { [weak self] in
            guard self?.connections.removeValue(forKey: id) != nil, connection.hasOpened else { return }
            handler.closed(connection)
        }
        try channel.pipeline.syncOperations.addHandlers([
            ConnectionBounds(connection, ended: end), encoder, decoder, pipelining, requests, upgrading,
        ])
    }

    /// Local programs cannot be locked out by other machines, which may hold half of the places.
    private func hasRoom(for newcomer: HTTPConnection) -> Bool {
        guard connections.count < bounds.connectionCount else { return false }
        return newcomer.isLocal || connections.values.count { !$0.isLocal } < bounds.connectionCount / 2
    }

    /// Closes the connection that has been idle for longest. A browser keeps six of them, and opens another one when it has something to ask.
    private func makeRoom(for newcomer: HTTPConnection) {
        let idle = connections.filter { newcomer.isLocal || !$0.value.isLocal }.compactMap { id, each in each.idleSince.map { ($0, id) } }
        guard let id = idle.min(by: { $0.0 < $1.0 })?.1 else { return }
        connections.removeValue(forKey: id)?.abort()
    }

    private func upgrader(_ connection: HTTPConnection, _ handler: any WebHandler) -> NIOWebSocketServerUpgrader {
        let loop = connection.loop
        let parts = NIOLoopBound((connection, handler), eventLoop: loop)
        let size = bounds.messageSize
        return NIOWebSocketServerUpgrader(maxFrameSize: size, automaticErrorHandling: false) { channel, _ in
            channel.eventLoop.makeSucceededFuture([:])
        } upgradePipelineHandler: { channel, _ in
            channel.eventLoop.makeCompletedFuture {
                let (connection, handler) = parts.value
                let whole = NIOWebSocketFrameAggregator(
                    minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: WebSocketHandler.maximumFragmentCount,
                    maxAccumulatedFrameSize: size)
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandlers([FrameRule(), whole, WebSocketHandler(connection, handler)])
                connection.becomeWebSocket()
                handler.opened(connection)
            }
        }
    }

    /// Answers that the server is full, as far as can be sent without waiting, and closes the connection.
    private func turnAway(_ channel: any Channel) throws {
        try channel.pipeline.syncOperations.addHandlers([HTTPResponseEncoder(), FullHandler(limit: bounds.connectionCount)])
    }

    func close() {
        for connection in connections.values {
            connection.close(.goingAway)
            connection.endStream()
        }
    }
}

/// Turns a client away.
private final class FullHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = HTTPServerResponsePart

    private let response: Response

    init(limit: Int) {
        response = Response(
            .unavailable, text: "\(limit) connections are already open: close one.", closes: true, headers: [("Refresh", "2")])
    }

    func channelActive(context: ChannelHandlerContext) {
        context.write(Self.wrapOutboundOut(.head(response.head(closes: true))), promise: nil)
        context.write(Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response.body)))), promise: nil)
        context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
        context.close(promise: nil)
    }
}
