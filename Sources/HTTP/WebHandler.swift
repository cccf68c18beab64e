/// Answers the requests of a ``WebServer``. Always called on the server's thread.
package protocol WebHandler: AnyObject {
    /// Handles a request; it is answered with ``HTTPConnection/respond(_:)``, at once or later.
    func received(_ request: Request, on connection: HTTPConnection)
    /// Called when a connection has become a WebSocket.
    func opened(_ webSocket: HTTPConnection)
    func received(_ text: String, on webSocket: HTTPConnection)
    /// Called when a WebSocket has been closed; nothing can be sent to it any more.
    func closed(_ webSocket: HTTPConnection)
    /// When ``tick(at:)`` is to be called, on the monotonic clock; `nil` for never.
    var nextDue: Double? { get }
    func tick(at now: Double)
}
