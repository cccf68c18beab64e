// Any thread: keeps an engine alive while callbacks may render with it.

/// An engine for callbacks: the handle they render with, and a reference that keeps it in memory until the last one has ended.
///
// SAFETY: nothing of the engine is used but its handle and its count of references. The last holder frees it, on any thread: then nobody
// else uses it.
package struct EngineHold: @unchecked Sendable {
    package var handle: RenderHandle { engine.handle }
    private let engine: EngineControl

    package init(_ engine: EngineControl) { self.engine = engine }
}
