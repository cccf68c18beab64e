/// Answers the requests of a ``WebServer``. Always called on the server's thread, and not about a WebSocket while a message is being sent to it.
package protocol WebHandler: AnyObject {
    /// Handles a request; it is answered with ``HTTPConnection/respond(_:)``, at once or later.
    func received(_ request: Request, on connection: HTTPConnection)
    /// The response to a request for a WebSocket that is refused; `nil` opens it.
    func refusal(ofWebSocket request: Request, on connection: HTTPConnection) -> Response?
    /// Called when a connection has become a WebSocket.
    func opened(_ webSocket: HTTPConnection)
    func received(_ message: WebSocketMessage, on webSocket: HTTPConnection)
    /// Called when a WebSocket has been closed; nothing can be sent to it any more.
    func closed(_ webSocket: HTTPConnection)
}

/// A message of a WebSocket (RFC 6455, section 5.6).
package enum WebSocketMessage: Equatable, Sendable {
    case text(String)
    case binary([UInt8])
}

/// Why a WebSocket is closed: the status code in the close frame (RFC 6455, section 7.4).
package enum WebSocketFault: UInt16, Error, Sendable {
    case goingAway = 1001
    case malformed = 1002
    case notText = 1007
    case denied = 1008
    case tooLarge = 1009
    /// A code for applications: the server is full.
    case full = 4013
}
