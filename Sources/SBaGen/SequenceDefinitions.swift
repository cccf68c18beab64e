import Patches

/// Reading of tone-sets, waves and blocks.
extension SequenceReader {
    mutating func define(_ line: SequenceText.Line) {
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

    mutating func voices(_ words: [Word]) -> [SequenceVoice] {
        words.compactMap { word in
            var reader = VoiceReader(
                word, waveform: options.options.waveform, waves: waves, source: source)
            guard let voice = reader.voice() else { return nil }
            if let remark = reader.remark { remarks.append((remark, word.place)) }
            if voice.kind == .mix, options.options.mixFile == nil, !remarks.contains(where: { $0.0 == .mixWithoutFile }) {
                remarks.append((.mixWithoutFile, word.place))
            }
            return voice
        }
    }

    mutating func defineWave(_ number: Int, _ line: SequenceText.Line) {
        var samples: [Double] = []
        for word in line.words.dropFirst() {
            guard let sample = NumberText.parse(word.text), sample.isFinite else {
                source.report(.badWave(word.text), at: word.place)
                continue
            }
            samples.append(sample)
        }
        // Each sample is used twice.
        let limit = Layer.tableSizes.upperBound / 2
        if line.words.count - 1 < 2 { source.report(.waveTooShort(line.words.count - 1), at: line.start) }
        if samples.count > limit { source.report(.waveTooLong(limit: limit), at: line.words[limit + 1].place) }
        let version = waves[number].map { $0 + 100 } ?? number
        waves[number] = version
        sequence.waves[version] = Array(samples.prefix(limit))
    }

    mutating func closeBlock(_ line: SequenceText.Line) {
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

    /// The NN of `waveNN`; `nil` for any other name.
    static func waveNumber(_ name: String) -> Int? {
        name.utf8.count == 6 && name.hasPrefix("wave") && name.dropFirst(4).allSatisfy { $0.isASCII && $0.isNumber }
            ? Int(name.dropFirst(4)) : nil
    }
}
