import Patches

/// The envelope of SBaGenX's isochronic tones and noise pulses, unless they have a drawn one; `-I` sets it.
package struct StandardPulse: Hashable, Sendable {
    /// Where in the cycle it starts, 0...1.
    package var start = 0.048493
    /// How much of the cycle it takes, 0.01...1; all of it is a steady level.
    package var duty = 0.403014
    /// The parts of it that rise and fall; together at most 1.
    package var attack = 0.5
    package var release = 0.5
    /// How it rises and falls, 0...3: at once, in a straight line, as a smoothstep, as a smootherstep.
    package var edge = 2

    package init() {}

    /// The level at a phase in cycles, 0..<1.
    package func level(at phase: Double) -> Double {
        if duty >= 1 { return 1 }
        var place = phase - start
        if place < 0 { place += 1 }
        let q = place / duty
        guard q > 0, q < 1 else { return 0 }
        if q < attack { return CustomCurve.part(q / attack, edge) }
        return q <= 1 - release ? 1 : CustomCurve.part((1 - q) / release, edge)
    }
}

/// The shape of `mixam:`; `-H` sets what it is without parameters of its own.
package struct MixModulation: Hashable, Sendable {
    package var isPulse = false
    package var pulse: StandardPulse
    /// The lowest level, 0...1.
    package var floor = 0.45

    package init() {
        pulse = StandardPulse()
        (pulse.start, pulse.duty, pulse.edge) = (0, 0.5, 3)
    }

    /// Whether it is the cosine that begins at full level.
    var isPlainCosine: Bool { !isPulse && pulse.start == 0 }

    func level(at phase: Double) -> Double {
        isPulse ? pulse.level(at: phase) : 0.5 + 0.5 * PortableMath.sine(turns: phase + pulse.start + 0.25)
    }
}

/// Envelopes drawn by numbers.
enum CustomCurve {
    /// Points of an envelope that is made from a formula: straight lines between so many are within -80 dB of it.
    static let points = 1024

    /// The part of a step at a part of the time, 0...1, for an edge of 0 to 3.
    static func part(_ t: Double, _ edge: Int) -> Double {
        switch edge {
        case 0: 1
        case 1: t
        case 2: t * t * (3 - 2 * t)
        default: PortableMath.smootherstep(t)
        }
    }

    /// An envelope from a formula over the cycle.
    ///
    /// - Parameter hasSteps: Whether it has jumps, which become edges of a 64th of the cycle: they would click.
    static func envelope(hasSteps: Bool, _ level: (Double) -> Double) -> DrawnEnvelope {
        var levels = (0..<points).map { min(max(level(Double($0) / Double(points)), 0), 1) }
        if hasSteps {
            let width = points / steps
            let sharp = levels
            var sum = (0..<width).reduce(0) { $0 + sharp[(points - width / 2 + $1) % points] }
            for index in levels.indices {
                levels[index] = min(max(sum / Double(width), 0), 1)
                sum += sharp[(index + width - width / 2) % points] - sharp[(index + points - width / 2) % points]
            }
        }
        // Six decimals are exact to -120 dB, and readable in a patch.
        return DrawnEnvelope(levels: levels.map { ($0 * 1e6).rounded() / 1e6 }, curve: .linear)
    }

    /// The part of a cycle that a step takes at least.
    private static let steps = 64

    /// The envelope of a definition: its values over the largest one.
    ///
    /// - Parameters:
    ///   - values: At least two, none below 0, and one above.
    ///   - edge: How it goes from one to the next; a step, 0, takes about a 64th of the cycle.
    static func envelope(_ values: [Double], edge: Int) -> DrawnEnvelope {
        let highest = values.max() ?? 1
        let levels = values.map { min(max($0 / highest, 0), 1) }
        switch edge {
        case 0:
            let count = max(1, 2 * steps / levels.count)
            guard count > 1 else { return DrawnEnvelope(levels: levels, curve: .linear) }
            // An edge takes the two points around its step.
            let before = levels.suffix(1) + levels.dropLast()
            let points = zip(before, levels).flatMap { [($0 + $1) / 2] + Array(repeating: $1, count: count - 1) }
            return DrawnEnvelope(levels: points, curve: .linear)
        case 1: return DrawnEnvelope(levels: levels, curve: .linear)
        case 2: return DrawnEnvelope(levels: levels, curve: .smoothstep)
        default: return DrawnEnvelope(levels: levels, curve: .smootherstep)
        }
    }
}

extension DrawnEnvelope {
    /// The envelope turned upside down, which is low where this one is high.
    var inverted: DrawnEnvelope { DrawnEnvelope(levels: levels.map { 1 - $0 }, curve: curve) }
}

/// A noise of SBaGenX's dialect.
package struct ShapedNoise: Hashable, Sendable {
    package var spectrum: NoiseSpectrum
    package var form: Form
    /// Distinguishes its layers from others of the same voice.
    package var label: String

    package enum Form: Hashable, Sendable {
        /// Independent in both ears.
        case plain
        case spin
        /// The same in both ears, in pulses of a drawn envelope, or of the standard one. The number is a place in ``SBaGenSequence/envelopes``.
        case pulses(Int?)
        /// Shifted apart by a beat; with an envelope it fades between the plain and the shifted noise at half the beat.
        case beat(Int?)
    }

    package init(_ spectrum: NoiseSpectrum, _ form: Form, label: String) {
        (self.spectrum, self.form, self.label) = (spectrum, form, label)
    }
}

/// The sound file with an effect, or as it is, in SBaGenX's dialect.
package struct MixEffect: Hashable, Sendable {
    package var form: Form
    /// `mixam:` of the tone-set, if it has one.
    package var modulation: MixModulation?
    package var label: String

    package enum Form: Hashable, Sendable {
        case direct
        /// `mixam:` by itself, which has no sound.
        case modulation
        /// `mixpulse:`, with a drawn envelope if there is one, in place of that of a wave.
        case pulses(Waveform, Int?)
        /// `mixbeat:`, with a drawn intensity if there is one.
        case beat(Int?)
        /// `mixspin:`
        case spin
    }

    package init(_ form: Form, label: String) { (self.form, self.label) = (form, label) }

    /// The level of `mixpulse:` without a drawn envelope: the part of the wave above 0.3, as a smoothstep.
    static func pulse(of wave: Waveform, at phase: Double) -> Double {
        let value: Double =
            switch wave {
            case .sine, .table: PortableMath.sine(turns: phase)
            case .square: phase < 0.5 ? 1 : -1
            case .triangle: phase < 0.25 ? 4 * phase : phase < 0.75 ? 2 - 4 * phase : 4 * phase - 4
            case .sawtooth: phase < 0.5 ? 2 * phase : 2 * phase - 2
            }
        guard value > 0.3 else { return 0 }
        return CustomCurve.part((value - 0.3) / 0.7, 2)
    }
}
