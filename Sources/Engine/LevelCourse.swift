import Patches

/// How loud one layer can get over time: its gain, times the highest sample that its sound has at a gain of 0 dB.
struct LevelCourse: Equatable, Sendable {
    /// A change by hand takes the place of one of its values.
    private var automation: Automation
    private let crest: Double
    /// Of a layer of keys.
    let isPlayed: Bool
    private var base = 0.0
    /// Of each move: what it sets out from, and the level that it comes to.
    private var sources: [Double] = []
    private var rests: [Double] = []

    /// - Parameter crest: See ``Patches/Layer/crest``.
    init(_ automation: Automation, crest: Double, isPlayed: Bool) {
        self.automation = automation
        self.crest = crest
        self.isPlayed = isPlayed
        prepare()
    }

    /// One for each layer.
    ///
    /// - Parameters:
    ///   - held: Values that nothing of the patch moves.
    ///   - crests: of the layers.
    static func all(of patch: Patch, edits: [LiveEdit], held: [Setting] = [], crests: [Double]) -> [LevelCourse] {
        patch.layers.enumerated().map { index, layer in
            let automation = patch.automation(of: .gain, layer: index, edits: edits, held: held)
            return LevelCourse(automation ?? Automation(base: Parameter.off), crest: crests[index], isPlayed: layer.kind == .keys)
        }
    }

    private mutating func prepare() {
        var value = moving(automation.base)
        base = level(value)
        sources.removeAll(keepingCapacity: true)
        rests.removeAll(keepingCapacity: true)
        for (index, move) in automation.moves.enumerated() {
            sources.append(value)
            let next = index + 1 < automation.moves.count ? automation.moves[index + 1].start : .infinity
            value = self.value(of: move, from: value, at: next)
            rests.append(level(moving(move.target)))
        }
    }

    /// What moves: dB, or the amplitude.
    private func moving(_ gain: Double) -> Double { automation.movesAmplitude ? Amplitude.ratio(gain) : gain }

    private func value(of move: Automation.Move, from source: Double, at seconds: Double) -> Double {
        let progress = move.over > 0 ? min(max((seconds - move.start) / move.over, 0), 1) : 1
        return source + (moving(move.target) - source) * (move.ease.map { $0.value(at: progress) } ?? smootherstep(progress))
    }

    /// As the samples have it: easings lead no gain beyond 6 dB.
    private func level(_ moving: Double) -> Double {
        crest * abs(automation.movesAmplitude ? ValueLaw.amplitude(moving) : ValueLaw.decibels(moving))
    }

    /// The highest sample at a position in seconds; 1 is full scale.
    func level(at seconds: Double) -> Double {
        guard let index = index(at: seconds) else { return base }
        let move = automation.moves[index]
        return seconds >= move.start + move.over ? rests[index] : level(value(of: move, from: sources[index], at: seconds))
    }

    /// The last move that begins at or before a position.
    private func index(at seconds: Double) -> Int? {
        var (low, high) = (0, automation.moves.count)
        while low < high {
            let middle = (low + high) / 2
            if automation.moves[middle].start <= seconds { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }

    /// Where a sum of levels may be highest, in seconds: the ends of moves, and for those that are neither straight in amplitude nor in dB, by
    /// which a sum sags between its ends, places on their way.
    var corners: [Double] {
        automation.moves.flatMap { move -> [Double] in
            let parts =
                switch move.ease {
                case .linear: 1
                case .elasticIn, .elasticOut, .elasticInOut, .bounceIn, .bounceOut, .bounceInOut: 64
                default: 16
                }
            return (0...parts).map { move.start + move.over * Double($0) / Double(parts) }
        }
    }

    /// Takes a value that was set by hand at a position: up to the next move, as ``Patches/Patch/automation(of:layer:edits:)`` has it.
    mutating func set(_ gain: Double, at seconds: Double) {
        if let index = index(at: seconds) {
            automation.moves[index].target = gain
            automation.moves[index].over = ParameterDescription.gain.defaultRamp
            automation.moves[index].ease = nil
        } else {
            automation.base = gain
        }
        prepare()
    }

    /// Takes another course.
    mutating func follow(_ automation: Automation) {
        self.automation = automation
        prepare()
    }
}
