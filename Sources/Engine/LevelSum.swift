import Patches

/// How loud the layers of a patch can be together: the sum of their levels, which is reached when all their waves meet at a crest.
package struct LevelSum: Equatable, Sendable {
    /// The highest sum; 1 is full scale, 0 when every layer is off. Of keys, one that is struck as hard as can be is in it.
    package private(set) var peak = 0.0
    /// The part of ``peak`` that each key has.
    private(set) var keys = 0.0
    /// Seconds from the start of the patch: where it is first reached.
    package private(set) var position = 0.0

    /// Of a patch with what was changed in it by hand. Whether a layer is muted makes no difference.
    package init(of patch: Patch, edits: [LiveEdit] = []) {
        self.init(LevelCourse.all(of: patch, edits: edits, crests: patch.layers.map(\.crest)), until: patch.duration, fade: patch.fade)
    }

    /// - Parameter end: Seconds; `nil` is never.
    init(_ courses: [LevelCourse], until end: Double?, fade: Patch.Fade?) {
        (peak, position) = Self.highest(courses.filter { !$0.isPlayed }, until: end ?? .infinity)
        // A key may go down at any time.
        keys = Self.highest(courses.filter(\.isPlayed), until: end ?? .infinity).sum
        let beyond = fade?.highest ?? 1
        keys *= beyond
        peak = peak * beyond + keys
    }

    /// With more than that in it.
    func raised(by level: Double) -> LevelSum {
        var sum = self
        sum.peak += level
        return sum
    }

    private static func highest(_ courses: [LevelCourse], until end: Double) -> (sum: Double, position: Double) {
        let positions = Set([0] + courses.flatMap(\.corners)).filter { $0 >= 0 && $0 <= end }.sorted()
        return positions.reduce(into: (0, 0)) { best, position in
            let sum = courses.reduce(0) { $0 + $1.level(at: position) }
            // What differs by rounding alone is the same level.
            if sum > best.sum * (1 + 1e-9) { best = (sum, position) }
        }
    }
}

extension Patch.Fade {
    /// The highest gain of the fades: 1, unless an easing goes beyond it.
    fileprivate var highest: Double {
        (0...64).reduce(1) { max($0, easeIn.value(at: Double($1) / 64), 1 - easeOut.value(at: Double($1) / 64)) }
    }
}
