import Dispatch

/// How an instance is connected to its session manager. ``SessionManagerLink`` has a socket; a test has messages in memory.
package protocol SessionManagerPort: AnyObject, Sendable {
    /// Whether the manager has been notified that its session is open.
    var hasOpened: Bool { get }
    func notify(_ notice: SessionManagerNotice)
    /// The next request, or `nil` if nothing is pending.
    func next() -> SessionManagerRequest?
    /// Calls a handler on a queue whenever there may be a request, until ``close()``.
    func watch(on queue: DispatchQueue, _ handler: @escaping () -> Void)
    func close()
}
