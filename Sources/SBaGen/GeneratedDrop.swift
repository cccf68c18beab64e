import Patches

extension GeneratedSequence {
    /// The argument of `drop`: level, depth, steps, what follows, amplitude.
    struct Drop: Equatable {
        /// Carrier at the start in Hz.
        var carrier = 205.0
        var target = 0.0
        /// Minutes of a step; `nil` for a continuous slide.
        var step: Int? = 3
        var isHeld = false
        var wakes = false
        var amplitude = 1.0

        /// Seconds at the end of a step in which it slides into the next one; `nil` without steps.
        var change: Int? { step.map { $0 == 1 ? 5 : 10 } }

        /// Target beats of the letters a to l, in Hz.
        private static let targets = [4.4, 3.7, 3.1, 2.5, 2.0, 1.5, 1.2, 0.9, 0.7, 0.5, 0.4, 0.3]

        /// Parses `DD[.D…]LETTER[s|k][+][^][/AMPLITUDE]`; `nil` if the text is invalid.
        init?(_ text: String) {
            var rest = text[...]
            func take(_ character: Character) -> Bool {
                guard rest.first == character else { return false }
                rest.removeFirst()
                return true
            }
            let level = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
            let digits = level.split(separator: ".", omittingEmptySubsequences: false)
            guard digits[0].count == 2, level.count <= 16, level.last != ".", let number = NumberText.parse(String(level)) else {
                return nil
            }
            carrier = 205 - 2 * number
            rest.removeFirst(level.count)
            guard let letter = rest.popFirst()?.asciiValue, let depth = [UInt8]("abcdefghijkl".utf8).firstIndex(of: letter | 0x20) else {
                return nil
            }
            target = Self.targets[depth]
            if take("s") { step = nil } else if take("k") { step = 1 }
            isHeld = take("+")
            wakes = take("^")
            if take("/") {
                guard let number = NumberText.parse(String(rest)), (0...100).contains(number) else { return nil }
                amplitude = number
                rest = ""
            }
            guard rest.isEmpty else { return nil }
        }
    }
}
