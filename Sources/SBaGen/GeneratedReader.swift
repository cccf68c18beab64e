import Patches

extension SequenceReader {
    /// Generates the session that the words after `-p` describe; faults are reported.
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
        sequence.lines = generated.lines(options.options.waveform, with: others)
        places = sequence.lines.map { _ in place }
        options.startsAndEnds()
    }
}
