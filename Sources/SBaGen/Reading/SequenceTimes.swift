import Patches

/// Reading of lines with times.
extension SequenceReader {
    /// Reads `TIME [FADE] NAME ["->"]`, and the freer lines of SBaGenX.
    mutating func schedule(_ line: SequenceText.Line) {
        let count = source.faults.count
        defer { if source.faults.count > count { block?.isFaulty = true } }
        guard let (named, offset) = SBaGenSequence.Time.read(line.words[0].text) else {
            return source.report(.ofTime(line.words[0].text), at: line.start)
        }
        if block != nil, named != nil { return source.report(.blockLineWithoutPlus(line.words[0].text), at: line.start) }
        if let named { base = named }
        guard block != nil || base != nil else { return source.report(.nothingToAddTo, at: line.start) }
        let start = block == nil ? base?.advanced(by: offset) : nil

        guard let contents = contents(line.words[1...], of: line) else { return }
        if let lines = contents.block { return add(lines, start: start, offset: offset, at: line.start) }
        let timeLine = SBaGenSequence.TimeLine(
            start ?? .now(0), fadeIn: contents.fades.0, fadeOut: contents.fades.1, .init(name: contents.name, voices: contents.voices),
            slides: contents.slides, move: contents.move)
        add([BlockLine(offset: 0, line: timeLine)], start: start, offset: offset, at: line.start)
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
}

extension SBaGenSequence.Time {
    /// Reads `NOW`, a time of day or nothing, and the seconds added to it; `nil` if the text is invalid.
    static func read(_ text: String) -> (named: Self?, offset: Int)? {
        let parts = text.split(separator: "+", omittingEmptySubsequences: false)
        var named: Self?
        if parts[0] == "NOW" {
            named = .now(0)
        } else if !parts[0].isEmpty {
            guard let clock = ClockText.seconds(parts[0]) else { return nil }
            named = .clock(clock % SBaGenSequence.day)
        }
        var offset = 0
        for part in parts.dropFirst() {
            guard let more = ClockText.seconds(part) else { return nil }
            offset = (offset + more) % SBaGenSequence.day
        }
        return (named, offset)
    }

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
