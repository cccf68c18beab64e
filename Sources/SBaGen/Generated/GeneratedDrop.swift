import Patches

extension GeneratedSequence {
    /// The argument of `drop` and `sigmoid`: level, depth, steps, what follows, amplitude.
    struct Drop: Equatable {
        /// Carrier at the start in Hz.
        var carrier = 205.0
        /// Beat at the start in Hz.
        var start = 10.0
        var target = 0.0
        /// Minutes of a step; `nil` for a continuous slide.
        var step: Int? = 3
        var isHeld = false
        var wakes = false
        var amplitude = 1.0
        var tone = Tone.binaural
        /// False for SBaGenX's `N`: no tone is heard, but its beat may drive a `mixam`.
        var hasTone = true
        /// The part that only SBaGenX reads.
        var partOfSBaGenX: String?

        /// The course of a sigmoid; `nil` without a word about it.
        var curve: Curve?

        /// How steep a sigmoid is, per minute, and how many minutes its middle comes late.
        struct Curve: Equatable {
            var slope = 0.125
            var shift = 0.0
        }

        enum Tone {
            case binaural, pulses, monaural

            func kind(_ waveform: Waveform) -> SequenceVoice.Kind {
                switch self {
                case .binaural: .tone(waveform)
                case .pulses: .pulses(waveform)
                case .monaural: .monaural(waveform)
                }
            }
        }

        /// Seconds at the end of a step in which it slides into the next one; `nil` without steps.
        var change: Int? { step.map { $0 == 1 ? 5 : 10 } }

        /// Target beats of the letters a to l, in Hz, and one beyond them.
        private static let targets = [4.4, 3.7, 3.1, 2.5, 2.0, 1.5, 1.2, 0.9, 0.7, 0.5, 0.4, 0.3, 0.2]

        /// Parses `DD[.D…]LETTER[s|k][+][^][/AMPLITUDE]`, and SBaGenX's `[-]DD[.D…][-]LETTER[.D…]` or `NLETTER` with the rest in any order and `@`,
        /// `M` and `:S=HZ`; `nil` if the text is invalid.
        init?(_ text: String) {
            var rest = text[...]
            if rest.first == "N" {
                rest.removeFirst()
                guard readTarget(&rest), readOptions(&rest) else { return nil }
                hasTone = false
                partOfSBaGenX = "a session without a tone"
                amplitude = 0
                return
            }
            let isBelow = rest.first == "-"
            if isBelow {
                partOfSBaGenX = "a signed level"
                rest.removeFirst()
            }
            let level = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
            let digits = level.split(separator: ".", omittingEmptySubsequences: false)
            guard digits[0].count == 2, level.count <= 16, level.last != ".", let number = NumberText.parse(String(level)) else {
                return nil
            }
            carrier = 205 - 2 * (isBelow ? -number : number)
            rest.removeFirst(level.count)
            guard readTarget(&rest), readOptions(&rest) else { return nil }
        }

        /// Reads what follows the letter, to the end.
        private mutating func readOptions(_ rest: inout Substring) -> Bool {
            var order = ""
            while let option = rest.popFirst() {
                guard read(option, &rest) else { return false }
                order.append(option)
            }
            // SBaGen has one order.
            let known = order.filter { "sk+^/".contains($0) }
            let usual = "sk+^/".filter { known.contains($0) }
            guard Set(known).count == known.count, !(known.contains("s") && known.contains("k")) else { return false }
            if known != usual { partOfSBaGenX = partOfSBaGenX ?? "another order of the options" }
            return true
        }

        /// Reads the letter of the beat at the end, with a sign and a fraction.
        private mutating func readTarget(_ rest: inout Substring) -> Bool {
            let sign = rest.first
            if sign == "-" || sign == "+" {
                partOfSBaGenX = partOfSBaGenX ?? "a signed depth"
                rest.removeFirst()
            }
            guard let letter = rest.popFirst()?.asciiValue, let depth = [UInt8]("abcdefghijkl".utf8).firstIndex(of: letter | 0x20) else {
                return false
            }
            target = Self.targets[depth]
            if rest.first == "." {
                let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
                guard (1...8).contains(digits.count), let part = NumberText.parse("0." + digits) else { return false }
                partOfSBaGenX = partOfSBaGenX ?? "a fraction of a depth"
                // Towards the next letter.
                target += (Self.targets[depth + 1] - target) * part
                rest.removeFirst(1 + digits.count)
            }
            // Mirrored at the first letter.
            if sign == "-" { target = 2 * Self.targets[0] - target }
            return true
        }

        private mutating func read(_ option: Character, _ rest: inout Substring) -> Bool {
            func number() -> Double? {
                let text = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
                rest.removeFirst(text.count)
                return NumberText.parse(String(text))
            }
            switch option {
            case "s": step = nil
            case "k": step = 1
            case "+": isHeld = true
            case "^": wakes = true
            case "@", "M":
                tone = option == "@" ? .pulses : .monaural
                partOfSBaGenX = partOfSBaGenX ?? "`\(option)` in a session"
            case "/":
                guard let amplitude = number(), (0...100).contains(amplitude) else { return false }
                self.amplitude = amplitude
            case ":":
                let name = rest.prefix(2)
                rest.removeFirst(name.count)
                let isNegative = name == "h=" && rest.first == "-"
                if isNegative { rest.removeFirst() }
                guard let value = number() else { return false }
                partOfSBaGenX = partOfSBaGenX ?? "`:\(name)`"
                switch (name, value) {
                case ("S=", 0.01...100): start = value
                case ("l=", 0.001...10): curve = Curve(slope: value, shift: curve?.shift ?? 0)
                case ("h=", 0...1440): curve = Curve(slope: curve?.slope ?? 0.125, shift: isNegative ? -value : value)
                default: return false
                }
            default: return false
            }
            return true
        }
    }
}
