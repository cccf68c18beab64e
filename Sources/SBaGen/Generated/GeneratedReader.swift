import Patches

/// The course that a word of `-p` describes.
enum GeneratedShape {
    case drop(GeneratedSequence.Drop)
    case sigmoid(GeneratedSequence.Drop)
    case slide(SequenceVoice)

    /// The course as a sequence; `nil` if it is too long, or a sigmoid too flat.
    ///
    /// - Parameters:
    ///   - minutes: its times; `nil` is the usual ones.
    ///   - fade: seconds of the fade at the end, in SBaGenX.
    func sequence(_ dialect: SequenceDialect, _ minutes: [Int]?, fade: Double) -> GeneratedSequence? {
        switch self {
        case .slide(let voice): GeneratedSequence(slide: voice, minutes: minutes?[0], fade: dialect == .sbagenx ? fade : nil)
        case .drop(let drop) where dialect == .sbagen: GeneratedSequence(drop: drop, minutes: minutes)
        case .drop(let drop): GeneratedSequence(sbagenx: drop, curve: nil, minutes: minutes, fade: fade)
        case .sigmoid(let drop): GeneratedSequence(sbagenx: drop, curve: drop.curve ?? .init(), minutes: minutes, fade: fade)
        }
    }
}

extension GeneratedShape {
    /// How long it leads down, with what is held there, and back.
    func times(_ minutes: [Int]?) -> MixDips.Session {
        switch self {
        case .slide: MixDips.Session(fall: 60 * (minutes?[0] ?? 30), wake: 0)
        case .drop(let drop), .sigmoid(let drop): MixDips.Session(drop, minutes ?? [30, 30, 3])
        }
    }
}

extension MixDips.Session {
    /// - Parameter minutes: Minutes of the drop, of the hold at its end, and of the return.
    init(_ drop: GeneratedSequence.Drop, _ minutes: [Int]) {
        self.init(fall: 60 * (minutes[0] + (drop.isHeld ? minutes[1] : 0)), wake: drop.wakes ? 60 * minutes[2] : 0)
    }
}

extension SequenceReader {
    /// Generates the session that the words after `-p` describe; faults are reported.
    mutating func generate(_ words: [Word], at place: Place) {
        guard let first = words.first, let kind = GeneratedKind(rawValue: first.text) else {
            return source.report(.generatedKind(words.first?.text), at: words.first?.place ?? place)
        }
        if kind == .sigmoid || kind == .curve { notePart(ofSBaGenX: "`-p \(kind)`", at: first.place) }
        var rest = words.dropFirst()
        func isLength(_ word: Word) -> Bool {
            // A file of formulas may begin with a t, too.
            word.text.hasPrefix("t") && (kind != .curve || word.text.dropFirst().first?.isNumber == true)
        }
        var length = rest.first.map(isLength) == true ? rest.popFirst() : nil
        let formulas = kind == .curve ? rest.popFirst() : nil
        // SBaGenX has the times of a curve behind its file.
        if formulas != nil, length == nil, let word = rest.first, isLength(word) { length = rest.popFirst() }
        let minutes = length.flatMap { kind.minutes($0.text) }
        if let length, minutes == nil { return source.report(.generatedLength(length.text, isDrop: kind != .slide), at: length.place) }
        guard let word = rest.popFirst() else {
            return source.report(.generatedCourse(nil, kind), at: first.place)
        }
        // The voices decide the dialect, too.
        let limit = SBaGenSequence.ToneSet.maximumVoiceCount
        if rest.count >= limit { source.report(.tooManyVoices(rest.count + 1, limit: limit), at: rest[rest.startIndex + limit - 1].place) }
        let others = voices(Array(rest.prefix(limit)))
        if others.count >= limit {
            if rest.count < limit { source.report(.tooManyVoices(others.count + 1, limit: limit), at: rest[rest.startIndex].place) }
            return
        }
        let fade = options.hasFade ? options.options.fade : 10
        if let formulas {
            switch GeneratedCurve.lines(
                of: word.text, by: formulas.text, minutes, options.options.waveform, with: others, fade: fade, files)
            {
            case .success(let session):
                if session.isRough { remarks.append((.roughCurve(formulas.text), formulas.place)) }
                use(session.lines, session.times, at: place)
            case .failure(.course): source.report(.generatedCourse(word.text, kind), at: word.place)
            case .failure(.formulas(let reason)): source.report(.formulas(formulas.text, reason), at: formulas.place)
            }
            return
        }
        guard let course = course(kind, word) else { return }
        guard let generated = course.sequence(sequence.dialect, minutes, fade: fade) else {
            // Without times of its own only a curve can be at fault.
            let isTooLong = (minutes ?? []).reduce(0, +) > GeneratedSequence.longest
            guard let length, isTooLong || kind != .sigmoid else { return source.report(.flatSigmoid, at: word.place) }
            return source.report(.generatedLength(length.text, isDrop: kind != .slide), at: length.place)
        }
        use(generated.lines(options.options.waveform, with: others), course.times(minutes), at: place)
    }

    private mutating func use(_ lines: [SBaGenSequence.TimeLine], _ times: MixDips.Session, at place: Place) {
        sequence.lines = options.alongMixDips(lines, of: times)
        places = sequence.lines.map { _ in place }
        options.startsAndEnds()
    }

    /// The course that a word describes; `nil`, reported, if it is invalid.
    private mutating func course(_ kind: GeneratedKind, _ word: Word) -> GeneratedShape? {
        if kind == .slide {
            let found = voices([word])
            guard let voice = found.first else { return nil }
            switch voice.kind {
            case .tone where found.count == 1: return .slide(voice)
            case .pulses where found.count == 1, .monaural where found.count == 1:
                notePart(ofSBaGenX: "a slide of another kind", at: word.place)
                return .slide(voice)
            default: break
            }
        } else if let drop = GeneratedSequence.Drop(word.text), kind == .sigmoid || drop.curve == nil {
            if let part = drop.partOfSBaGenX { notePart(ofSBaGenX: part, at: word.place) }
            return kind == .sigmoid ? .sigmoid(drop) : .drop(drop)
        }
        source.report(.generatedCourse(word.text, kind), at: word.place)
        return nil
    }
}
