/// An event of the engine, from ``EngineControl/poll()``.
package enum EngineEvent: Sendable {
    /// A request took effect at `engineFrame`. `position` is that of the playhead that is current after a `start`, or was before
    /// any other request; `nil` if there was none. For edits and the master gain both say when the render thread received the request.
    case landed(serial: UInt64, engineFrame: EngineFrame, position: PlanFrame?)
    /// A request was cancelled: an edit of a plan that is no longer current, or a start overtaken by a stop.
    case refused(serial: UInt64)
    /// The plan of the last `setNext` has begun; `serial` is that of the `setNext`.
    case advanced(serial: UInt64, engineFrame: EngineFrame)
    /// The current plan has ended, and no plan was next.
    case ended(engineFrame: EngineFrame)
}
