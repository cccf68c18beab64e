/// A value of a layer that chapters and remote control can move. Its raw value is its name in files and addresses.
package enum Parameter: String, CaseIterable, Sendable {
    case carrier, beat, pulseRate, duty, edge, pulseDepth, amRate, amDepth, spinRate, spinDepth, spinDelay
    case orbitRate, distance
    case decay, delay, phase, depth, gain, pan, width, correlation
    case attack, release
}

package enum Unit: String, Sendable {
    case hertz = "Hz"
    case decibels = "dB"
    case degrees = "degrees"
    case seconds = "s"
    case microseconds = "microseconds"
    case ratio = ""
}

/// The description of a parameter, shared by files, remote control, documentation and the plan compiler.
package struct ParameterDescription: Equatable, Sendable {
    package let parameter: Parameter
    package let unit: Unit
    /// Valid values; others are clamped to it.
    package let range: ClosedRange<Double>
    package let defaultValue: Double
    package let norm: NormCurve
    /// Default duration of a change in seconds: 20 ms for levels, 50 ms for frequencies and for the balance, which moves an ear's level
    /// through its whole range in a part of that time.
    package let defaultRamp: Double
    /// One sentence for the reader of `describe` and the docs.
    package let summary: String
}

/// How 0...1 of a fader maps to a value.
package enum NormCurve: Equatable, Sendable {
    /// Equal steps in the unit.
    case linear(ClosedRange<Double>)
    /// Equal steps in pitch: `low * (high / low) ^ n`.
    case exponential(ClosedRange<Double>)
    /// A level in dB: 0 is off (-120), above it equal steps in dB over the range.
    case fader(ClosedRange<Double>)
    /// A time that can be 0: 0 is 0, above it equal ratios over the range.
    case time(ClosedRange<Double>)
}

extension Parameter {
    /// A gain at or below this is silence, in dB.
    package static let off = -120.0
}

extension ParameterDescription {
    package static let carrier = ParameterDescription(
        parameter: .carrier, unit: .hertz, range: 1...20_000, defaultValue: 200, norm: .exponential(20...2000), defaultRamp: 0.05,
        summary: "Frequency of the tone; if there are two tones, the frequency midway between them.")
    package static let beat = ParameterDescription(
        parameter: .beat, unit: .hertz, range: -100...100, defaultValue: 10, norm: .linear(0...40), defaultRamp: 0.05,
        summary: "Frequency of the left ear minus that of the right ear; for spin and phase, cycles per second.")
    /// The beat of keys, which is 0 unless it is set.
    static let beatOfKeys = ParameterDescription(
        parameter: .beat, unit: .hertz, range: beat.range, defaultValue: 0, norm: beat.norm, defaultRamp: beat.defaultRamp,
        summary: beat.summary)
    /// The beat of a noise, a file or an input, which is 0 unless it is set.
    static let beatOfShift = beatOfKeys
    package static let pulseDepth = ParameterDescription(
        parameter: .pulseDepth, unit: .ratio, range: 0...1, defaultValue: 1, norm: .linear(0...1), defaultRamp: 0.02,
        summary: "How far the level falls between pulses of noise, a file or an input: 0 not, 1 to silence.")
    package static let amRate = ParameterDescription(
        parameter: .amRate, unit: .hertz, range: 0.01...100, defaultValue: 10, norm: .linear(0...40), defaultRamp: 0.05,
        summary: "Rate of the amplitude modulation of noise, a file or an input; it begins at full level.")
    package static let amDepth = ParameterDescription(
        parameter: .amDepth, unit: .ratio, range: 0...1, defaultValue: 0.5, norm: .linear(0...1), defaultRamp: 0.02,
        summary: "Depth of the amplitude modulation: the level swings between 1 and 1 minus the depth.")
    package static let spinRate = ParameterDescription(
        parameter: .spinRate, unit: .hertz, range: -100...100, defaultValue: 0.1, norm: .linear(0...2), defaultRamp: 0.05,
        summary: "Turns per second of noise, a file or an input; to the right first, if negative to the left.")
    package static let spinDepth = ParameterDescription(
        parameter: .spinDepth, unit: .ratio, range: 0...1, defaultValue: 0.5, norm: .linear(0...1), defaultRamp: 0.02,
        summary: "Depth of the spin: the ears' levels swing between 1 and 1 minus the depth, in opposition.")
    package static let spinDelay = ParameterDescription(
        parameter: .spinDelay, unit: .microseconds, range: delay.range, defaultValue: 0, norm: delay.norm, defaultRamp: delay.defaultRamp,
        summary: "Largest delay of spinning noise, file or input in one ear; the other hears it as much early.")
    package static let orbitRate = ParameterDescription(
        parameter: .orbitRate, unit: .hertz, range: -100...100, defaultValue: 0.1, norm: .linear(0...1), defaultRamp: 0.05,
        summary: "Turns per second of an isochronic tone around the head: to the right, if negative to the left.")
    package static let distance = ParameterDescription(
        parameter: .distance, unit: .ratio, range: 0.25...10, defaultValue: 1, norm: .exponential(0.25...10), defaultRamp: 0.05,
        summary: "Distance of a tone around the head; nearer, it is louder and differs more between the ears.")
    package static let attack = ParameterDescription(
        parameter: .attack, unit: .seconds, range: 0.005...10, defaultValue: 0.02, norm: .exponential(0.005...10), defaultRamp: 0.02,
        summary: "Rise time of a note; a new value applies from the next note.")
    package static let release = ParameterDescription(
        parameter: .release, unit: .seconds, range: 0.02...30, defaultValue: 0.5, norm: .exponential(0.02...30), defaultRamp: 0.02,
        summary: "Fall time of a note; a new value applies from the next release of a key.")
    package static let pulseRate = ParameterDescription(
        parameter: .pulseRate, unit: .hertz, range: 0.01...100, defaultValue: 10, norm: .linear(0...40), defaultRamp: 0.05,
        summary: "Pulses per second.")
    package static let duty = ParameterDescription(
        parameter: .duty, unit: .ratio, range: 0.05...0.95, defaultValue: 0.5, norm: .linear(0.05...0.95), defaultRamp: 0.02,
        summary: "Audible fraction of each period, including the edges.")
    package static let edge = ParameterDescription(
        parameter: .edge, unit: .seconds, range: 0.001...1, defaultValue: 0.02, norm: .exponential(0.001...1), defaultRamp: 0.02,
        summary: "Rise time and fall time of a pulse; at most 0.4 of the pulse.")
    package static let decay = ParameterDescription(
        parameter: .decay, unit: .seconds, range: 0.1...60, defaultValue: 4, norm: .exponential(0.5...32), defaultRamp: 0.02,
        summary: "Time in which a bell decays by 60 dB; a new value applies from the next strike.")
    package static let delay = ParameterDescription(
        parameter: .delay, unit: .microseconds, range: 0...5000, defaultValue: 300, norm: .linear(0...1000), defaultRamp: 0.05,
        summary: "Largest delay of a spin in one ear, with the same advance in the other.")
    package static let phase = ParameterDescription(
        parameter: .phase, unit: .degrees, range: -360...360, defaultValue: 0, norm: .linear(-180...180), defaultRamp: 0.05,
        summary: "Phase at which the tone begins; in binaural and harmonicBox, of the left ear only.")
    package static let depth = ParameterDescription(
        parameter: .depth, unit: .degrees, range: 0...360, defaultValue: 90, norm: .linear(0...360), defaultRamp: 0.05,
        summary: "Largest phase difference between the ears, in either direction.")
    package static let gain = ParameterDescription(
        parameter: .gain, unit: .decibels, range: Parameter.off...0, defaultValue: -26, norm: .fader(-60...0), defaultRamp: 0.02,
        summary: "Level of each ear, before the master and the ceiling; -120 is off.")
    package static let pan = ParameterDescription(
        parameter: .pan, unit: .ratio, range: -1...1, defaultValue: 0, norm: .linear(-1...1), defaultRamp: 0.05,
        summary: "Balance: -1 left only, 0 both at full level, 1 right only.")
    package static let width = ParameterDescription(
        parameter: .width, unit: .ratio, range: 0...1, defaultValue: 1, norm: .linear(0...1), defaultRamp: 0.02,
        summary: "1: each tone in its own ear; 0: the sum of both tones in both ears.")
    package static let correlation = ParameterDescription(
        parameter: .correlation, unit: .ratio, range: 0...1, defaultValue: 0, norm: .linear(0...1), defaultRamp: 0.02,
        summary: "Correlation between the ears: 0 independent, 1 identical.")
}
