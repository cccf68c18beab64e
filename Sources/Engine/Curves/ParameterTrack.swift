import Patches
import Synthesis

/// The compiled course of one parameter of one layer: immutable, shared by all plans that have it.
final class ParameterTrack: Sendable {
    let form: Form
    let timeline: Timeline
    /// The moves of chapters and of live edits, in order; a live edit keeps the moves that begin after it.
    let moves: [Move]
    let phases: PieceMemory<PhasePiece>?
    /// One list for each law of the form.
    let values: [PieceMemory<ValuePiece>]

    /// How a course is cut into pieces.
    struct Form: Equatable, Sendable {
        var phase: Phase?
        var laws: [ValueLaw] = []
        /// Whether the value is a level in dB that moves as an amplitude.
        var isAmplitude = false
        /// Whether the value is a frequency whose ratio is eased.
        var movesRatio = false
        /// See ``Timeline/bounds``.
        var bounds = -Double.infinity...Double.infinity

        enum Phase: Equatable, Sendable {
            /// The value is a frequency in Hz; it is multiplied by `factor`. See ``PhaseCutter/init(frequency:following:sampleRate:)``.
            case frequency(factor: Double, following: Double? = nil, sampleRate: Double)
            case degrees
        }

        /// Converts a value from the parameter's unit to what moves: itself, or an amplitude.
        func moving(_ value: Double) -> Double { isAmplitude ? Amplitude.ratio(value) : value }

        /// Converts what moves back to the parameter's unit.
        func value(_ moving: Double) -> Double { isAmplitude ? Amplitude.decibels(moving) : moving }
    }

    /// - Parameters:
    ///   - value: Value at the start; like the targets of the moves, it is one of ``Form/moving(_:)``.
    ///   - similar: A course of which as much as possible is taken over. It saves time and changes no bit.
    init(form: Form, value: Double, moves: [Move], leadFrames: Int64, reusing similar: ParameterTrack? = nil) {
        var timeline = Timeline(value: value, leadFrames: leadFrames, bounds: form.bounds, movesRatio: form.movesRatio)
        for move in moves { timeline.append(move) }
        self.form = form
        self.timeline = timeline
        self.moves = moves
        guard let similar, similar.form == form else {
            let change = TimelineChange(from: 0, until: .max, forgotten: 0)
            phases = form.phase.map { PieceMemory($0.pieces(of: timeline, old: .init(start: nil, count: 0), change)) }
            values = form.laws.map { PieceMemory($0.pieces(of: timeline, old: .init(start: nil, count: 0), change)) }
            return
        }
        var change = timeline.change(from: similar.timeline)
        if !similar.isWhole { change.from = 0 }
        (phases, values) = similar.pieces(changedTo: timeline, change)
    }

    /// Whether none of its pieces has been forgotten.
    private var isWhole: Bool {
        (phases?.elements.first?.start ?? 0) == 0 && values.allSatisfy { ($0.elements.first?.start ?? 0) == 0 }
    }

    /// The same course up to `move`, then the move, then those after it. Parts that end before `forgotten` are dropped.
    convenience init(_ track: ParameterTrack, changedBy move: Move, forgettingBefore forgotten: Int64) {
        var timeline = track.timeline
        timeline.append(move)
        let later = track.moves.filter { $0.start > move.start }
        for move in later { timeline.append(move) }
        let moves = track.moves.filter { $0.start <= move.start && $0.start >= forgotten } + [move] + later
        self.init(track, timeline, moves, changedFrom: move.start, forgettingBefore: forgotten)
    }

    /// The same course up to `move`, then only the move. Parts that end before `forgotten` are dropped.
    convenience init(_ track: ParameterTrack, endingWith move: Move, forgettingBefore forgotten: Int64) {
        var timeline = track.timeline
        timeline.append(move)
        let moves = track.moves.filter { $0.start <= move.start && $0.start >= forgotten } + [move]
        self.init(track, timeline, moves, changedFrom: move.start, forgettingBefore: forgotten)
    }

    /// The same course up to a frame, then a transition of `frames` frames to another one.
    convenience init(
        _ track: ParameterTrack, joining other: ParameterTrack, at frame: Int64, over frames: Int64, forgettingBefore forgotten: Int64
    ) {
        var timeline = track.timeline
        timeline.join(other.timeline, at: frame, over: frames)
        let moves = track.moves.filter { $0.start < frame && $0.start >= forgotten } + other.moves.filter { $0.start >= frame }
        self.init(track, timeline, moves, changedFrom: frame, forgettingBefore: forgotten)
    }

    private init(
        _ track: ParameterTrack, _ timeline: Timeline, _ moves: [Move], changedFrom frame: Int64, forgettingBefore forgotten: Int64
    ) {
        form = track.form
        self.moves = moves
        var timeline = timeline
        timeline.forget(before: min(forgotten, frame))
        self.timeline = timeline
        let change = TimelineChange(from: frame, until: timeline.sharedEnd(with: track.timeline), forgotten: forgotten)
        (phases, values) = track.pieces(changedTo: timeline, change)
    }

    /// The pieces of another course of the same form, cut again where it differs. Those of a long patch take megabytes: they are copied once.
    private func pieces(
        changedTo timeline: Timeline, _ change: TimelineChange
    ) -> (phases: PieceMemory<PhasePiece>?, values: [PieceMemory<ValuePiece>]) {
        withExtendedLifetime(self) {
            let phases = form.phase.map { PieceMemory($0.pieces(of: timeline, old: self.phases!.elements, change)) }
            let values = zip(form.laws, values).map { law, old in PieceMemory(law.pieces(of: timeline, old: old.elements, change)) }
            return (phases, values)
        }
    }

    var phaseTrack: PhaseTrack { PhaseTrack(pieces: phases!.base, count: phases!.count) }

    func valueTrack(_ index: Int = 0) -> ValueTrack { ValueTrack(pieces: values[index].base, count: values[index].count) }
}

/// The part of a course that differs from an old one. Only that part has to be cut into pieces again.
struct TimelineChange {
    var from: Int64
    /// Movements that begin at this frame or later are unchanged; `Int64.max` if none are.
    var until: Int64
    /// Pieces that end before this frame are no longer needed.
    var forgotten: Int64

    /// The pieces to keep before the change, with room for those after it.
    func before<Piece>(_ pieces: UnsafeBufferPointer<Piece>, start: (Piece) -> Int64) -> [Piece] {
        var kept: [Piece] = []
        kept.reserveCapacity(pieces.count)
        for piece in pieces {
            if start(piece) >= from { break }
            if start(piece) <= forgotten { kept.removeAll(keepingCapacity: true) }
            kept.append(piece)
        }
        return kept
    }
}

extension ParameterTrack.Form.Phase {
    fileprivate func pieces(of timeline: Timeline, old: UnsafeBufferPointer<PhasePiece>, _ change: TimelineChange) -> [PhasePiece] {
        let cutter =
            switch self {
            case .frequency(let factor, let leadingFactor, let sampleRate):
                PhaseCutter(frequency: factor, following: leadingFactor, sampleRate: sampleRate)
            case .degrees: PhaseCutter(degrees: ())
            }
        var result = change.before(old, start: \.start)
        timeline.forEachMovement(in: change) { cutter.pieces(of: $0, until: $1, into: &result) }
        let rest = old.drop { $0.start < change.until }
        guard let first = rest.first else { return result }
        result.reserveCapacity(result.count + rest.count)
        var shift: UInt64 = 0
        if case .frequency = self, let last = result.last {
            // The same frequencies from another phase.
            shift = last.differences.advanced(by: first.start - last.start).phase &- first.differences.phase
        }
        for var piece in rest {
            piece.differences.phase &+= shift
            result.append(piece)
        }
        return result
    }
}

extension ValueLaw {
    fileprivate func pieces(of timeline: Timeline, old: UnsafeBufferPointer<ValuePiece>, _ change: TimelineChange) -> [ValuePiece] {
        var result = change.before(old, start: \.start)
        timeline.forEachMovement(in: change) { ValueCutter(law: self).pieces(of: $0, until: $1, into: &result) }
        result += old.drop { $0.start < change.until }
        return result
    }
}

extension Timeline {
    /// The movements that begin in the change, each with the frame at which the next one takes over.
    fileprivate func forEachMovement(in change: TimelineChange, _ body: (Movement, Int64) -> Void) {
        for (index, movement) in movements.enumerated() where movement.start >= change.from && movement.start < change.until {
            body(movement, index + 1 < movements.count ? movements[index + 1].start : .max)
        }
    }

    /// The part that differs from another course, of which nothing is forgotten.
    func change(from other: Timeline) -> TimelineChange {
        let (old, new) = (other.movements, movements)
        let same = zip(old, new).prefix { $0 == $1 }.count
        // The pieces of a movement end where the next one begins.
        let from = same > 0 ? new[same - 1].start : 0
        let until = zip(new[same...].reversed(), old[same...].reversed()).prefix { $0 == $1 }.last?.0.start ?? .max
        return TimelineChange(from: from, until: until > from ? until : .max, forgotten: 0)
    }

    /// The frame from which on both have the same movements; `Int64.max` when they never do.
    fileprivate func sharedEnd(with other: Timeline) -> Int64 {
        zip(movements.reversed(), other.movements.reversed()).prefix { $0 == $1 }.last?.0.start ?? .max
    }
}
