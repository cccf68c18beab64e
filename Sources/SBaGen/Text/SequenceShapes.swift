import PatchFiles
import Patches

/// SBaGenX's `customNN`, `noiseNN` and `spinNN` that are defined so far.
struct SequenceShapes {
    /// Places in ``drawn``, by number.
    var envelopes: [Int: Int] = [:]
    /// All envelopes, also those that are defined again later.
    var drawn: [DrawnEnvelope] = []
    /// The first level of each of them.
    var firstLevels: [Double] = []
    var spectra: [Int: [Double]] = [:]
    /// Motions of a spin, which are played as a sine.
    var motions: Set<Int> = []

    /// Reads a definition of SBaGenX's `customNN`, `spinNN` or `noiseNN`.
    mutating func define(_ kind: String, _ number: Int, _ line: SequenceText.Line, in source: SequenceText) {
        // Even if it has a fault, the name is known, so that its voices are not reported as well.
        switch kind {
        case "noise": spectra[number] = Array(repeating: 0, count: NoiseSpectrum.bandCount)
        case "custom":
            envelopes[number] = drawn.count
            drawn.append(CustomCurve.envelope([1, 1], edge: 1))
            firstLevels.append(1)
        default: motions.insert(number)
        }
        var words = Array(line.words.dropFirst())
        var edge = 1
        if kind != "noise", let first = words.first, first.text.hasPrefix("e=") {
            guard let value = Int(first.text.dropFirst(2)), (0...3).contains(value) else {
                return source.report(.badShape(first.text, expected: "e=0, e=1, e=2 or e=3"), at: first.place)
            }
            edge = value
            words.removeFirst()
        }
        let range = kind == "noise" ? -24.0...24 : kind == "spin" ? -1e9...1e9 : 0...1e9
        var values: [Double] = []
        for word in words {
            guard let value = NumberText.parse(word.text), range.contains(value) else {
                let expected = kind == "noise" ? "a level from -24 to 24 dB" : kind == "spin" ? "a number" : "a number of at least 0"
                return source.report(.badShape(word.text, expected: expected), at: word.place)
            }
            values.append(value)
        }
        let counts = kind == "noise" ? NoiseSpectrum.bandCount...NoiseSpectrum.bandCount : DrawnEnvelope.sizes
        guard counts.contains(values.count) else { return source.report(.shapeLength(values.count, counts), at: line.start) }
        guard kind == "noise" || values.contains(where: { $0 != 0 }) else {
            return source.report(.badShape("0", expected: "a number other than 0 among them"), at: line.words[1].place)
        }
        switch kind {
        case "noise": spectra[number] = values
        case "custom":
            drawn[drawn.count - 1] = CustomCurve.envelope(values, edge: edge)
            firstLevels[drawn.count - 1] = values[0] / (values.max() ?? 1)
        default: break
        }
    }
}

extension StandardPulse {
    /// Reads `s=0.05:d=0.4`, any of s, d, a, r and e; `nil` if it is not valid.
    init?(_ text: String) {
        self.init()
        for part in text.split(separator: ":", omittingEmptySubsequences: false) {
            guard let pair = Self.pair(part), set(pair.key, pair.value) else { return nil }
        }
        guard isValid else { return nil }
    }

    static func pair(_ part: Substring) -> (key: String, value: String)? {
        let sides = part.split(separator: "=", omittingEmptySubsequences: false)
        return sides.count == 2 ? (String(sides[0]), String(sides[1])) : nil
    }

    mutating func set(_ key: String, _ text: String) -> Bool {
        guard text.utf8.count <= 32, let value = NumberText.parse(text), value.isFinite else { return false }
        switch key {
        case "s": start = value
        case "d": duty = value
        case "a": attack = value
        case "r": release = value
        case "e" where value == value.rounded() && (0...3).contains(value): edge = Int(value)
        default: return false
        }
        return true
    }

    var isValid: Bool {
        (0...1).contains(start) && (0.01...1).contains(duty) && (0...1).contains(attack) && (0...1).contains(release)
            && attack + release <= 1 + 1e-9
    }

    var envelope: DrawnEnvelope { CustomCurve.envelope(hasSteps: hasSteps) { level(at: $0) } }

    var hasSteps: Bool { edge == 0 || attack == 0 || release == 0 }
}

extension MixModulation {
    /// Reads `m=pulse`, `d=0.3` and so on; `nil` if one of them is not valid.
    init?(_ parts: [Substring], from standard: MixModulation) {
        self = standard
        var hasMode = false
        for part in parts {
            guard let pair = StandardPulse.pair(part) else { return nil }
            switch (pair.key, pair.value) {
            case ("m", "cos"), ("m", "pulse"):
                isPulse = pair.value == "pulse"
                hasMode = true
            case ("f", let text):
                guard text.utf8.count <= 32, let value = NumberText.parse(text), (0...1).contains(value) else { return nil }
                floor = value
            default:
                guard pulse.set(pair.key, pair.value) else { return nil }
                if !hasMode, pair.key != "s" { isPulse = true }
            }
        }
        guard pulse.isValid else { return nil }
    }

    /// The level over the cycle, before the floor.
    var envelope: DrawnEnvelope { CustomCurve.envelope(hasSteps: isPulse && pulse.hasSteps) { level(at: $0) } }
}

extension MixEffect {
    /// The envelope of `mixpulse:` without a drawn one.
    static func envelope(of wave: Waveform) -> DrawnEnvelope {
        CustomCurve.envelope(hasSteps: wave == .square || wave == .sawtooth) { pulse(of: wave, at: $0) }
    }
}
