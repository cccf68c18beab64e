import PatchFiles
import Patches

/// Reads the start of a file that a sequence names, its sound file or one of formulas: at least `limit` bytes of it, and a byte more if there is
/// one; `nil` if it cannot be read.
package typealias SequenceFiles = (_ name: String, _ limit: Int) -> [UInt8]?

extension SBaGenSequence {
    /// Parses a sequence from the bytes of a file.
    ///
    /// - Parameters:
    ///   - file: The file's name in messages.
    ///   - dialect: What it is read as; `nil` is SBaGenX's if the file has something that only SBaGenX reads, and else SBaGen's.
    ///   - now: Seconds after midnight. It only decides the order of times of day and `NOW` if a file has both.
    ///   - files: Reads files that the sequence names.
    /// - Throws: All faults in it, each with its place.
    package static func parse(
        bytes: [UInt8], file: String, dialect: SequenceDialect? = nil, now: Int = 0, files: @escaping SequenceFiles = { _, _ in nil }
    ) throws(Diagnostics) -> SBaGenSequence {
        let source = try SequenceText(bytes: bytes, file: file)
        var reader = SequenceReader(source, dialect: dialect, files: files)
        for number in 1...source.lineCount { reader.read(source.line(number)) }
        let sequence = reader.finish(now: now)
        guard source.faults.isEmpty else { throw source.diagnostics() }
        return sequence
    }
}

/// Reads a sequence line by line; faults are reported, and the next line is read.
struct SequenceReader {
    typealias Word = SequenceText.Word
    typealias Place = SequenceText.Place
    typealias BlockLine = SequenceBlockLine

    let source: SequenceText
    /// The dialect that was asked for.
    let wantedDialect: SequenceDialect?
    let files: SequenceFiles
    var options: OptionReader
    var sequence = SBaGenSequence(lines: [])
    var definitions: [String: SequenceDefinition] = [:]
    /// The current meaning of wave numbers: keys of ``SBaGenSequence/waves``.
    var waves: [Int: Int] = [:]
    /// SBaGenX's drawn shapes.
    var shapes = SequenceShapes()
    var block: OpenSequenceBlock?
    /// The time that relative times such as `+0:30` are added to.
    var base: SBaGenSequence.Time?
    /// The place of each time line.
    var places: [Place] = []
    var hasBegun = false
    /// Whether too many lines have been reported.
    var isTooLong = false
    /// Whether a sound file that is missing has been reported.
    var hasSilentMix = false
    /// The place of the first voice with a `waveNN`.
    var firstWave: Place?
    /// Remarks on what is not played as written, with their places.
    var remarks: [(SequenceFault, Place)] = []

    init(_ source: SequenceText, dialect: SequenceDialect?, files: @escaping SequenceFiles) {
        (self.source, self.files, wantedDialect) = (source, files, dialect)
        sequence.dialect = dialect ?? (source.hasVoiceLines ? .sbagenx : .sbagen)
        options = OptionReader(source)
    }

    mutating func read(_ line: SequenceText.Line) {
        if let description = line.description { sequence.description.append(description) }
        if let comment = line.laterComment { notePart(ofSBaGenX: "a comment behind `;` or `//`", at: comment) }
        guard let first = line.words.first else { return }
        if source.hasVoiceLines { return VoiceLine(line: line).add(to: &self) }
        if first.text.hasPrefix("-") {
            if hasBegun { return source.report(.lateOption, at: first.place) }
            options.read(line)
            if let part = options.takePartOfSBaGenX() { notePart(ofSBaGenX: part.what, at: part.place) }
            return
        }
        hasBegun = true
        if first.text == "}" {
            closeBlock(line)
        } else if first.text.hasSuffix(":"), first.text.first?.isLetter == true || SequenceWord.isLaterName(String(first.text.dropLast())) {
            define(line)
        } else if SequenceWord.isTime(first.text) {
            schedule(line)
        } else {
            source.report(.noLine(first.text), at: first.place)
            // A definition without a blank behind its colon is not missing as well.
            let name = String(first.text.prefix { $0 != ":" })
            if name != first.text, SequenceWord.isName(name) { definitions[name] = .faulty }
        }
    }

    mutating func finish(now: Int) -> SBaGenSequence {
        if let block { source.report(.blockNotClosed(block.name), at: block.place) }
        if let words = options.immediate {
            if let place = places.first { source.report(.immediateAndTimes("-i"), at: place) }
            (sequence.lines, places) = ([.init(.now(0), .init(name: "", voices: limitedVoices(words)))], [Place(line: 0, column: 0)])
        }
        if let generated = options.generated {
            if let place = places.first { source.report(.immediateAndTimes("-p"), at: place) }
            generate(generated.words, at: generated.place)
        }
        options.checkMixCourse()
        if let name = options.options.mixFile, let head = files(name, MixTags.reach) { options.apply(MixTags(head)) }
        if source.hasVoiceLines, sequence.lines.count > 1 { options.startsAndEnds() }
        sequence.options = options.options
        if sequence.lines.isEmpty, source.faults.isEmpty {
            source.report(source.hasVoiceLines ? .noVoiceLines : .noTimes, at: Place(line: 0, column: 0))
        }
        if sequence.dialect == .sbagenx, let firstWave { remarks.append((.waveOfTone, firstWave)) }
        sequence.remarks = SequenceText.merged(options.remarks + remarks.map { source.diagnostic($0.0, at: $0.1) })
        guard source.faults.isEmpty else { return sequence }
        if let (fault, line) = sequence.faultOfTimes(now: now) { source.report(fault, at: places[line]) }
        sequence.envelopes = shapes.drawn
        if let (fault, line) = sequence.resolveMix() { source.report(fault, at: places[min(line, places.count - 1)]) }
        guard source.faults.isEmpty else { return sequence }
        if sequence.hasTooManyLayers { source.report(.tooManyLayers(limit: Patch.maximumLayerCount), at: places[0]) }
        sequence.giveWayToTones()
        let loudness = sequence.loudness
        if let loudest = loudness.indices.max(by: { loudness[$0] < loudness[$1] }), loudness[loudest] > 100 * (1 + 1e-9) {
            sequence.remarks.append(source.diagnostic(SequenceFault.scaled(percent: loudness[loudest]), at: places[loudest]))
        }
        return sequence
    }
}

extension SBaGenSequence {
    /// Times that go around the day more than once, or an empty span, and the line at which this is noticed; `nil` if all are right.
    fileprivate func faultOfTimes(now: Int) -> (fault: SequenceFault, line: Int)? {
        let seconds = lines.map { $0.time.seconds(now: now) }
        var passed = 0
        for index in seconds.indices.dropFirst() {
            passed += (seconds[index] - seconds[index - 1] + Self.day) % Self.day
            if passed > Self.day { return (.beyondDay, index) }
        }
        let isEmpty = lines.count > 1 && passed == 0 && options.startTime == nil
        return isEmpty && options.startsAtFirst && options.endsAtLast ? (.emptySpan, lines.count - 1) : nil
    }
}
