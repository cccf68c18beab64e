import Patches

/// The kinds of words in a sequence, by their letters.
enum SequenceWord {
    /// Whether it can name a tone-set, a block or a wave.
    static func isName(_ text: String) -> Bool {
        func isLetter(_ scalar: Unicode.Scalar) -> Bool { ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) }
        guard let first = text.unicodeScalars.first, isLetter(first) else { return false }
        return text.unicodeScalars.allSatisfy { isLetter($0) || ("0"..."9").contains($0) || $0 == "_" || $0 == "-" }
    }

    /// Whether SBaGenX reads it as a name, which may also begin with a digit, and contain `.` and letters beyond ASCII.
    static func isLaterName(_ text: String) -> Bool {
        func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isAlphabetic }
        func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
        let scalars = text.unicodeScalars
        guard let first = scalars.first, isLetter(first) || isDigit(first) else { return false }
        return scalars.contains(where: isLetter) && scalars.allSatisfy { isLetter($0) || isDigit($0) || ["_", "-", "."].contains($0) }
    }

    /// Whether it is a voice, and not a name: it is silence, or has a level.
    static func isVoice(_ text: String) -> Bool {
        text == "-" || text.utf8.contains(UInt8(ascii: "/")) || ["mixam:", "mixpulse:beat"].contains(where: text.hasPrefix)
    }

    static func isTime(_ text: String) -> Bool {
        text.hasPrefix("NOW") || text.hasPrefix("+") || text.unicodeScalars.first.map { ("0"..."9").contains($0) } == true
    }

    /// The NN of `waveNN`; `nil` for any other name.
    static func waveNumber(_ name: String) -> Int? {
        name.utf8.count == 6 && name.hasPrefix("wave") && name.dropFirst(4).allSatisfy { $0.isASCII && $0.isNumber }
            ? Int(name.dropFirst(4)) : nil
    }

    /// The kind and the number of SBaGenX's `customNN`, `noiseNN` and `spinNN`; `nil` for any other name.
    static func shape(_ name: String) -> (kind: String, number: Int)? {
        for kind in ["custom", "noise", "spin"] where name.hasPrefix(kind) && name.utf8.count == kind.utf8.count + 2 {
            let digits = name.dropFirst(kind.utf8.count)
            if digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits) { return (kind, number) }
        }
        return nil
    }

    /// The two codes of a fade; `nil` for any other word.
    static func fades(_ text: String) -> (SBaGenSequence.FadeIn, SBaGenSequence.FadeOut)? {
        guard text.count == 2, let first = text.first, let last = text.last, let fadeIn = SBaGenSequence.FadeIn(rawValue: first),
            let fadeOut = SBaGenSequence.FadeOut(rawValue: last)
        else { return nil }
        return (fadeIn, fadeOut)
    }

    /// SBaGenX's words for the move to the next line.
    static let moves: [String: SBaGenSequence.Move] = ["linear": .straight, "ramp": .straight, "step": .hold, "hold": .hold]
}
