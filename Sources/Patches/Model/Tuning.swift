/// Twelve-tone equal temperament, based on the frequency of A4.
package struct Tuning: Equatable, Sendable {
    /// Valid values of ``a4``, in Hz.
    package static let range = 200.0...900.0

    /// Frequency of A4 (MIDI note 69) in Hz; set values are clamped to ``range``, NaN becomes 440.
    package var a4: Double {
        get { frequencyOfA4 }
        set { frequencyOfA4 = newValue.isNaN ? 440 : min(max(newValue, Self.range.lowerBound), Self.range.upperBound) }
    }

    private var frequencyOfA4 = 440.0

    package init(a4: Double = 440) {
        self.a4 = a4
    }

    /// The frequency in Hz of a MIDI note number; fractions are parts of a semitone (0.01 is a cent). The same bits on every system.
    package func frequency(ofNote number: Double) -> Double {
        a4 * PortableMath.exp2((number - 69) / 12)
    }

    /// MIDI note number, with fraction, of a frequency above 0 Hz.
    package func note(ofFrequency frequency: Double) -> Double {
        69 + 12 * PortableMath.log2(frequency / a4)
    }
}

/// A key of the MIDI keyboard, 0...127, and cents above or below it. Middle C is C4 = 60, A4 is 69.
package struct Note: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: Int
    /// Hundredths of a semitone, -99...99.
    package private(set) var cents = 0

    /// The number of the key with the cents as its fraction.
    package var number: Double { Double(rawValue) + Double(cents) / 100 }

    /// Makes a note; `nil` outside 0...127.
    package init?(rawValue: Int) {
        guard (0...127).contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// The note of a name: a letter, at most one accidental (`#`, `b`, or the musical signs) and the octave, `C-1` to `G9`, with or without
    /// cents, such as `A3+14`; `nil` if it is invalid.
    package init?(name: String) {
        var rest = Substring(name)
        guard let letter = rest.popFirst(), let step = Self.steps[letter.uppercased()] else { return nil }
        var shift = 0
        if let sign = rest.first, let accidental = Self.accidentals[sign] {
            shift = accidental
            rest.removeFirst()
        }
        let octaveText = rest.prefix(rest.hasPrefix("-") ? 2 : 1)
        guard let digit = octaveText.last, digit.isASCII, digit.isNumber, let octave = Int(octaveText) else { return nil }
        self.init(rawValue: (octave + 1) * 12 + step + shift)
        let deviation = rest.dropFirst(octaveText.count)
        guard !deviation.isEmpty else { return }
        let digits = deviation.dropFirst()
        guard deviation.hasPrefix("+") || deviation.hasPrefix("-"), (1...2).contains(digits.count),
            digits.allSatisfy({ $0.isASCII && $0.isNumber }), let cents = Int(deviation)
        else { return nil }
        self.cents = cents
    }

    /// The name with sharps, such as `C#4`, and with the cents if there are any, such as `A3-14`.
    package var name: String {
        Self.names[rawValue % 12] + String(rawValue / 12 - 1) + (cents == 0 ? "" : (cents > 0 ? "+" : "") + String(cents))
    }

    package var description: String { name }

    private static let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
    private static let steps = ["C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11]
    private static let accidentals: [Character: Int] = ["#": 1, "♯": 1, "b": -1, "♭": -1]
}
