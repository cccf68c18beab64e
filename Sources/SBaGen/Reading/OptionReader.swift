import PatchFiles
import Patches

/// Reads the option lines at the beginning of a sequence.
struct OptionReader {
    let source: SequenceText
    private(set) var options = SequenceOptions()
    /// The words after `-i`, which are voices.
    private(set) var immediate: [SequenceText.Word]?
    /// The words after `-p`, and the place of the option.
    private(set) var generated: (words: [SequenceText.Word], place: SequenceText.Place)?
    private(set) var remarks: [Diagnostic] = []
    /// `-A`, and its place.
    private(set) var mixDips: (course: MixDips, place: SequenceText.Place)?
    /// The place of `-m`.
    private var mixPlace: SequenceText.Place?
    /// Whether it has `-F`.
    private(set) var hasFade = false
    /// An option that only SBaGenX reads.
    private var partOfSBaGenX: (what: String, place: SequenceText.Place)?

    mutating func takePartOfSBaGenX() -> (what: String, place: SequenceText.Place)? {
        defer { partOfSBaGenX = nil }
        return partOfSBaGenX
    }

    init(_ source: SequenceText) { self.source = source }

    /// Options of SBaGen about its own output, whether a value follows them, and why they are ignored.
    private static let withoutEffect: [(letters: String, takesValue: Bool, reason: String)] = [
        ("rR", true, "JACK, or `render --sample-rate`, sets the sample rate"),
        ("N", false, "voices of more than 100 % in total are always played softer"),
        ("bodk", true, "`binaural render` writes files"),
        ("WOQDM", false, "`binaural play` and `binaural render` decide where the sound goes"),
    ]

    mutating func read(_ line: SequenceText.Line) {
        var index = 0
        while index < line.words.count {
            let word = line.words[index]
            let letters = Array(word.text.unicodeScalars)
            guard letters.count > 1, letters[0] == "-" else {
                return source.report(.surplus(word.text, after: "the options"), at: word.place)
            }
            index += 1
            for position in letters.indices.dropFirst() {
                let letter = Character(letters[position])
                let place = word.place(at: position)
                if letter == "i" {
                    immediate = Array(line.words[index...])
                    if line.words.count == index {
                        source.report(.optionWithoutValue("i", expected: "voices, such as `200+10/20`"), at: place)
                    }
                    return
                }
                if letter == "p" {
                    generated = (Array(line.words[index...]), place)
                    return
                }
                // A value is the next word, whichever letter of a cluster takes it.
                let value = line.words.indices.contains(index) ? line.words[index] : nil
                guard let usesValue = set(letter, value, at: place) else { return }
                if usesValue { index += 1 }
            }
        }
    }

    /// Sets an option. Returns whether it took the value, or `nil` after a fault, which makes the rest of the line meaningless.
    private mutating func set(_ letter: Character, _ value: SequenceText.Word?, at place: SequenceText.Place) -> Bool? {
        switch letter {
        case "S": options.startsAtFirst = true
        case "E": options.endsAtLast = true
        case "T":
            guard
                let time: Int = read(
                    letter, value, "a time of day, such as 22:30", at: place, { ClockText.seconds($0).map { $0 % 86_400 } })
            else { return nil }
            options.startTime = time
            return true
        case "L":
            guard
                let time: Int = read(
                    letter, value, "a length, such as 0:45, up to 24:00", at: place, { ClockText.seconds($0).flatMap { $0 > 0 ? $0 : nil } }
                )
            else { return nil }
            options.length = time
            return true
        case "q":
            guard
                let speed: Double = read(
                    letter, value, "a speed from 1 to 1000 times", at: place, { Self.number($0, in: 1...1000) }
                )
            else { return nil }
            options.speed = speed
            return true
        case "c":
            guard
                let curve: HeadphoneCurve = read(
                    letter, value, "frequencies with the factors of their amplitudes, such as 80=1,40=2,20=6", at: place, Self.curve)
            else { return nil }
            options.headphones = curve
            remarks.append(source.diagnostic(SequenceFault.madeForHeadphones, at: place))
            return true
        case "m":
            guard let name: String = read(letter, value, "the name of a sound file", at: place, Self.fileName) else { return nil }
            let parts = name.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            options.mixFile = String(parts[0])
            options.mixSection = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
            mixPlace = place
            return true
        case "F":
            guard
                let time: Double = read(
                    letter, value, "the duration of a change in milliseconds, up to an hour", at: place, Self.milliseconds)
            else { return nil }
            options.fade = time / 1000
            hasFade = true
            return true
        case "V":
            guard let volume: Double = read(letter, value, "a level from 0 to 100, in percent", at: place, { Self.number($0, in: 0...100) })
            else { return nil }
            options.volume = volume
            return true
        case "w":
            guard
                let form: Waveform = read(
                    letter, value, "sine, triangle, square or sawtooth", at: place,
                    { name in SequenceOptions.waveforms.first { $0.rawValue == name } })
            else { return nil }
            options.waveform = form
            return true
        case "I":
            guard
                let pulse: StandardPulse = read(
                    letter, value,
                    "the shape of pulses, such as s=0.05:d=0.4:a=0.5:r=0.5:e=2, with s, a and r from 0 to 1, d from 0.01 to 1, a + r at most 1, e 0, 1, 2 or 3",
                    at: place, { StandardPulse($0) })
            else { return nil }
            options.pulse = pulse
            partOfSBaGenX = ("`-I`", place)
            return true
        case "H":
            guard
                let shape: MixModulation = read(
                    letter, value, "the shape of `mixam`, such as m=pulse:d=0.5:f=0.3", at: place,
                    { MixModulation($0.split(separator: ":", omittingEmptySubsequences: false), from: MixModulation()) })
            else { return nil }
            options.modulation = shape
            partOfSBaGenX = ("`-H`", place)
            return true
        case "A":
            partOfSBaGenX = ("`-A`", place)
            // The shape may be left out.
            guard let value, value.text.contains("="), !value.text.hasPrefix("-") else {
                mixDips = (MixDips(), place)
                return false
            }
            guard
                let course: MixDips = read(
                    letter, value, "the course of the sound file, such as d=0.3:e=0.3:k=10:E=0.7", at: place, { MixDips($0) })
            else { return nil }
            mixDips = (course, place)
            return true
        default:
            guard let other = Self.withoutEffect.first(where: { $0.letters.contains(letter) }) else {
                source.report(.unknownOption(letter), at: place)
                return nil
            }
            if other.takesValue, value == nil {
                source.report(.optionWithoutValue(letter, expected: "a value"), at: place)
                return nil
            }
            remarks.append(source.diagnostic(SequenceFault.optionWithoutEffect(letter, reason: other.reason), at: place))
            return other.takesValue
        }
        return false
    }

    private func read<Value>(
        _ letter: Character, _ word: SequenceText.Word?, _ expected: String, at place: SequenceText.Place, _ convert: (String) -> Value?
    ) -> Value? {
        guard let word else {
            source.report(.optionWithoutValue(letter, expected: expected), at: place)
            return nil
        }
        guard let value = convert(word.text) else {
            source.report(.badOptionValue(letter, word.text, expected: expected), at: word.place)
            return nil
        }
        return value
    }

    /// The lines of a session with the sound file along the course of `-A`.
    mutating func alongMixDips(_ lines: [SBaGenSequence.TimeLine], of session: MixDips.Session) -> [SBaGenSequence.TimeLine] {
        guard let (course, place) = mixDips else { return lines }
        let moved = course.applied(to: lines, of: session)
        if moved.isRough { remarks.append(source.diagnostic(SequenceFault.roughMixCourse, at: place)) }
        return moved.lines
    }

    /// Reports a `-A` that moves nothing; call when all lines have been read.
    mutating func checkMixCourse() {
        guard let place = mixDips?.place, generated == nil || options.mixFile == nil else { return }
        let reason = "it moves the sound file of `-m` in a session of `-p`"
        remarks.append(source.diagnostic(SequenceFault.optionWithoutEffect("A", reason: reason), at: place))
    }

    /// Applies the tags of the sound file.
    mutating func apply(_ tags: MixTags) {
        options.mixGain = tags.gain
        options.mixSegments = tags.segments(ofSection: options.mixSection)
        guard tags.hasLooper, options.mixSegments == nil, let mixPlace else { return }
        remarks.append(source.diagnostic(SequenceFault.badLooper, at: mixPlace))
    }

    /// Plays a session, whose lines have no time of day, from its beginning to its end.
    mutating func startsAndEnds() { (options.startsAtFirst, options.endsAtLast, options.startTime) = (true, true, nil) }

    private static func curve(_ text: String) -> HeadphoneCurve? {
        let points = text.split(separator: ",", omittingEmptySubsequences: false).map { point -> HeadphoneCurve.Point? in
            let parts = point.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, let frequency = number(String(parts[0]), in: 1...20_000),
                let factor = number(String(parts[1]), in: 0.01...100)
            else { return nil }
            return .init(frequency, factor)
        }
        let found = points.compactMap(\.self)
        guard found.count == points.count, points.count <= 64, Set(found.map(\.frequency)).count == found.count else { return nil }
        return HeadphoneCurve(found)
    }

    /// A file name; `nil` if it contains control characters.
    private static func fileName(_ text: String) -> String? {
        text.unicodeScalars.contains { $0.properties.generalCategory == .control } ? nil : text
    }

    private static func milliseconds(_ text: String) -> Double? { number(text, in: 0...3_600_000) }

    private static func number(_ text: String, in range: ClosedRange<Double>) -> Double? {
        NumberText.parse(text).flatMap { range.contains($0) ? $0 : nil }
    }
}

/// Times as `h:m` or `h:m:s`, one or two digits each.
enum ClockText {
    /// Seconds of a time up to 24:00; `nil` if the text is invalid.
    static func seconds(_ text: some StringProtocol) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count) else { return nil }
        var numbers: [Int] = []
        for part in parts {
            guard (1...2).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(part) else {
                return nil
            }
            numbers.append(number)
        }
        guard numbers[1] < 60, numbers.count < 3 || numbers[2] < 60 else { return nil }
        let seconds = numbers[0] * 3600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0)
        return seconds <= 86_400 ? seconds : nil
    }
}
