/// A fraction of a whole note, such as 1/4: the length of a beat or pulse that is locked to the tempo of JACK's transport.
package struct NoteLength: Equatable, Sendable {
    /// 1...64, like the denominator.
    package let numerator: Int
    package let denominator: Int

    /// Default tempo in quarter notes per minute.
    package static let usualTempo = 120.0

    /// Parses `1/4`, `3/8` or `2/1`; `nil` if the text is invalid.
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

    /// How many there are in a second, at a tempo in quarter notes per minute.
    package func frequency(atTempo tempo: Double) -> Double { tempo / 240 * perWhole }
}

extension Parameter {
    /// Whether it can be set as a note length instead of a frequency.
    package var canFollowTempo: Bool { [.beat, .pulseRate, .amRate, .spinRate, .orbitRate].contains(self) }
}
