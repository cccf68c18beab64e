import Synchronization

/// A whole that is measured once for the loudness of its parts, which get the same gain, so that they still join.
final class MeasuredWhole: Sendable {
    let sources: [@Sendable () -> any RenderSource]
    let frameCount: Int64
    private let known = Mutex<LoudnessChange?>(nil)

    init(_ sources: [@Sendable () -> any RenderSource], frameCount: Int64) { (self.sources, self.frameCount) = (sources, frameCount) }

    /// The change of all parts. The first of them measures, any others wait for it.
    func change(_ measure: () throws -> LoudnessChange) throws -> LoudnessChange {
        try known.withLock { known in
            if let known { return known }
            let change = try measure()
            known = change
            return change
        }
    }
}
