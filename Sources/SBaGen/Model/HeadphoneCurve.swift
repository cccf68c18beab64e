import Patches

/// A boost of tones by frequency, for headphones with weak bass (`-c`): each ear by its own frequency.
package struct HeadphoneCurve: Equatable, Sendable {
    /// Points in order of frequency; without any, nothing is changed.
    package var points: [Point] = []

    package struct Point: Equatable, Sendable {
        /// Frequency in Hz.
        package var frequency: Double
        /// The factor by which amplitudes are multiplied.
        package var factor: Double

        package init(_ frequency: Double, _ factor: Double) {
            self.frequency = frequency
            self.factor = factor
        }
    }

    package init(_ points: [Point] = []) { self.points = points.sorted { $0.frequency < $1.frequency } }

    package var isFlat: Bool { points.isEmpty }

    /// The factor at a frequency in Hz: linear between two points, and that of the nearest point beyond them.
    package func factor(at frequency: Double) -> Double {
        guard let next = points.firstIndex(where: { $0.frequency >= frequency }) else { return points.last?.factor ?? 1 }
        guard next > 0 else { return points[0].factor }
        let (low, high) = (points[next - 1], points[next])
        return low.factor + (high.factor - low.factor) * (frequency - low.frequency) / (high.frequency - low.frequency)
    }

    /// The factors of a voice's two ears; 1 if it is not a tone.
    func factors(of voice: SequenceVoice) -> (left: Double, right: Double) {
        guard !isFlat else { return (1, 1) }
        switch voice.kind {
        case .tone, .wave, .drawnTone:
            return (factor(at: abs(voice.carrier + voice.beat / 2)), factor(at: abs(voice.carrier - voice.beat / 2)))
        case .pulses, .monaural, .drawnPulses, .orbit: return (factor(at: voice.carrier), factor(at: voice.carrier))
        case .off, .noise, .mix, .bell, .spin, .shapedNoise, .mixEffect: return (1, 1)
        }
    }

    /// The factor of the voice in an ear, or in the louder one.
    func factor(of voice: SequenceVoice, in ear: SequenceEar?) -> Double {
        let factors = factors(of: voice)
        return switch ear {
        case nil: max(factors.left, factors.right)
        case .left: factors.left
        case .right: factors.right
        }
    }

    /// The pan of the voice at which the softer ear has its level: there a smootherstep takes away the surplus.
    func pan(of voice: SequenceVoice) -> Double {
        let (left, right) = factors(of: voice)
        let louder = max(left, right)
        guard louder > 0, left != right else { return 0 }
        let wanted = 1 - min(left, right) / louder
        var (low, high) = (0.0, 1.0)
        for _ in 0..<50 {
            let t = (low + high) / 2
            if PortableMath.smootherstep(t) < wanted { low = t } else { high = t }
        }
        return left > right ? -low : low
    }
}
