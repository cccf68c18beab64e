import NIOCore
import NIOHTTP1

/// Checks requests, and passes them to the server's handler, or if they ask for a WebSocket to the handler after it, which opens it.
final class RequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private let connection: HTTPConnection
    private let hosts: HostRule
    private let handler: any WebHandler
    private var isUpgrading = false

    init(_ connection: HTTPConnection, hosts: HostRule, handler: any WebHandler) {
        (self.connection, self.hosts, self.handler) = (connection, hosts, handler)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = Self.unwrapInboundIn(data) {
            do throws(Response) { isUpgrading = try handle(head) } catch { connection.refuse(error) }
        }
        if isUpgrading { context.fireChannelRead(data) }
    }

    /// - Returns: Whether a WebSocket is to be opened.
    /// - Throws: The response to a request that is refused.
    private func handle(_ head: HTTPRequestHead) throws(Response) -> Bool {
        let request = try Request(head)
        guard hosts.admits(request.headers, isLocal: connection.isLocal && !request.isForwarded) else {
            throw Response(
                .forbidden, text: "Only requests to an address or a name of this machine, and not from pages of other sites, are answered.",
                closes: true)
        }
        guard ["GET", "HEAD"].contains(request.method) else {
            throw Response(.methodNotAllowed, closes: true, headers: [("Allow", "GET, HEAD")])
        }
        guard !request.hasBody else { throw Response(.bodyTooLarge, closes: true) }
        switch Upgrade(head) {
        case .refused(let response): throw response
        case .webSocket:
            if let refusal = handler.refusal(ofWebSocket: request, on: connection) { throw refusal }
            connection.begin(opening: request)
            return true
        case .none:
            connection.begin(answering: request)
            handler.received(request, on: connection)
            return false
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        connection.refuse(connection.fault ?? Self.response(to: error))
    }

    private static func response(to error: HTTPParserError) -> Response {
        switch error {
        case .headerOverflow: Response(.headTooLarge, closes: true)
        case .invalidVersion: Response(.versionNotSupported, closes: true)
        case .invalidMethod: Response(.methodNotAllowed, closes: true, headers: [("Allow", "GET, HEAD")])
        default: .malformed("The request is not valid HTTP/1.1.")
        }
    }
}
