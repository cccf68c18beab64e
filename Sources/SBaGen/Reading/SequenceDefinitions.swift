import Patches

/// The meaning of a name from its line on.
enum SequenceDefinition {
    case set(SBaGenSequence.ToneSet)
    case block([SequenceBlockLine])
    /// Defined, but faulty: its uses are not reported.
    case faulty
}

/// A line of a block, its time counted from where the block is called.
struct SequenceBlockLine {
    var offset: Int
    var line: SBaGenSequence.TimeLine
}

/// A block that is being read.
struct OpenSequenceBlock {
    var name: String
    var place: SequenceText.Place
    var lines: [SequenceBlockLine] = []
    var isFaulty = false
}

/// Reading of tone-sets, waves and blocks.
extension SequenceReader {
    mutating func define(_ line: SequenceText.Line) {
        let word = line.words[0]
        let name = String(word.text.dropLast())
        guard block == nil else { return source.report(.blockInsideBlock, at: word.place) }
        if !SequenceWord.isName(name) {
            guard SequenceWord.isLaterName(name) else { return source.report(.badName(name), at: word.place) }
            notePart(ofSBaGenX: "the name `\(name)`", at: word.place)
        }
        if let number = SequenceWord.waveNumber(name) { return defineWave(number, line) }
        if let shape = SequenceWord.shape(name), line.words.count > 1, !SequenceWord.isVoice(line.words[1].text), line.words[1].text != "{"
        {
            notePart(ofSBaGenX: "`\(name)`", at: word.place)
            return shapes.define(shape.kind, shape.number, line, in: source)
        }
        guard line.words.count > 1 else {
            definitions[name] = .faulty
            return source.report(.definitionWithoutVoices(name), at: word.place)
        }
        if line.words[1].text == "{" {
            if line.words.count > 2 { source.report(.surplus(line.words[2].text, after: "`{`"), at: line.words[2].place) }
            block = OpenSequenceBlock(name: name, place: word.place)
            return
        }
        let count = source.faults.count
        let voices = limitedVoices(Array(line.words[1...]))
        // A faulty definition among them was reported where it stands.
        let isFaulty = line.words[1...].contains { if case .faulty = definitions[$0.text] { true } else { false } }
        definitions[name] = isFaulty || source.faults.count > count ? .faulty : .set(.init(name: name, voices: voices))
    }

    /// The voices of a definition; in SBaGenX's dialect, the name of a tone-set stands for its voices.
    mutating func voices(_ words: [Word]) -> [SequenceVoice] {
        words.flatMap { word -> [SequenceVoice] in
            if !SequenceWord.isVoice(word.text), let definition = definitions[word.text] {
                notePart(ofSBaGenX: "a name among voices", at: word.place)
                if case .set(let set) = definition { return set.voices }
                if case .block = definition { source.report(.blockAmongVoices(word.text), at: word.place) }
                return []
            }
            var reader = VoiceReader(
                word, waveform: options.options.waveform, waves: waves, shapes: shapes, modulation: options.options.modulation,
                source: source)
            guard let voice = reader.voice() else { return [] }
            if let part = reader.partOfSBaGenX { notePart(ofSBaGenX: part, at: word.place) }
            if let remark = reader.remark { remarks.append((remark, word.place)) }
            if case .wave = voice.kind, firstWave == nil { firstWave = word.place }
            if voice.kind.isOfFile, options.options.mixFile == nil, !hasSilentMix {
                hasSilentMix = true
                remarks.append((.mixWithoutFile, word.place))
            }
            return [voice]
        }
    }

    /// The voices of words that are a tone-set; too many are reported.
    mutating func limitedVoices(_ words: [Word]) -> [SequenceVoice] {
        let limit = SBaGenSequence.ToneSet.maximumVoiceCount
        if words.count > limit { source.report(.tooManyVoices(words.count, limit: limit), at: words[limit].place) }
        let voices = voices(Array(words.prefix(limit)))
        if words.count <= limit, voices.count > limit { source.report(.tooManyVoices(voices.count, limit: limit), at: words[0].place) }
        return voices
    }

    mutating func defineWave(_ number: Int, _ line: SequenceText.Line) {
        let version = waves[number].map { $0 + 100 } ?? number
        waves[number] = version
        sequence.waves[version] = SequenceWave.samples(line, in: source)
    }

    mutating func closeBlock(_ line: SequenceText.Line) {
        guard let open = block else { return source.report(.strayBrace, at: line.start) }
        block = nil
        if line.words.count > 1 { source.report(.surplus(line.words[1].text, after: "`}`"), at: line.words[1].place) }
        if open.lines.isEmpty, !open.isFaulty { source.report(.emptyBlock(open.name), at: open.place) }
        definitions[open.name] = open.isFaulty || open.lines.isEmpty ? .faulty : .block(open.lines)
    }
}
