import Patches

/// The words of a time line behind its time: names and voices in any order, with codes before or behind them.
struct LineContents {
    var fades = (SBaGenSequence.FadeIn.pitch, SBaGenSequence.FadeOut.pitch)
    var move = SBaGenSequence.Move.straight
    var slides = false
    var voices: [SequenceVoice] = []
    /// The first name, which is the title of the line.
    var name = ""
    /// Lines of a block, which stands alone.
    var block: [SequenceReader.BlockLine]?
}

extension SequenceReader {
    /// Notes something that only SBaGenX reads, which decides the dialect of the file; an error if another one was asked for.
    mutating func notePart(ofSBaGenX what: String, at place: Place) {
        if wantedDialect == .sbagen { return source.report(.otherDialect(what), at: place) }
        guard sequence.dialect == .sbagen else { return }
        sequence.dialect = .sbagenx
        remarks.append((.dialect(what), place))
    }

    /// The contents of a line; `nil`, reported, if they are not valid.
    mutating func contents(_ words: ArraySlice<Word>, of line: SequenceText.Line) -> LineContents? {
        var contents = LineContents()
        var things: [Word] = []
        var arrow: Word?
        for (index, word) in zip(words.indices, words) {
            if let codes = SequenceWord.fades(word.text) {
                let isFirst = index == words.startIndex
                if word.text == "->", !isFirst {
                    if arrow != nil { return refuse(word, after: "`->`") }
                    if things.isEmpty { notePart(ofSBaGenX: "a code behind another one", at: word.place) } else { arrow = word }
                    (contents.slides, contents.move) = (true, .slide)
                    continue
                }
                if !isFirst { notePart(ofSBaGenX: things.isEmpty ? "a code behind another one" : "a code behind the name", at: word.place) }
                contents.fades = codes
                contents.move = word.text == "->" ? .slide : word.text.contains("=") ? .hold : .straight
            } else if !things.isEmpty, let move = SequenceWord.moves[word.text], definitions[word.text] == nil {
                notePart(ofSBaGenX: "`\(word.text)`", at: word.place)
                contents.move = move
            } else {
                if arrow != nil { return refuse(word, after: "`->`") }
                things.append(word)
            }
        }
        guard let first = things.first else {
            source.report(.lineWithoutName, at: line.words[line.words.count - 1].place)
            return nil
        }
        if let half = HalfDay(first.text), definitions[first.text] == nil {
            source.report(.halfDay(first.text, meant: half.time(line.words[0].text)), at: first.place)
            return nil
        }
        return add(things, first, arrow, to: contents)
    }

    private mutating func add(_ things: [Word], _ first: Word, _ arrow: Word?, to contents: LineContents) -> LineContents? {
        var contents = contents
        if things.count == 1, !SequenceWord.isVoice(first.text) {
            guard SequenceWord.isName(first.text) || SequenceWord.isLaterName(first.text) else {
                source.report(.badName(first.text), at: first.place)
                return nil
            }
        }
        contents.name = things.first { !SequenceWord.isVoice($0.text) }?.text ?? ""
        // A second word that is neither a known name nor a voice is surplus in every dialect.
        if let word = things.dropFirst().first(where: { !SequenceWord.isVoice($0.text) && definitions[$0.text] == nil }) {
            return refuse(word, after: "the name")
        }
        if let voice = things.first(where: { SequenceWord.isVoice($0.text) }) {
            notePart(ofSBaGenX: "a voice in a time line", at: voice.place)
        } else if things.count > 1 {
            notePart(ofSBaGenX: "several names in a time line", at: things[1].place)
        }
        let limit = SBaGenSequence.ToneSet.maximumVoiceCount
        guard things.count <= limit else {
            source.report(.tooManyVoices(things.count, limit: limit), at: things[limit].place)
            return nil
        }
        var isFaulty = false
        for word in things {
            if SequenceWord.isVoice(word.text) {
                let found = voices([word])
                if found.isEmpty { isFaulty = true }
                contents.voices += found
                continue
            }
            switch definitions[word.text] {
            case nil:
                source.report(.unknownName(word.text, near: closest(to: word.text, among: definitions.keys.sorted())), at: word.place)
                return nil
            case .faulty: isFaulty = true
            case .set(let set):
                contents.voices += set.voices
            case .block(let lines):
                guard things.count == 1 else { return refuse(word.place == first.place ? things[1] : word, after: "the name") }
                if let arrow { source.report(.arrowBehindBlock(word.text), at: arrow.place) }
                contents.block = lines
            }
        }
        if isFaulty {
            block?.isFaulty = true
            return nil
        }
        if contents.voices.count > limit {
            source.report(.tooManyVoices(contents.voices.count, limit: limit), at: first.place)
            return nil
        }
        return contents
    }

    private func refuse(_ word: Word, after: String) -> LineContents? {
        source.report(.surplus(word.text, after: after), at: word.place)
        return nil
    }
}
