/// The highest sum of the levels of several layers.
///
/// Found by branch and bound: a stretch of time is halved as long as the sum in it may exceed the highest one found so far. So the cost
/// does not grow with the moves times the layers times the points on a curve, and no overshoot between two points is missed.
struct LevelPeak {
    /// The highest sum; 1 is full scale. It is accurate to ``tolerance``, except where the search has reached ``effortLimit``: there it may
    /// be too high, but not too low.
    private(set) var sum = 0.0
    /// The position in seconds at which it is first reached.
    private(set) var position = 0.0

    /// The relative accuracy; less than the excess over the ceiling that `guardOutput` attributes to rounding.
    private static let tolerance = 3e-6
    /// How many levels of moving layers are computed for stretches before the search stops.
    private static let effortLimit = 200_000

    /// A stretch of time within one move of each layer.
    private struct Stretch {
        var start: Double
        var end: Double
        /// The layers that move in it: a range of `movers`.
        var movers: Range<Int>
        /// The sum of the levels of the other layers.
        var rest: Double
        /// An upper bound of the sum within it.
        var bound: Double
    }

    private struct Mover {
        var layer: Int
        var move: Int
    }

    private let courses: [LevelCourse]
    private var movers: [Mover] = []

    /// - Parameter end: Seconds; what comes after it is ignored.
    init(of courses: [LevelCourse], until end: Double) {
        self.courses = courses
        guard !courses.isEmpty else { return }
        refine(sweep(until: end))
    }

    /// Goes through all stretches between the moments at which a move of any layer begins or ends.
    ///
    /// - Returns: The stretches in which the sum may be higher than the highest one found.
    private mutating func sweep(until end: Double) -> [Stretch] {
        var open: [Stretch] = []
        var moves = [Int](repeating: -1, count: courses.count)
        var start = 0.0
        while true {
            var next = end
            for layer in courses.indices {
                moves[layer] = courses[layer].index(at: start, from: moves[layer])
                next = min(next, courses[layer].nextCorner(after: start, in: moves[layer]))
            }
            var stretch = Stretch(start: start, end: next, movers: movers.count..<movers.count, rest: 0, bound: 0)
            var isConvex = true
            for layer in courses.indices {
                if courses[layer].isMoving(at: start, in: moves[layer]) {
                    movers.append(Mover(layer: layer, move: moves[layer]))
                    isConvex = isConvex && courses[layer].isConvex(in: moves[layer])
                } else {
                    stretch.rest += courses[layer].level(at: start, in: moves[layer])
                }
            }
            stretch.movers = stretch.movers.lowerBound..<movers.count
            look(at: start, in: stretch)
            if next.isFinite { look(at: next, in: stretch) }
            for mover in movers[stretch.movers] {
                for point in courses[mover.layer].turningPoints(from: start, to: next, in: mover.move) { look(at: point, in: stretch) }
            }
            stretch.bound = bound(of: stretch)
            // With one moving layer, looking at its start, its end and its turning points is enough.
            if stretch.movers.count > 1, !isConvex, stretch.bound > sum * (1 + Self.tolerance) {
                open.append(stretch)
            } else {
                movers.removeLast(stretch.movers.count)
            }
            guard next < end else { return open }
            start = next
        }
    }

    private mutating func refine(_ open: [Stretch]) {
        var open = open
        var effort = 0
        while true {
            open.removeAll { !($0.bound > sum * (1 + Self.tolerance)) }
            effort += open.reduce(0) { $0 + 4 * $1.movers.count }
            guard !open.isEmpty, effort <= Self.effortLimit else { break }
            var halves: [Stretch] = []
            for stretch in open {
                let middle = stretch.start + (stretch.end - stretch.start) / 2
                look(at: middle, in: stretch)
                for (start, end) in [(stretch.start, middle), (middle, stretch.end)] {
                    var half = stretch
                    (half.start, half.end) = (start, end)
                    half.bound = bound(of: half)
                    halves.append(half)
                }
            }
            open = halves
        }
        if let highest = open.max(by: { $0.bound < $1.bound }) { (sum, position) = (highest.bound, highest.start) }
    }

    /// Updates the highest sum; sums that differ by rounding alone count as equal.
    private mutating func look(at seconds: Double, in stretch: Stretch) {
        let found = movers[stretch.movers].reduce(stretch.rest) { $0 + courses[$1.layer].level(at: seconds, in: $1.move) }
        if found > sum * (1 + 1e-9) { (sum, position) = (found, seconds) }
    }

    private func bound(of stretch: Stretch) -> Double {
        movers[stretch.movers].reduce(stretch.rest) {
            $0 + courses[$1.layer].highest(from: stretch.start, to: stretch.end, in: $1.move)
        }
    }
}
