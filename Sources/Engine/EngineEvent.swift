/// What control learns from the render thread.
package enum EngineEvent: Sendable {
    /// A request is in the sound from `engineFrame` on. `position`: plan frame of the playhead that is current after `start`, or was
    /// before anything else; `nil` when there was none. Of an edit or the master gain: when the render thread took it.
    case landed(serial: UInt64, engineFrame: Int64, position: Int64?)
    /// A request was cancelled: an edit of what is no longer current, or a start that a stop overtook.
    case refused(serial: UInt64)
    /// The plan of the last `setNext` has begun; `serial` is that of the `setNext`.
    case advanced(serial: UInt64, engineFrame: Int64)
    /// The current plan came to its end, and nothing was next.
    case ended(engineFrame: Int64)
}
