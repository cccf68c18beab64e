/// The moves of one parameter over time, from chapters, cues and live edits.
///
/// It alone defines which value holds when; the plan compiler and every surface use it.
package struct Automation: Equatable, Sendable {
    /// The value at the start, in the parameter's unit.
    package var base: Double
    /// Moves in order of start.
    package var moves: [Move]
    /// Whether easings move the amplitude of a level in dB instead of the level.
    package var movesAmplitude = false

    package init(base: Double, moves: [Move] = [], movesAmplitude: Bool = false) {
        self.base = base
        self.moves = moves
        self.movesAmplitude = movesAmplitude
    }

    package struct Move: Equatable, Sendable {
        /// Seconds from the start of the patch.
        package var start: Double
        /// Duration in seconds, above 0.
        package var over: Double
        /// `nil` is a smooth move that continues the current value, slope and curvature.
        package var ease: Easing?
        package var target: Double
    }

    /// The momentary value at a position in seconds. A move that is cut off passes the value reached to the next one.
    package func value(at position: Double) -> Double {
        var value = moving(base)
        // A value that has stopped moving is returned as it was set, without the rounding of conversions.
        var rest: Double? = base
        for (index, move) in moves.enumerated() where move.start <= position {
            let end = index + 1 < moves.count ? min(position, moves[index + 1].start) : position
            value = self.value(from: value, move, at: end)
            rest = end >= move.start + move.over ? move.target : nil
        }
        return movesAmplitude ? rest ?? Amplitude.decibels(value) : value
    }

    /// What the moves interpolate: the value, or the amplitude of a level in dB.
    package func moving(_ value: Double) -> Double { movesAmplitude ? Amplitude.ratio(value) : value }

    /// The interpolated value of a move from `source` at a position in seconds; both are as in ``moving(_:)``.
    package func value(from source: Double, _ move: Move, at position: Double) -> Double {
        let progress = min(max((position - move.start) / move.over, 0), 1)
        return source + (moving(move.target) - source) * (move.ease.map { $0.value(at: progress) } ?? PortableMath.smootherstep(progress))
    }
}

extension Patch {
    /// How a parameter of a layer moves; `nil` when the layer's kind has no such parameter.
    ///
    /// A live edit holds its value through the whole segment in which it was made: it replaces the base value, or what the
    /// chapter that opens the segment sets.
    ///
    /// - Parameter rate: The rate of the timeline. Moves of default length take as long as at rate 1, so `rate` times as many of its seconds.
    package func automation(of parameter: Parameter, layer: Int, edits: [LiveEdit], rate: Double = 1) -> Automation? {
        guard layers.indices.contains(layer), let description = layers[layer].kind.description(of: parameter),
            let base = layers[layer].value(of: parameter)
        else { return nil }
        var values: [Int: Double] = [:]
        for edit in edits where edit.setting.layer == layer && edit.setting.parameter == parameter {
            values[segment(of: edit)] = edit.setting.value
        }
        let defaultRamp = description.defaultRamp * rate
        let moves = naming(parameter, layer: layer).enumerated().map { index, named in
            if let value = values[index + 1] {
                return Automation.Move(start: named.chapter.start, over: defaultRamp, ease: nil, target: value)
            }
            return Automation.Move(
                start: named.chapter.start, over: named.chapter.over ?? defaultRamp,
                ease: named.chapter.over == nil ? nil : named.chapter.ease, target: named.value)
        }
        return Automation(
            base: values[0] ?? base, moves: moves, movesAmplitude: parameter == .gain && gainLaw == .amplitude)
    }

    /// The momentary value of a parameter at a position in seconds, on a timeline of the given rate.
    package func value(of parameter: Parameter, layer: Int, at position: Double, edits: [LiveEdit], rate: Double = 1) -> Double? {
        automation(of: parameter, layer: layer, edits: edits, rate: rate)?.value(at: position)
    }

    /// How many chapters and cues that name the edit's parameter begin at or before its position.
    package func segment(of edit: LiveEdit) -> Int {
        naming(edit.setting.parameter, layer: edit.setting.layer).filter { $0.chapter.start <= edit.position }.count
    }

    private func naming(_ parameter: Parameter, layer: Int) -> [(chapter: Chapter, value: Double)] {
        let chapters = settings(of: parameter, layer: layer, in: chapters)
        let cues = settings(of: parameter, layer: layer, in: cues)
        if cues.isEmpty { return chapters }
        if chapters.isEmpty { return cues }
        // If both begin together, the cue takes precedence.
        return (chapters + cues).enumerated()
            .sorted { ($0.element.chapter.start, $0.offset) < ($1.element.chapter.start, $1.offset) }.map(\.element)
    }

    private func settings(of parameter: Parameter, layer: Int, in chapters: [Chapter]) -> [(chapter: Chapter, value: Double)] {
        chapters.compactMap { chapter in
            chapter.settings.last { $0.layer == layer && $0.parameter == parameter }.map { (chapter, $0.value) }
        }
    }
}
