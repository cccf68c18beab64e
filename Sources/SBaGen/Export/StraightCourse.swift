import Patches

/// The course of one parameter in straight lines that begin and end at whole seconds, as a sequence can express it.
struct StraightCourse {
    /// Times in seconds at which it bends or steps.
    private(set) var corners: [Double] = []
    private(set) var isStraight = true
    private(set) var isOnSeconds = true
    private let base: Double
    private var moves: [Move] = []
    private let movesAmplitude: Bool

    private struct Move {
        var start: Double
        /// Seconds that it takes; 0 is a step.
        var over: Double
        var ease: Easing
        /// The value at its start, as left by the move before.
        var from: Double
        var target: Double
        /// Whether it moves the ratio of a frequency.
        var movesRatio: Bool

        func value(at time: Double) -> Double {
            if over == 0 { return target }
            let progress = ease.value(at: (time - start) / over)
            return movesRatio ? Glissando(from: from, to: target).value(at: progress) : from + (target - from) * progress
        }
    }

    /// Seconds; shorter moves become steps.
    private static let shortest = 0.5
    /// The most lines that a curve is cut into.
    private static let cuts = 16.0

    /// - Parameter movesAmplitude: Whether the values are levels in dB, which the course has as amplitudes.
    init(_ automation: Automation, movesAmplitude: Bool) {
        self.movesAmplitude = movesAmplitude
        isAmplitude = automation.movesAmplitude
        base = isAmplitude ? Amplitude.ratio(automation.base) : automation.base
        for move in automation.moves {
            let isStep = move.over < Self.shortest
            // A step that ends at a time is one at that time.
            // Moves that are close together keep their order when they are rounded.
            let start = max((isStep ? move.start + move.over : move.start).rounded(), moves.last?.start ?? 0)
            let over = isStep ? 0 : max(1, (move.start + move.over).rounded() - start)
            let isStepBefore = isStep && abs(move.start + move.over - start) < 1e-6
            if !isStepBefore, isStep ? move.start != start : (start != move.start || over != move.over) { isOnSeconds = false }
            let isEven = !automation.movesRatio && (!movesAmplitude || automation.movesAmplitude)
            let isLine = isStep || (move.ease ?? .sineInOut) == .linear && isEven
            if !isLine { isStraight = false }
            let from = moves.last?.value(at: start) ?? base
            moves.append(
                Move(
                    start: start, over: over, ease: move.ease ?? .sineInOut, from: from,
                    target: isAmplitude ? Amplitude.ratio(move.target) : move.target, movesRatio: automation.movesRatio))
            let parts = isLine ? 1 : min(Self.cuts, over)
            corners.append(start)
            if over > 0 { corners += (1...Int(parts)).map { (start + over * Double($0) / parts).rounded() } }
        }
    }

    private let isAmplitude: Bool

    /// The value at a whole second, before or after a step there; levels are amplitudes.
    func value(at time: Double, isAfter: Bool) -> Double {
        // The last move that has begun; moves are in order of their start.
        var (low, high) = (0, moves.count)
        while low < high {
            let middle = (low + high) / 2
            let move = moves[middle]
            if move.start < time || (move.start == time && isAfter && move.over == 0) { low = middle + 1 } else { high = middle }
        }
        let value = low > 0 ? moves[low - 1].value(at: time) : base
        return movesAmplitude && !isAmplitude ? Amplitude.ratio(value) : value
    }
}
