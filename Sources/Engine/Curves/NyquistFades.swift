import Patches
import Synthesis

/// The gains with which the oscillators of a layer fade out where their frequencies come near half the sample rate; see `nyquistFade`.
struct NyquistFades: Sendable {
    /// One list for each oscillator, in the order of ``LayerKind/oscillators``.
    let pieces: [PieceMemory<ValuePiece>]

    /// Makes the fades; `nil` if no oscillator comes near half the sample rate.
    ///
    /// - Parameters:
    ///   - old: The fades up to `frame`, from which on the tracks have changed.
    init?(_ kind: LayerKind, _ tracks: [Parameter: ParameterTrack], replacing old: NyquistFades? = nil, from frame: Int64 = 0) {
        let oscillators = kind.oscillators
        guard let carrier = tracks[.carrier], case .frequency(_, _, let sampleRate)? = carrier.form.phase, !oscillators.isEmpty else {
            return nil
        }
        let beat = tracks[.beat]?.timeline
        let highest = oscillators.joined().reduce(0) { max($0, abs($1)) } * (beat?.largest ?? 0) + carrier.timeline.largest
        guard highest.isFinite, old != nil || highest > nyquistFadeStart * sampleRate else { return nil }
        let lists = oscillators.enumerated().map { index, multiples -> [ValuePiece] in
            var pieces = old.map { Self.kept($0.pieces[index].elements, carrier.timeline, beat, before: frame) } ?? []
            if pieces.isEmpty, frame > 0 { pieces.append(ValuePiece(start: 0, constant: 1)) }
            FadeCutter(carrier: carrier.timeline, beat: beat, multiples: multiples, sampleRate: sampleRate).cut(from: frame, into: &pieces)
            return pieces
        }
        guard lists.joined().contains(where: { !$0.isConstant || $0.c0 != 1 }) else { return nil }
        pieces = lists.map { PieceMemory($0) }
    }

    /// The pieces to keep before a change, without those that end before the current courses begin.
    private static func kept(
        _ old: UnsafeBufferPointer<ValuePiece>, _ carrier: Timeline, _ beat: Timeline?, before frame: Int64
    ) -> [ValuePiece] {
        let forgotten = max(carrier.movements[0].start, beat?.movements[0].start ?? 0)
        let kept = old.filter { $0.start < frame }
        return Array(kept[(kept.lastIndex { $0.start <= forgotten } ?? 0)...])
    }

    func track(_ index: Int) -> ValueTrack { ValueTrack(pieces: pieces[index].base, count: pieces[index].count) }
}

extension LayerKind {
    /// The offset of each oscillator from the carrier, in beats; several for one with sidebands.
    var oscillators: [[Double]] { self == .phase ? [[phaseSidebands, -phaseSidebands]] : tones.map { [$0] } }
}

/// Cuts the fade of one oscillator into polynomials of fifth degree.
private struct FadeCutter {
    let carrier: Timeline
    let beat: Timeline?
    let multiples: [Double]
    let sampleRate: Double

    /// Adds the pieces from a frame on; steady stretches become one piece each.
    func cut(from frame: Int64, into result: inout [ValuePiece]) {
        let movements = carrier.movements + (beat?.movements ?? [])
        let starts = Set(movements.map(\.start).filter { $0 > frame } + [frame]).sorted()
        for (index, start) in starts.enumerated() {
            let end = index + 1 < starts.count ? starts[index + 1] : Int64.max
            let moving = movements.filter { $0.isMoving && $0.start <= start && start < $0.end && isCurrent($0, at: start) }
            guard let rest = moving.map(\.end).max().map({ min($0, end) }) else {
                append(steadyFrom: start, to: &result)
                continue
            }
            cut(start, rest, into: &result)
            if rest < end {
                append(steadyFrom: rest, to: &result)
            }
        }
    }

    private func isCurrent(_ movement: Movement, at frame: Int64) -> Bool {
        carrier.movement(at: frame) == movement || beat?.movement(at: frame) == movement
    }

    /// The frequency `multiple` beats from the carrier, in cycles per frame.
    private func frequency(_ multiple: Double, at frame: Double) -> Double {
        let at = Int64(frame)
        let difference = multiple == 0 ? 0 : multiple * (beat?.movement(at: at).value(at: frame) ?? 0)
        return (carrier.movement(at: at).value(at: frame) + difference) / sampleRate
    }

    /// Largest errors: of a polynomial for the frequency, in cycles per frame, and of a polynomial for the fade.
    private static let tolerance = 1e-7
    /// Cycles per frame that a piece of the fade may span: a fraction of the whole fade, so that no bend of it is missed.
    private static let widest = 0.0075
    private static let longestPiece: Int64 = 1 << 22

    private func cut(_ start: Int64, _ end: Int64, into result: inout [ValuePiece]) {
        // A frequency may cross the whole fade in a few frames, or change direction abruptly within it.
        if end - start == 1 { return append(steadyFrom: start, to: &result) }
        let length = Double(end - start)
        // At its end the movement has stopped, or the next one takes over.
        func frequency(_ multiple: Double, _ t: Double) -> Double {
            self.frequency(multiple, at: min(Double(start) + t * length, Double(end).nextDown))
        }
        let courses = multiples.map { multiple in Polynomial { frequency(multiple, $0) } }
        let isFollowed = zip(courses, multiples).allSatisfy { course, multiple in
            Polynomial.checks.allSatisfy { abs(course($0) - frequency(multiple, $0)) <= FadeCutter.tolerance }
        }
        if isFollowed {
            let bounds = courses.map(\.bounds)
            if bounds.allSatisfy({ max(-$0.lowerBound, $0.upperBound) <= nyquistFadeStart }) {
                return append(constant: 1, at: start, to: &result)
            }
            if bounds.contains(where: { max($0.lowerBound, -$0.upperBound) >= nyquistFadeEnd }) {
                return append(constant: 0, at: start, to: &result)
            }
            func fade(_ t: Double) -> Double { courses.reduce(1) { $0 * nyquistFade($1(t)) } }
            let polynomial = Polynomial(of: fade)
            let isNarrow = bounds.allSatisfy { $0.upperBound - $0.lowerBound <= FadeCutter.widest }
            let fits = Polynomial.checks.allSatisfy { abs(polynomial($0) - fade($0)) <= FadeCutter.tolerance }
            if isNarrow && fits && end - start <= FadeCutter.longestPiece {
                return result.append(ValuePiece(start: start, inverseLength: Float(1 / length), polynomial))
            }
        }
        let middle = start + (end - start) / 2
        cut(start, middle, into: &result)
        cut(middle, end, into: &result)
    }

    private func append(steadyFrom start: Int64, to result: inout [ValuePiece]) {
        append(constant: multiples.reduce(1) { $0 * nyquistFade(frequency($1, at: Double(start))) }, at: start, to: &result)
    }

    private func append(constant: Double, at start: Int64, to result: inout [ValuePiece]) {
        let piece = ValuePiece(start: start, constant: Float(constant))
        if let last = result.last {
            if last.isConstant, last.c0 == piece.c0 { return }
            if last.start == start { result.removeLast() }
        }
        result.append(piece)
    }
}
