/// What answers the requests of a ``WebServer``. Always called on the server's thread.
package protocol WebHandler: AnyObject {
    /// Answers with ``Connection/respond(_:)``, at once or later.
    func received(_ request: Request, on connection: Connection)
    /// The connection is a WebSocket now.
    func opened(_ webSocket: Connection)
    func received(_ text: String, on webSocket: Connection)
    /// Of a WebSocket; nothing reaches it any more.
    func closed(_ webSocket: Connection)
    /// When ``tick(at:)`` is to be called, on the clock of ``WebServer/now``; `nil` when it need not be.
    var nextDue: Double? { get }
    func tick(at now: Double)
}
