import Patches

/// Reading of lines with times.
extension SequenceReader {
    func isTime(_ text: String) -> Bool {
        text.hasPrefix("NOW") || text.hasPrefix("+") || text.unicodeScalars.first.map { ("0"..."9").contains($0) } == true
    }

    /// Reads `TIME [FADE] NAME ["->"]`.
    mutating func schedule(_ line: SequenceText.Line) {
        let count = source.faults.count
        defer { if source.faults.count > count { block?.isFaulty = true } }
        guard let (named, offset) = time(line.words[0]) else { return }
        if block != nil, named != nil { return source.report(.blockLineWithoutPlus(line.words[0].text), at: line.start) }
        if let named { base = named }
        guard block != nil || base != nil else { return source.report(.nothingToAddTo, at: line.start) }
        let start = block == nil ? base?.advanced(by: offset) : nil

        var rest = line.words[1...]
        var fades = (SBaGenSequence.FadeIn.pitch, SBaGenSequence.FadeOut.pitch)
        if let word = rest.first, let codes = Self.fades(word.text) {
            fades = codes
            rest = rest.dropFirst()
        }
        guard let name = rest.popFirst() else { return source.report(.lineWithoutName, at: line.words[line.words.count - 1].place) }
        guard Self.isName(name.text) else { return source.report(.badName(name.text), at: name.place) }
        var arrow: Word?
        if rest.first?.text == "->" { arrow = rest.popFirst() }
        if let surplus = rest.first { source.report(.surplus(surplus.text, after: arrow == nil ? "the name" : "`->`"), at: surplus.place) }

        switch definitions[name.text] {
        case nil: source.report(.unknownName(name.text, near: closest(to: name.text, among: definitions.keys.sorted())), at: name.place)
        case .faulty: block?.isFaulty = true
        case .set(let set):
            let timeLine = SBaGenSequence.TimeLine(
                start ?? .now(0), fadeIn: fades.0, fadeOut: fades.1, set, slides: arrow != nil)
            add([BlockLine(offset: 0, line: timeLine)], start: start, offset: offset, at: line.start)
        case .block(let lines):
            if let arrow { source.report(.arrowBehindBlock(name.text), at: arrow.place) }
            add(lines, start: start, offset: offset, at: line.start)
        }
    }

    /// Adds lines at a time, or to the open block if `start` is `nil`.
    mutating func add(_ lines: [BlockLine], start: SBaGenSequence.Time?, offset: Int, at place: Place) {
        let limit = SBaGenSequence.maximumLineCount
        guard (block?.lines.count ?? sequence.lines.count) + lines.count <= limit else {
            if !isTooLong { source.report(.tooManyLines(limit: limit), at: place) }
            isTooLong = true
            return
        }
        guard let start else {
            block?.lines += lines.map { BlockLine(offset: ($0.offset + offset) % SBaGenSequence.day, line: $0.line) }
            return
        }
        for item in lines {
            var line = item.line
            line.time = start.advanced(by: item.offset)
            sequence.lines.append(line)
            places.append(place)
        }
    }

    /// Reads `NOW`, a time of day or nothing, and the seconds added to it; `nil`, reported, if the word is invalid.
    func time(_ word: Word) -> (named: SBaGenSequence.Time?, offset: Int)? {
        let parts = word.text.split(separator: "+", omittingEmptySubsequences: false)
        var named: SBaGenSequence.Time?
        if parts[0] == "NOW" {
            named = .now(0)
        } else if !parts[0].isEmpty {
            guard let clock = ClockText.seconds(parts[0]) else { return fail(word) }
            named = .clock(clock % SBaGenSequence.day)
        }
        var offset = 0
        for part in parts.dropFirst() {
            guard let more = ClockText.seconds(part) else { return fail(word) }
            offset = (offset + more) % SBaGenSequence.day
        }
        return (named, offset)
    }

    func fail<T>(_ word: Word) -> T? {
        source.report(.badTime(word.text), at: word.place)
        return nil
    }

    static func fades(_ text: String) -> (SBaGenSequence.FadeIn, SBaGenSequence.FadeOut)? {
        guard text.count == 2, let first = text.first, let last = text.last, let fadeIn = SBaGenSequence.FadeIn(rawValue: first),
            let fadeOut = SBaGenSequence.FadeOut(rawValue: last)
        else { return nil }
        return (fadeIn, fadeOut)
    }
}

extension SBaGenSequence.Time {
    /// The same kind of time, later by a number of seconds, within the day.
    func advanced(by seconds: Int) -> Self {
        switch self {
        case .clock(let time): .clock((time + seconds) % SBaGenSequence.day)
        case .now(let time): .now((time + seconds) % SBaGenSequence.day)
        }
    }

    /// Seconds after midnight, below a day.
    func seconds(now: Int) -> Int {
        switch self {
        case .clock(let time): time
        case .now(let time): (now + time) % SBaGenSequence.day
        }
    }
}
