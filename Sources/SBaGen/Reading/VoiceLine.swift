import Patches

/// A line of a `.sbxseq` file, which SBaGenX's library reads: `TIME[s|m|h] VOICE [linear | ramp | step | hold]`, from the start of the file on.
struct VoiceLine {
    let line: SequenceText.Line

    /// Adds the line to a sequence; its faults are reported there.
    func add(to reader: inout SequenceReader) {
        guard let first = line.words.first else { return }
        guard let seconds = Self.seconds(first.text) else { return reader.source.report(.badOffset(first.text), at: first.place) }
        if case .now(let last)? = reader.sequence.lines.last?.time, seconds <= last {
            return reader.source.report(.earlierOffset(first.text), at: first.place)
        }
        let words = line.words.dropFirst()
        guard let voice = words.first, SequenceWord.isVoice(voice.text) else {
            return reader.source.report(.lineWithoutVoice, at: words.first?.place ?? first.place)
        }
        let moves = words.dropFirst()
        if let word = moves.first(where: { SequenceWord.moves[$0.text] == nil }) ?? moves.dropFirst().first {
            return reader.source.report(.surplus(word.text, after: "the voice"), at: word.place)
        }
        // Without a line at 0, the first voice sounds from there on.
        if reader.sequence.lines.isEmpty, seconds > 0 { add(voice, .hold, at: 0, to: &reader) }
        let move = moves.first.flatMap { SequenceWord.moves[$0.text] }
        add(voice, move == .hold ? .hold : .direct, at: seconds, to: &reader)
    }

    private func add(_ voice: SequenceText.Word, _ move: SBaGenSequence.Move, at seconds: Int, to reader: inout SequenceReader) {
        guard let contents = reader.contents([voice], of: line) else { return }
        let timeLine = SBaGenSequence.TimeLine(.now(seconds), .init(name: "", voices: contents.voices), move: move)
        reader.add([SequenceBlockLine(offset: 0, line: timeLine)], start: timeLine.time, offset: 0, at: line.start)
    }

    /// Whole seconds below a day, written as seconds, minutes or hours; `nil` for anything else.
    private static func seconds(_ text: String) -> Int? {
        let factor = text.last.flatMap { ["s": 1.0, "m": 60, "h": 3600][$0] }
        let number = factor == nil ? Substring(text) : text.dropLast()
        guard number.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let value = Double(number) else { return nil }
        let seconds = (value * (factor ?? 1)).rounded()
        guard seconds < Double(SBaGenSequence.day), abs(seconds - value * (factor ?? 1)) < 1e-6 else { return nil }
        return Int(seconds)
    }
}
