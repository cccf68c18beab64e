import Patches

/// How loud one layer can get over time: its gain times the highest sample of its sound at 0 dB.
///
/// Moves are given by their index; -1 is the time before the first one.
struct LevelCourse: Equatable, Sendable {
    /// The course of the gain; a live edit replaces one of its values.
    private var automation: Automation
    private let crest: Double
    /// Whether the layer is a keys layer, played by MIDI.
    let isPlayed: Bool
    private var base = 0.0
    private var stretches: [Stretch] = []

    /// A move and the levels at its ends.
    private struct Stretch: Equatable {
        /// The value at the start, from `Automation.moving(_:)`.
        var source: Double
        var sourceLevel: Double
        var targetLevel: Double
        /// Position in seconds at which it arrives or the next one begins.
        var end: Double
    }

    /// - Parameter crest: See ``Patches/Layer/crest``.
    init(_ automation: Automation, crest: Double, isPlayed: Bool) {
        self.automation = automation
        self.crest = crest
        self.isPlayed = isPlayed
        prepare()
    }

    /// The courses of all layers.
    ///
    /// - Parameters:
    ///   - held: Values of held parameters, which nothing in the patch moves.
    ///   - crests: One for each layer.
    static func all(of patch: Patch, edits: [LiveEdit], held: [Setting] = [], crests: [Double]) -> [LevelCourse] {
        let automations = AutomationIndex(of: patch)
        return patch.layers.enumerated().map { index, layer in
            let automation = automations.automation(of: .gain, layer: index, edits: edits, held: held)
            return LevelCourse(automation ?? Automation(base: Parameter.off), crest: crests[index], isPlayed: layer.kind == .keys)
        }
    }

    private mutating func prepare() {
        var source = automation.moving(automation.base)
        base = level(source)
        stretches.removeAll(keepingCapacity: true)
        for (index, move) in automation.moves.enumerated() {
            let next = index + 1 < automation.moves.count ? automation.moves[index + 1].start : .infinity
            let (target, sourceLevel) = (automation.moving(move.target), stretches.last?.targetLevel ?? base)
            let isCutOff = next < move.start + move.over
            let end = isCutOff ? automation.value(from: source, move, at: next) : target
            stretches.append(
                Stretch(
                    source: source, sourceLevel: sourceLevel, targetLevel: level(end), end: min(next, move.start + move.over)))
            source = end
        }
    }

    /// The level as it is rendered: easings take no gain beyond 6 dB.
    private func level(_ moving: Double) -> Double {
        crest * abs(automation.movesAmplitude ? ValueLaw.amplitude(moving) : ValueLaw.decibels(moving))
    }

    /// The highest sample at a position in seconds; 1 is full scale.
    func level(at seconds: Double) -> Double { level(at: seconds, in: index(at: seconds)) }

    /// The highest sample at a position in seconds, within a known move.
    func level(at seconds: Double, in index: Int) -> Double {
        guard index >= 0 else { return base }
        if seconds >= stretches[index].end { return stretches[index].targetLevel }
        let move = automation.moves[index]
        if seconds <= move.start { return stretches[index].sourceLevel }
        return level(automation.value(from: stretches[index].source, move, at: seconds))
    }

    /// The highest level within a move, from one position up to another.
    func highest(from start: Double, to end: Double, in index: Int) -> Double {
        turningPoints(from: start, to: end, in: index).reduce(max(level(at: start, in: index), level(at: end, in: index))) {
            max($0, level(at: $1, in: index))
        }
    }

    /// Positions between two others at which a move changes direction.
    func turningPoints(from start: Double, to end: Double, in index: Int) -> [Double] {
        let move = automation.moves[index]
        guard let ease = move.ease else { return [] }
        return TurningPoints.of(ease).map { move.start + $0 * move.over }.filter { $0 > start && $0 < end }
    }

    func isMoving(at seconds: Double, in index: Int) -> Bool { index >= 0 && seconds < stretches[index].end }

    /// Whether the level is convex within a move, as it is where it moves linearly in dB or in amplitude.
    func isConvex(in index: Int) -> Bool { automation.moves[index].ease == .linear }

    /// The position at which the current move ends or the next one starts; infinite if there is neither.
    func nextCorner(after seconds: Double, in index: Int) -> Double {
        if isMoving(at: seconds, in: index) { return stretches[index].end }
        return index + 1 < stretches.count ? automation.moves[index + 1].start : .infinity
    }

    /// Index of the last move that begins at or before a position, searched from one that does.
    func index(at seconds: Double, from known: Int) -> Int {
        var index = known
        while index + 1 < automation.moves.count, automation.moves[index + 1].start <= seconds { index += 1 }
        return index
    }

    private func index(at seconds: Double) -> Int {
        var (low, high) = (0, automation.moves.count)
        while low < high {
            let middle = (low + high) / 2
            if automation.moves[middle].start <= seconds { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }

    /// Applies a live edit of the gain, up to the next move, as ``Patches/Patch/automation(of:layer:edits:rate:)`` does.
    mutating func set(_ gain: Double, at seconds: Double) {
        let index = index(at: seconds)
        if index >= 0 {
            automation.moves[index].target = gain
            automation.moves[index].over = ParameterDescription.gain.defaultRamp
            automation.moves[index].ease = nil
        } else {
            automation.base = gain
        }
        prepare()
    }

    /// Replaces the course.
    mutating func follow(_ automation: Automation) {
        self.automation = automation
        prepare()
    }
}
