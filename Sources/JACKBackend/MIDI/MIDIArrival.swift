// Render thread, and control, which reads the events.
import Engine
import RealTime

/// A short MIDI message, as passed from the render thread to control.
package struct MIDIArrival: BitwiseCopyable, Sendable {
    /// The engine frame at which it arrived.
    package var engineFrame: EngineFrame
    /// Identifies the engine: engine frames of another engine are meaningless.
    var renderer: UInt
    /// The bytes, the first one lowest.
    private var low: UInt64 = 0
    private var high: UInt64 = 0
    private var count: Int

    /// The maximum length; only system exclusive dumps are longer, which the program does not use.
    static var longest: Int { 16 }

    /// Copies a message; `nil` if it is empty or too long. Render thread.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, engineFrame: EngineFrame, renderer: UInt) {
        guard bytes.count > 0, bytes.count <= Self.longest else { return nil }
        self.engineFrame = engineFrame
        self.renderer = renderer
        count = bytes.count
        for index in 0..<bytes.count {
            let byte = UInt64(bytes[index])
            if index < 8 { low |= byte << UInt64(8 * index) } else { high |= byte << UInt64(8 * (index - 8)) }
        }
    }

    package var bytes: [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 < 8 ? low : high) >> UInt64(8 * ($0 % 8))) }
    }
}
