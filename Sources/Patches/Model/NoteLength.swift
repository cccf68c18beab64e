/// A part of a whole note, such as 1/4: how long a beat or a pulse lasts that is locked to the tempo of JACK's transport.
package struct NoteLength: Equatable, Sendable {
    /// 1...64 both.
    package let numerator: Int
    package let denominator: Int

    /// Quarter notes a minute, where nobody says how many there are.
    package static let usualTempo = 120.0

    /// `1/4`, `3/8` or `2/1`; `nil` for what is none.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ part in (1...2).contains(part.utf8.count) && part.utf8.allSatisfy { 48...57 ~= $0 } }),
            let numerator = Int(parts[0]), let denominator = Int(parts[1]), 1...64 ~= numerator, 1...64 ~= denominator
        else { return nil }
        self.numerator = numerator
        self.denominator = denominator
    }

    package var text: String { "\(numerator)/\(denominator)" }

    /// How many there are in a whole note.
    package var perWhole: Double { Double(denominator) / Double(numerator) }

    /// How many there are in a second, at a tempo in quarter notes a minute.
    package func frequency(atTempo tempo: Double) -> Double { tempo / 240 * perWhole }
}

extension Parameter {
    /// Whether it can be a part of a note in place of a frequency.
    package var canFollowTempo: Bool { self == .beat || self == .pulseRate }
}
