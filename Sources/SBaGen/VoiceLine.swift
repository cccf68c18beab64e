import Patches

/// A line of a `.sbxseq` file, which SBaGenX's library reads: `TIME[s|m|h] VOICE [linear | ramp | step | hold]`, from the start of the file on.
struct VoiceLine {
    let words: SequenceText.Line

    /// Adds the line to a sequence; its faults are reported there.
    func add(to reader: inout SequenceReader) {
        guard let first = words.words.first else { return }
        guard let seconds = Self.seconds(first.text) else { return reader.source.report(.badOffset(first.text), at: first.place) }
        if case .now(let last)? = reader.sequence.lines.last?.time, seconds < last {
            return reader.source.report(.earlierOffset(first.text), at: first.place)
        }
        if let second = words.words.dropFirst().filter({ SequenceWord.isVoice($0.text) }).dropFirst().first {
            return reader.source.report(.surplus(second.text, after: "the voice"), at: second.place)
        }
        guard let contents = reader.contents(words.words[1...], of: words) else { return }
        let timeLine = SBaGenSequence.TimeLine(
            .now(seconds), fadeIn: contents.fades.0, fadeOut: contents.fades.1, .init(name: contents.name, voices: contents.voices),
            slides: contents.slides, move: contents.move)
        reader.add([SequenceBlockLine(offset: 0, line: timeLine)], start: timeLine.time, offset: 0, at: words.start)
    }

    /// Whole seconds below a day, written as seconds, minutes or hours; `nil` for anything else.
    private static func seconds(_ text: String) -> Int? {
        let factor = text.last.flatMap { ["s": 1.0, "m": 60, "h": 3600][$0] }
        let number = factor == nil ? Substring(text) : text.dropLast()
        guard number.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let value = Double(number) else { return nil }
        let seconds = value * (factor ?? 1)
        guard seconds < Double(SBaGenSequence.day), abs(seconds - seconds.rounded()) < 1e-6 else { return nil }
        return Int(seconds.rounded())
    }
}
