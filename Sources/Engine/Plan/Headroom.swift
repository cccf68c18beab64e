import Patches
import Synthesis

/// Keeps the layers of a plan under a ceiling with one gain for all of them, derived from how loud they can be together. A live edit leads
/// to another gain.
struct Headroom: Sendable {
    private var courses: [LevelCourse]
    private let length: Double?
    private let fade: Patch.Fade?
    /// The sum after every live edit.
    private(set) var sum: LevelSum
    /// The sum before all live edits, and the changes in their order, for a ceiling that is not known yet.
    private let first: LevelSum
    private var changes: [Change] = []
    /// Layers whose gains are moving because of a live edit.
    private var underWay: [LevelMove] = []
    /// The ceiling, linear; `nil` while it is not known.
    private var ceiling: Double?
    private let gainLaw: Patch.GainLaw
    private let sampleRate: Double
    /// The gain over plan frames.
    private(set) var gain: ParameterTrack
    /// How many keys struck at full velocity there is room for, over plan frames.
    private(set) var chordRoom: ParameterTrack

    /// A change from one sum to another.
    private struct Change {
        var sum: LevelSum
        /// The move of the gain; its target is filled in later.
        var move: Move
        /// While other layers are moving: the sum of each one's highest level meanwhile, in how many frames there has to be room for that,
        /// and the frame at which all have arrived.
        var detour: (sum: LevelSum, frames: Int64, end: Int64)?
    }

    /// A layer whose level is moving to another one.
    private struct LevelMove {
        var layer: Int
        /// The plan frame at which it arrives.
        var end: Int64
        var from: Double
        var to: Double
    }

    /// The most notes of keys layers that sound at a time.
    static var noteCount: Int {
        @_noLocks @_noAllocation get { 64 }
    }

    /// - Parameter crests: See ``Patches/Layer/crest``; one for each layer.
    init(of patch: Patch, edits: [LiveEdit], held: [Setting], crests: [Double], sampleRate: Double) {
        courses = LevelCourse.all(of: patch, edits: edits, held: held, crests: crests)
        length = patch.duration
        fade = patch.fade
        sum = LevelSum(courses, until: length, fade: fade)
        first = sum
        gainLaw = patch.gainLaw
        self.sampleRate = sampleRate
        let lead = Frames.count(of: Frames.shortFade, sampleRate: sampleRate)
        gain = ParameterTrack(
            form: .init(laws: [gainLaw == .decibels ? .decibels : .reciprocal]), value: first.moving(gainLaw, under: .infinity), moves: [],
            leadFrames: lead)
        chordRoom = ParameterTrack(
            form: .init(laws: [.identity]), value: Double(2 * Headroom.noteCount), moves: [], leadFrames: lead)
    }

    func isUnder(_ ceiling: Double) -> Bool { self.ceiling == ceiling }

    /// The same headroom under another ceiling (linear).
    func under(_ ceiling: Double) -> Headroom {
        guard self.ceiling != ceiling else { return self }
        var headroom = self
        headroom.ceiling = ceiling
        let lead = gain.timeline.leadFrames
        headroom.gain = ParameterTrack(form: gain.form, value: first.moving(gainLaw, under: ceiling), moves: [], leadFrames: lead)
        headroom.chordRoom = ParameterTrack(form: chordRoom.form, value: first.chordRoom(under: ceiling), moves: [], leadFrames: lead)
        headroom.changes = []
        for change in changes { headroom.carryOut(change, forgettingBefore: 0) }
        return headroom
    }

    /// The highest level of all layers together under the ceiling; it may exceed full scale while no ceiling is known.
    var level: Double {
        guard let ceiling else { return sum.peak }
        return sum.keys > 0 ? ceiling : min(sum.peak, ceiling)
    }

    /// Applies a live edit, as in ``PlanDraft/apply(_:at:ramp:easing:forgettingBefore:)``: the gain moves with those of layers.
    mutating func apply(_ settings: [Setting], at frame: Int64, ramp: Double?, easing: Easing?, forgettingBefore forgotten: Int64) {
        let gains = settings.filter { $0.parameter == .gain && courses.indices.contains($0.layer) }
        guard !gains.isEmpty else { return }
        let description = ParameterDescription.gain
        let frames = Frames.count(of: ramp ?? description.defaultRamp, sampleRate: sampleRate)
        let (move, position) = (Move(start: frame, frames: frames, easing: easing, target: 0), Double(frame) / sampleRate)
        change(gains.map(\.layer), by: move, forgettingBefore: forgotten) { courses in
            for gain in gains { courses[gain.layer].set(description.clamped(gain.value), at: position) }
        }
    }

    /// Follows the new course of a parameter, if it is a gain.
    mutating func follow(_ course: ParameterCourse, at frame: Int64, over frames: Int64, forgettingBefore forgotten: Int64) {
        guard course.description.parameter == .gain, courses.indices.contains(course.layer), let automation = course.automation else {
            return
        }
        let move = Move(start: frame, frames: frames, easing: nil, target: 0)
        change([course.layer], by: move, forgettingBefore: forgotten) { $0[course.layer].follow(automation) }
    }

    private mutating func change(
        _ layers: [Int], by move: Move, forgettingBefore forgotten: Int64, _ body: (inout [LevelCourse]) -> Void
    ) {
        underWay.removeAll { $0.end <= move.start }
        let (own, others) = (underWay.filter { layers.contains($0.layer) }, underWay.filter { !layers.contains($0.layer) })
        let (now, end) = (Double(move.start) / sampleRate, move.start + max(move.frames, gain.timeline.leadFrames))
        let before = Set(layers).map { layer in
            (layer, own.filter { $0.layer == layer }.reduce(courses[layer].level(at: now)) { max($0, $1.from) })
        }
        body(&courses)
        sum = LevelSum(courses, until: length, fade: fade)
        let moves = before.map { layer, level in
            LevelMove(layer: layer, end: end, from: level, to: courses[layer].level(at: Double(end) / sampleRate))
        }
        underWay = others + moves
        var change = Change(sum: sum, move: move)
        if !others.isEmpty {
            let soonest = others.filter { $0.to > $0.from }.map { $0.end - move.start }.min() ?? move.frames
            let higher = underWay.reduce(0) { $0 + max($1.from - $1.to, 0) }
            change.detour = (sum.raised(by: higher), min(soonest, move.frames), underWay.map(\.end).max() ?? end)
        }
        carryOut(change, forgettingBefore: forgotten)
    }

    private mutating func carryOut(_ change: Change, forgettingBefore forgotten: Int64) {
        guard let ceiling else { return changes.append(change) }
        gain = Self.moved(gain, by: change, forgettingBefore: forgotten) { $0.moving(gainLaw, under: ceiling) }
        chordRoom = Self.moved(chordRoom, by: change, forgettingBefore: forgotten) { $0.chordRoom(under: ceiling) }
    }

    /// Moves the track with the gains that are changed. While other layers are moving, it first makes room for the highest level of all of
    /// them, by the time the first rising one arrives, and moves to its target when all have arrived.
    private static func moved(
        _ track: ParameterTrack, by change: Change, forgettingBefore forgotten: Int64, to target: (LevelSum) -> Double
    ) -> ParameterTrack {
        var move = change.move
        move.target = target(change.sum)
        guard let detour = change.detour else {
            guard move.target != track.timeline.end else { return track }
            return ParameterTrack(track, changedBy: move, forgettingBefore: forgotten)
        }
        let least = target(detour.sum)
        guard move.target != track.timeline.end || least != move.target else { return track }
        let last = Move(start: detour.end, frames: change.move.frames, easing: nil, target: move.target)
        let course = ParameterTrack(
            form: track.form, value: least, moves: least == move.target ? [] : [last], leadFrames: track.timeline.leadFrames)
        return ParameterTrack(track, joining: course, at: move.start, over: detour.frames, forgettingBefore: forgotten)
    }
}

extension LevelSum {
    /// The sum divided by the ceiling (linear), or 1 if it does not exceed it, apart from rounding.
    fileprivate func excess(over ceiling: Double) -> Double {
        let highest = ceiling * 1.000_001
        return peak <= highest ? 1 : peak / highest
    }

    /// The moving value of the gain that keeps the sum under a ceiling: the gain in dB, or the divisor of the sum.
    ///
    /// While gains of layers move, the sum stays below a curve of the same shape between the old and the new sum: exponential where they
    /// move in dB, since a sum of exponentials is at most the exponential between its ends, and linear where they move linearly. So a
    /// headroom that moves with them, and like them, keeps the ceiling meanwhile too, and does not kink where the sum passes the ceiling.
    fileprivate func moving(_ gainLaw: Patch.GainLaw, under ceiling: Double) -> Double {
        let excess = excess(over: ceiling)
        return gainLaw == .decibels ? max(-Amplitude.decibels(excess), -99) : excess
    }

    /// How many keys there is room for: the one that is in the sum, and more if level is left.
    fileprivate func chordRoom(under ceiling: Double) -> Double {
        guard keys > 0 else { return 1 }
        return 1 + max(ceiling - peak, 0) / keys
    }
}

extension PlanDraft {
    /// How loud its layers can be together, with all live edits.
    package var levelSum: LevelSum { headroom.sum }
}

extension Plan {
    /// The same plan, made softer as far as a ceiling (linear) requires.
    func under(_ ceiling: Double) -> Plan {
        guard !headroom.isUnder(ceiling) else { return self }
        return Plan(
            layers: layers, envelope: envelope, headroom: headroom.under(ceiling), sampleRate: sampleRate, lengthInFrames: lengthInFrames)
    }
}

extension LevelSum {
    /// The reduction in dB with which a plan is played under a ceiling in dBFS; 0 if there is room for it.
    package func reduction(ceiling: Double) -> Double { Amplitude.decibels(excess(over: ValueLaw.decibels(min(ceiling, 0)))) }
}
