/// The moves of one parameter over time, from chapters, cues and live edits.
///
/// It alone defines which value holds when; the plan compiler and every front end use it.
package struct Automation: Equatable, Sendable {
    /// The value at the start, in the parameter's unit.
    package var base: Double
    /// Moves in order of start.
    package var moves: [Move]
    /// Whether easings move the amplitude of a level in dB instead of the level.
    package var movesAmplitude = false
    /// Whether easings move the ratio of a frequency instead of the frequency.
    package var movesRatio = false

    package init(base: Double, moves: [Move] = [], movesAmplitude: Bool = false, movesRatio: Bool = false) {
        self.base = base
        self.moves = moves
        self.movesAmplitude = movesAmplitude
        self.movesRatio = movesRatio
    }

    package struct Move: Equatable, Sendable {
        /// Seconds from the start of the patch.
        package var start: Double
        /// Duration in seconds, above 0.
        package var over: Double
        /// The easing; `nil` is a smooth move that continues the current value, slope and curvature.
        package var ease: Easing?
        package var target: Double
    }

    /// The momentary value at a position in seconds. A move that is cut off passes the value reached to the next one.
    package func value(at position: Double) -> Double {
        let count = countOfMoves(begunAt: position)
        // From the last value that was reached, only the moves since then matter.
        var first = max(count - 1, 0)
        while first > 0, moves[first - 1].start + moves[first - 1].over > moves[first].start { first -= 1 }
        let source = first > 0 ? moves[first - 1].target : base
        var value = moving(source)
        // A value that has stopped moving is returned as it was set, without rounding.
        var rest: Double? = source
        for index in first..<count {
            let move = moves[index]
            let end = index + 1 < count ? moves[index + 1].start : position
            value = self.value(from: value, move, at: end)
            rest = end >= move.start + move.over ? move.target : nil
        }
        return rest ?? (movesAmplitude ? Amplitude.decibels(value) : value)
    }

    private func countOfMoves(begunAt position: Double) -> Int {
        var (low, high) = (0, moves.count)
        while low < high {
            let middle = (low + high) / 2
            if moves[middle].start <= position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The number that moves interpolate: the value itself, or the amplitude of a level in dB.
    package func moving(_ value: Double) -> Double { movesAmplitude ? Amplitude.ratio(value) : value }

    /// The interpolated value of a move from `source` at a position in seconds; both are as in ``moving(_:)``.
    package func value(from source: Double, _ move: Move, at position: Double) -> Double {
        let progress = min(max((position - move.start) / move.over, 0), 1)
        if movesRatio, let ease = move.ease { return Glissando(from: source, to: move.target).value(at: ease.value(at: progress)) }
        return source + (moving(move.target) - source) * (move.ease.map { $0.value(at: progress) } ?? PortableMath.smootherstep(progress))
    }
}

extension Patch {
    /// How a parameter of a layer moves; `nil` when the layer's kind has no such parameter. For many parameters see ``AutomationIndex``.
    ///
    /// A live edit holds its value through the whole segment in which it was made: it replaces the base value, or what the
    /// chapter that opens the segment sets.
    ///
    /// - Parameter rate: The rate of the timeline. Moves of default length take as long as at rate 1, so `rate` times as many of its seconds.
    package func automation(of parameter: Parameter, layer: Int, edits: [LiveEdit], rate: Double = 1) -> Automation? {
        AutomationIndex(of: self, only: parameter, layer: layer).automation(of: parameter, layer: layer, edits: edits, rate: rate)
    }

    /// The momentary value of a parameter at a position in seconds, on a timeline of the given rate.
    package func value(of parameter: Parameter, layer: Int, at position: Double, edits: [LiveEdit], rate: Double = 1) -> Double? {
        automation(of: parameter, layer: layer, edits: edits, rate: rate)?.value(at: position)
    }

    /// How many chapters and cues that name the edit's parameter begin at or before its position.
    package func segment(of edit: LiveEdit) -> Int {
        AutomationIndex(of: self, only: edit.setting.parameter, layer: edit.setting.layer).segment(of: edit)
    }
}
