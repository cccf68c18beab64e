/// A session that `-p` asks for: `drop`, which goes down to a slow beat, or `slide`, which goes down to a low carrier under one beat.
///
/// Made after what SBaGen's manual says of them. It does not say how far the carrier of a drop goes down within a session: here it is by
/// one level, 2 Hz, in the drop, and by another one while the beat is held, so that levels that stand two apart join.
struct GeneratedSequence: Equatable {
    /// Where the course of the tone bends; the first at 0.
    var corners: [Corner] = []
    /// Percent.
    var amplitude = 1.0

    struct Corner: Equatable {
        /// Whole seconds from the start.
        var time: Int
        var carrier: Double
        var beat: Double
        /// Of a part that begins there, to the listener.
        var title = ""
    }

    var length: Int { corners.last?.time ?? 0 }

    /// Seconds that a step of a drop takes to the next one.
    private static let stepChange = 10
    /// Hz; below it no layer has a carrier.
    private static let lowest = ParameterDescription.carrier.range.lowerBound
    private static let longest = 23 * 60

    // MARK: Drop

    /// What stands behind `drop`: level, depth, steps, what follows, amplitude.
    struct Drop: Equatable {
        var carrier = 200.0
        var target = 0.0
        /// Minutes of a step; `nil` slides.
        var step: Int? = 3
        var isHeld = false
        var wakes = false
        var amplitude = 1.0

        /// Hz, of the letters a to l.
        private static let targets = [4.4, 3.7, 3.1, 2.5, 2.0, 1.5, 1.2, 0.9, 0.7, 0.5, 0.4, 0.3]

        /// `DD[.D…]LETTER[s|k][+][^][/AMPLITUDE]`
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
            carrier = 200 - 2 * number
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

    /// - Parameter minutes: of the drop, of the time at its end, and of the way back; `nil` is 30, 30 and 3.
    init?(drop: Drop, minutes: [Int]? = nil) {
        let minutes = minutes ?? [30, 30, 3]
        let length = drop.step ?? 1
        let steps = max(1, (minutes[0] + length / 2) / length)
        let held = drop.isHeld ? (minutes[1] + length / 2) / length : 0
        let back = drop.wakes ? minutes[2] : 0
        guard steps * length + held * length + back <= Self.longest else { return nil }
        amplitude = drop.amplitude
        /// At the end of so many steps, or in one.
        func carrier(_ step: Int) -> Double {
            let part = step <= steps ? Double(step) / Double(steps) : 1 + Double(step - steps) / Double(held)
            return max(drop.carrier - 2 * part, Self.lowest)
        }
        func beat(_ part: Double) -> Double {
            part < 1 ? 10 * PortableMath.exp2(PortableMath.log2(drop.target / 10) * part) : drop.target
        }
        for step in 0..<(steps + held) {
            let start = step * length * 60
            let title = step == 0 ? "drop" : step == steps ? "hold" : ""
            if drop.step == nil {
                corners.append(Corner(time: start, carrier: carrier(step), beat: beat(Double(step) / Double(steps)), title: title))
            } else {
                // The first step is at 10 Hz, the last one of the drop at its target.
                let beat = beat(steps > 1 ? Double(step) / Double(steps - 1) : 1)
                corners.append(Corner(time: start, carrier: carrier(step), beat: beat, title: title))
                let isLast = step == steps + held - 1
                corners.append(
                    Corner(time: start + length * 60 - (isLast ? 0 : Self.stepChange), carrier: carrier(step), beat: beat))
            }
        }
        let end = (steps + held) * length * 60
        if drop.step == nil { corners.append(Corner(time: end, carrier: carrier(steps + held), beat: drop.target)) }
        if back > 0 {
            corners[corners.count - 1].title = "wake"
            corners.append(Corner(time: end + back * 60, carrier: max(drop.carrier, Self.lowest), beat: 10))
        }
    }

    // MARK: Slide

    /// - Parameter minutes: `nil` is 30.
    init?(slide voice: SequenceVoice, minutes: Int? = nil) {
        let length = 60 * (minutes ?? 30)
        guard length > 0, length <= 60 * Self.longest else { return nil }
        amplitude = voice.amplitude
        func corner(_ time: Int, _ title: String = "") -> Corner {
            Corner(
                time: time, carrier: max(voice.carrier - voice.carrier * Double(time) / Double(length), Self.lowest), beat: voice.beat,
                title: title)
        }
        // To nothing at the end; what is left when no layer goes lower is held.
        let last = Int(Double(length) * (1 - Self.lowest / max(voice.carrier, Self.lowest)))
        corners = [corner(0, "slide")] + (last > 0 ? [corner(last)] : []) + [corner(length)]
    }

    // MARK: As time lines

    /// - Parameters:
    ///   - others: what sounds beside the tone.
    ///   - fade: seconds in which all of it comes in, and goes out.
    func lines(_ waveform: Waveform, with others: [SequenceVoice], fade: Double) -> [SBaGenSequence.TimeLine] {
        let fade = min(max(1, Int(fade.rounded())), length / 2)
        let times = Set(corners.map(\.time) + [fade, length - fade]).sorted()
        return times.map { time in
            let corner = corner(at: time)
            let part = min(time, length - time, fade)
            var voices = [SequenceVoice(.tone(waveform), amplitude: amplitude, carrier: corner.carrier, beat: corner.beat)] + others
            for index in voices.indices {
                voices[index].amplitude = voices[index].amplitude * Double(part) / Double(fade)
                // It is struck once.
                if voices[index].kind == .bell, time != fade { voices[index] = .off }
            }
            return .init(.now(time), .init(name: corner.title, voices: voices), slides: time != length)
        }
    }

    private func corner(at time: Int) -> Corner {
        let next = corners.firstIndex { $0.time >= time } ?? corners.count - 1
        guard corners[next].time != time, next > 0 else { return corners[next] }
        let (a, b) = (corners[next - 1], corners[next])
        let part = Double(time - a.time) / Double(b.time - a.time)
        return Corner(time: time, carrier: a.carrier + (b.carrier - a.carrier) * part, beat: a.beat + (b.beat - a.beat) * part)
    }
}

extension SequenceReader {
    /// What the words behind `-p` ask for; faults are reported.
    mutating func generate(_ words: [Word], at place: Place) {
        guard let kind = words.first, kind.text == "drop" || kind.text == "slide" else {
            return source.report(.generatedKind(words.first?.text), at: words.first?.place ?? place)
        }
        var rest = words.dropFirst()
        let isDrop = kind.text == "drop"
        var minutes: [Int]?
        let length = rest.first
        if let word = length, word.text.first == "t" {
            rest.removeFirst()
            minutes = word.text.dropFirst().split(separator: ",", omittingEmptySubsequences: false).map {
                NumberText.parse(String($0)).flatMap { (0...1440).contains($0) ? Int($0.rounded()) : nil } ?? -1
            }
            guard minutes?.count == (isDrop ? 3 : 1), minutes?.allSatisfy({ $0 >= 0 }) == true, minutes?[0] != 0 else {
                return source.report(.generatedLength(word.text, isDrop: isDrop), at: word.place)
            }
        }
        guard let word = rest.popFirst() else {
            return source.report(.generatedCourse(nil, isDrop: isDrop), at: kind.place)
        }
        let generated: GeneratedSequence?
        if isDrop {
            guard let drop = GeneratedSequence.Drop(word.text) else {
                return source.report(.generatedCourse(word.text, isDrop: true), at: word.place)
            }
            generated = GeneratedSequence(drop: drop, minutes: minutes)
            remarks.append((.generatedDrop, kind.place))
        } else {
            guard let voice = voices([word]).first else { return }
            guard case .tone = voice.kind else { return source.report(.generatedCourse(word.text, isDrop: false), at: word.place) }
            generated = GeneratedSequence(slide: voice, minutes: minutes?[0])
        }
        guard let generated else {
            return source.report(.generatedLength(length?.text ?? "", isDrop: isDrop), at: length?.place ?? kind.place)
        }
        let limit = SBaGenSequence.ToneSet.maximumVoiceCount
        if rest.count >= limit { source.report(.tooManyVoices(rest.count + 1, limit: limit), at: rest[rest.startIndex + limit - 1].place) }
        let others = voices(Array(rest))
        sequence.lines = generated.lines(options.options.waveform, with: others, fade: options.options.fade / 2)
        places = sequence.lines.map { _ in place }
        options.startsAndEnds()
    }
}
