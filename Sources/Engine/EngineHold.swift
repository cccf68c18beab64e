// Any thread: whoever has callbacks render with an engine keeps it.

/// An engine for callbacks: what they render with, and what keeps that in memory until the last one has ended.
///
// SAFETY: nothing of the engine is used but its handle and its count of references. The last holder frees it, on any thread: then nobody
// else uses it.
package struct EngineHold: @unchecked Sendable {
    package var handle: RenderHandle { engine.handle }
    private let engine: EngineControl

    package init(_ engine: EngineControl) { self.engine = engine }
}
