import Patches
import Synthesis
import TestSupport
import Testing

@testable import Engine

/// The pieces that the render thread evaluates follow each of the 31 curves within the promised error.
@Suite("Easings cut into pieces")
struct CuttingTests {
    private static let lengths: [Int64] = [2400, 48_000, 1_440_000]
    private static let start: Int64 = 1000

    private func track(_ parameter: Parameter, from value: Double, to target: Double, _ easing: Easing, over frames: Int64)
        -> ParameterTrack
    {
        ParameterTrack(
            form: LayerKind.tone.description(of: parameter)!.form(sampleRate: 48_000, gainLaw: .decibels), value: value,
            moves: [Move(start: Self.start, frames: frames, easing: easing, target: target)], leadFrames: 960)
    }

    /// Frames of the move, close together where it begins and ends and where a curve has its kinks.
    private func frames(_ easing: Easing, over length: Int64) -> [Int64] {
        let places = [0.0, 1] + easing.breakpoints
        let near = places.flatMap { place in
            (-20...20).map { Self.start + Int64(place * Double(length)) + $0 }
        }
        let spread = stride(from: Self.start, to: Self.start + length, by: max(1, Int(length) / 2003)).map { $0 }
        return (near + spread).filter { $0 >= 0 }
    }

    @Test("A frequency is within 1e-4 Hz of its curve at every frame, except near a kink", arguments: Easing.allCases)
    func frequency(easing: Easing) throws {
        for length in Self.lengths {
            let track = track(.carrier, from: 100, to: 400, easing, over: length)
            let pieces = try #require(track.phases).elements
            var worst = 0.0
            for frame in frames(easing, over: length) where !isNearKink(frame, easing, length) {
                let piece = try #require(pieces.last { $0.start <= frame })
                let now = piece.differences.advanced(by: frame - piece.start).phase
                let next = piece.differences.advanced(by: frame + 1 - piece.start).phase
                // Cycles in one frame, which are the integral of the frequency over it: Simpson's rule.
                let heard = Double(Int64(bitPattern: next &- now)) * 0x1p-64 * 48_000
                func value(_ part: Double) -> Double { track.timeline.value(at: Double(frame) + part) }
                worst = max(worst, abs(heard - (value(0) + 4 * value(0.5) + value(1)) / 6))
            }
            #expect(worst < 1e-4, "\(length) frames: \(worst) Hz")
        }
    }

    @Test("A gain is within 5e-7 of its curve at every frame, except near a kink", arguments: Easing.allCases)
    func gain(easing: Easing) throws {
        for length in Self.lengths {
            let track = track(.gain, from: -40, to: -6, easing, over: length)
            let pieces = track.values[0].elements
            var worst = 0.0
            for frame in frames(easing, over: length) where !isNearKink(frame, easing, length) {
                let piece = try #require(pieces.last { $0.start <= frame })
                let exact = ValueLaw.decibels(track.timeline.value(at: Double(frame)))
                worst = max(worst, abs(Double(piece.value(at: frame)) - exact))
            }
            #expect(worst < 5e-7, "\(length) frames: \(worst)")
        }
    }

    /// About a kink a bend is followed in pieces of 8 frames, and circ is upright there.
    private func isNearKink(_ frame: Int64, _ easing: Easing, _ length: Int64) -> Bool {
        easing.breakpoints.contains { abs(Double(frame - Self.start) - $0 * Double(length)) < (easing == .circInOut ? 200 : 16) }
    }
}

extension Timeline {
    fileprivate func value(at frame: Double) -> Double {
        (movements.last { Double($0.start) <= frame } ?? movements[0]).value(at: frame)
    }
}

extension ValuePiece {
    /// Evaluates it like the render thread.
    fileprivate func value(at frame: Int64) -> Float {
        let t = Float(frame - start) * inverseLength
        return c0 + t * (c1 + t * (c2 + t * (c3 + t * (c4 + t * c5))))
    }
}
