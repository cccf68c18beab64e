extension SBaGenSequence {
    /// The sequence that a file's bytes describe.
    ///
    /// - Parameters:
    ///   - file: its name in messages.
    ///   - now: seconds after midnight: it decides only how times of the day and `NOW` follow each other where a file has both.
    /// - Throws: everything that is wrong with it, each with its place.
    package static func parse(bytes: [UInt8], file: String, now: Int = 0) throws(Diagnostics) -> SBaGenSequence {
        let source = try SequenceText(bytes: bytes, file: file)
        var reader = SequenceReader(source)
        for number in 1...source.lineCount { reader.read(source.line(number)) }
        let sequence = reader.finish(now: now)
        guard source.faults.isEmpty else { throw Diagnostics(source.faults) }
        return sequence
    }
}

/// Reads a sequence line by line; what is wrong is reported, and the next line read.
struct SequenceReader {
    typealias Word = SequenceText.Word
    typealias Place = SequenceText.Place

    let source: SequenceText
    private var options: OptionReader
    private var sequence = SBaGenSequence(lines: [])
    private var definitions: [String: Definition] = [:]
    /// What the numbers of waves mean now.
    private var waves: [Int: Int] = [:]
    private var block: OpenBlock?
    /// `+0:30` is added to it.
    private var base: SBaGenSequence.Time?
    /// Of each time line.
    private var places: [Place] = []
    private var hasBegun = false
    /// A sequence with a fault in it may lack times for that reason alone.
    private var isTooLong = false
    private var notPlayed: [SequenceFault] = []

    /// What a name means from its line on.
    private enum Definition {
        case set(SBaGenSequence.ToneSet)
        case block([BlockLine])
        /// It is there, but wrong: nothing more is said of it.
        case faulty
    }

    /// A line of a block, its time counted from where the block is called.
    private struct BlockLine {
        var offset: Int
        var line: SBaGenSequence.TimeLine
    }

    private struct OpenBlock {
        var name: String
        var place: Place
        var lines: [BlockLine] = []
        var isFaulty = false
    }

    init(_ source: SequenceText) {
        self.source = source
        options = OptionReader(source)
    }

    mutating func read(_ line: SequenceText.Line) {
        if let description = line.description { sequence.description.append(description) }
        guard let first = line.words.first else { return }
        if first.text.hasPrefix("-") {
            if hasBegun { source.report(.lateOption, at: first.place) } else { options.read(line) }
            return
        }
        hasBegun = true
        if first.text == "}" {
            closeBlock(line)
        } else if first.text.hasSuffix(":"), first.text.first?.isLetter == true {
            define(line)
        } else if isTime(first.text) {
            schedule(line)
        } else {
            source.report(.noLine(first.text), at: first.place)
        }
    }

    mutating func finish(now: Int) -> SBaGenSequence {
        if let block { source.report(.blockNotClosed(block.name), at: block.place) }
        if let words = options.immediate {
            if let place = places.first { source.report(.immediateAndTimes, at: place) }
            sequence.lines = [.init(.now(0), .init(name: "", voices: voices(words)))]
            places = [Place(line: 0, column: 0)]
        }
        sequence.options = options.options
        if sequence.lines.isEmpty, source.faults.isEmpty { source.report(.noTimes, at: Place(line: 0, column: 0)) }
        sequence.remarks = options.remarks
        for (fault, place) in remarks { sequence.remarks.append(source.diagnostic(.sequence(fault), at: place)) }
        guard source.faults.isEmpty else { return sequence }
        checkOrder(now: now)
        if options.options.mixFile != nil, !remarks.contains(where: { $0.0 == .mixNotPlayed }) {
            sequence.remarks.append(source.diagnostic(.sequence(.mixNotPlayed), at: Place(line: 0, column: 0)))
        }
        if let loudest = sequence.lines.indices.max(by: { sequence.loudness($0) < sequence.loudness($1) }),
            sequence.loudness(loudest) > 100 * (1 + 1e-9)
        {
            sequence.remarks.append(
                source.diagnostic(.sequence(.scaled(percent: sequence.loudness(loudest))), at: places[loudest]))
        }
        return sequence
    }

    private var remarks: [(SequenceFault, Place)] = []

    /// Once round the day is all there is.
    private func checkOrder(now: Int) {
        let seconds = sequence.lines.map { $0.time.seconds(now: now) }
        var passed = 0
        for index in seconds.indices.dropFirst() {
            passed += (seconds[index] - seconds[index - 1] + SBaGenSequence.day) % SBaGenSequence.day
            if passed > SBaGenSequence.day { return source.report(.beyondDay, at: places[index]) }
        }
        let options = sequence.options
        if options.startsAtFirst, options.endsAtLast, passed == 0, let place = places.last { source.report(.emptySpan, at: place) }
    }
}

// MARK: Definitions

extension SequenceReader {
    private mutating func define(_ line: SequenceText.Line) {
        let word = line.words[0]
        let name = String(word.text.dropLast())
        guard block == nil else { return source.report(.blockInsideBlock, at: word.place) }
        guard Self.isName(name) else { return source.report(.badName(name), at: word.place) }
        if let number = Self.waveNumber(name) { return defineWave(number, line) }
        guard line.words.count > 1 else {
            definitions[name] = .faulty
            return source.report(.definitionWithoutVoices(name), at: word.place)
        }
        if line.words[1].text == "{" {
            if line.words.count > 2 { source.report(.surplus(line.words[2].text, after: "`{`"), at: line.words[2].place) }
            block = OpenBlock(name: name, place: word.place)
            return
        }
        let limit = SBaGenSequence.ToneSet.maximumVoiceCount
        if line.words.count - 1 > limit {
            source.report(.tooManyVoices(line.words.count - 1, limit: limit), at: line.words[limit + 1].place)
        }
        let count = source.faults.count
        let voices = voices(Array(line.words[1...].prefix(limit)))
        definitions[name] = source.faults.count > count ? .faulty : .set(.init(name: name, voices: voices))
    }

    private mutating func voices(_ words: [Word]) -> [SequenceVoice] {
        words.compactMap { word in
            var reader = VoiceReader(
                word, waveform: options.options.waveform, waves: waves, source: source)
            guard let voice = reader.voice() else { return nil }
            if voice.kind == .mix, remarks.isEmpty { remarks.append((.mixNotPlayed, word.place)) }
            return voice
        }
    }

    private mutating func defineWave(_ number: Int, _ line: SequenceText.Line) {
        var samples: [Double] = []
        for word in line.words.dropFirst() {
            guard let sample = NumberText.parse(word.text), sample.isFinite else {
                source.report(.badWave(word.text), at: word.place)
                continue
            }
            samples.append(sample)
        }
        // Each is taken twice.
        let limit = Layer.tableSizes.upperBound / 2
        if line.words.count - 1 < 2 { source.report(.waveTooShort(line.words.count - 1), at: line.start) }
        if samples.count > limit { source.report(.waveTooLong(limit: limit), at: line.words[limit + 1].place) }
        let version = waves[number].map { $0 + 100 } ?? number
        waves[number] = version
        sequence.waves[version] = Array(samples.prefix(limit))
    }

    private mutating func closeBlock(_ line: SequenceText.Line) {
        guard let open = block else { return source.report(.strayBrace, at: line.start) }
        block = nil
        if line.words.count > 1 { source.report(.surplus(line.words[1].text, after: "`}`"), at: line.words[1].place) }
        if open.lines.isEmpty, !open.isFaulty { source.report(.emptyBlock(open.name), at: open.place) }
        definitions[open.name] = open.isFaulty || open.lines.isEmpty ? .faulty : .block(open.lines)
    }

    static func isName(_ text: String) -> Bool {
        func isLetter(_ scalar: Unicode.Scalar) -> Bool { ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) }
        guard let first = text.unicodeScalars.first, isLetter(first) else { return false }
        return text.unicodeScalars.allSatisfy { isLetter($0) || ("0"..."9").contains($0) || $0 == "_" || $0 == "-" }
    }

    /// The NN of `waveNN`.
    private static func waveNumber(_ name: String) -> Int? {
        name.utf8.count == 6 && name.hasPrefix("wave") && name.dropFirst(4).allSatisfy { $0.isASCII && $0.isNumber }
            ? Int(name.dropFirst(4)) : nil
    }
}

// MARK: Times

extension SequenceReader {
    private func isTime(_ text: String) -> Bool {
        text.hasPrefix("NOW") || text.hasPrefix("+") || text.unicodeScalars.first.map { ("0"..."9").contains($0) } == true
    }

    /// `TIME [FADE] NAME ["->"]`
    private mutating func schedule(_ line: SequenceText.Line) {
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

    /// At a time, or to the block that is open.
    private mutating func add(_ lines: [BlockLine], start: SBaGenSequence.Time?, offset: Int, at place: Place) {
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

    /// `NOW`, a clock or nothing, and what is added to it.
    private func time(_ word: Word) -> (named: SBaGenSequence.Time?, offset: Int)? {
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

    private func fail<T>(_ word: Word) -> T? {
        source.report(.badTime(word.text), at: word.place)
        return nil
    }

    private static func fades(_ text: String) -> (SBaGenSequence.FadeIn, SBaGenSequence.FadeOut)? {
        guard text.count == 2, let first = text.first, let last = text.last, let fadeIn = SBaGenSequence.FadeIn(rawValue: first),
            let fadeOut = SBaGenSequence.FadeOut(rawValue: last)
        else { return nil }
        return (fadeIn, fadeOut)
    }
}

extension SBaGenSequence.Time {
    /// The same kind of time, later round the day.
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
