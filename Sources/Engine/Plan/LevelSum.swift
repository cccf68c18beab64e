import Patches

/// How loud the layers of a patch can be together: the sum of their levels, reached when all their waves peak at once.
package struct LevelSum: Equatable, Sendable {
    /// The highest sum; 1 is full scale, 0 when every layer is off. It includes one key struck at full velocity.
    package private(set) var peak = 0.0
    /// The part of ``peak`` that one key adds.
    private(set) var keys = 0.0
    /// Position in seconds from the start of the patch at which it is first reached.
    package private(set) var position = 0.0

    /// The sum of a patch with its live edits. Mutes make no difference.
    package init(of patch: Patch, edits: [LiveEdit] = []) {
        self.init(LevelCourse.all(of: patch, edits: edits, crests: patch.layers.map(\.crest)), until: patch.duration, fade: patch.fade)
    }

    /// - Parameter end: Seconds; `nil` is never.
    init(_ courses: [LevelCourse], until end: Double?, fade: Patch.Fade?) {
        let steady = LevelPeak(of: courses.filter { !$0.isPlayed }, until: end ?? .infinity)
        (peak, position) = (steady.sum, steady.position)
        // A key may go down at any time.
        keys = LevelPeak(of: courses.filter(\.isPlayed), until: end ?? .infinity).sum
        let beyond = fade?.highest ?? 1
        keys *= beyond
        peak = peak * beyond + keys
    }

    /// The same sum, with `level` added to its peak.
    func raised(by level: Double) -> LevelSum {
        var sum = self
        sum.peak += level
        return sum
    }
}

extension Patch.Fade {
    /// The highest gain of the fades: 1, unless an easing overshoots.
    fileprivate var highest: Double {
        let (rising, falling) = (TurningPoints.of(easeIn).map(easeIn.value), TurningPoints.of(easeOut).map { 1 - easeOut.value(at: $0) })
        return (rising + falling).reduce(1, max)
    }
}
