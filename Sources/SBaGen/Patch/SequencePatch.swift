import Patches

extension SBaGenSequence {
    /// The level of a voice at 100 %, in dBFS: the default ceiling of the output.
    package static let headroom = -6.0

    /// The sequence as a patch: time lines become chapters, voices become layers, and all moves are straight lines.
    ///
    /// A voice has a layer for each kind of sound that it plays. A step takes the 20 ms before its time in the sequence, where the voice is
    /// usually silent, so that nothing clicks.
    ///
    /// - Parameter now: Seconds after midnight; see ``parse(bytes:file:now:)``.
    package func patch(now: Int = 0) -> Patch {
        let timeline = SequenceTimeline(self, now: now)
        let span = SequenceSpan(of: self, timeline, now: now)
        let tempo = options.speed ?? 1
        var layers: [Layer] = []
        var moves: [SequenceMove] = []
        var tables: [Int: [Double]] = [:]
        var names: Set<String> = []
        let percent = percent
        for (index, pieces) in timeline.voices.enumerated() {
            let all = pieces.within(span).map { $0.played(at: tempo) }
            let blends = all.contains { $0.from.kind != $0.to.kind }
            let kinds = all.flatMap { [$0.from.kind, $0.to.kind] }.reduce(into: [SequenceVoice.Kind]()) { kinds, kind in
                if kind.isPlayed(withFile: options.mixFile != nil), !kinds.contains(kind) { kinds.append(kind) }
            }
            for kind in kinds {
                let plain = "voice\(index + 1)" + (kinds.count > 1 ? "-\(kind.name)" : "")
                // Shapes may be defined again, and effects have a `mixam` or not.
                let name = names.contains(plain) ? (2...).lazy.map { "\(plain)-\($0)" }.first { !names.contains($0) } ?? plain : plain
                names.insert(name)
                if case .wave(let number) = kind, tables[number] == nil { tables[number] = SequenceWave.table(waves[number] ?? []) }
                let heard = blends ? pieces.map { $0.part(of: kind) }.within(span).map { $0.played(at: tempo) } : all
                for var course in courses(of: kind, name: name, percent, heard, tables) {
                    if kind == .bell {
                        for (position, bell) in strikes(ofVoice: index, timeline, span) { course.strike(bell, at: position / tempo) }
                    } else {
                        for piece in heard { course.add(piece) }
                    }
                    moves += course.moves.map { move in
                        var move = move
                        move.setting.layer = layers.count
                        return move
                    }
                    layers.append(course.layer)
                }
            }
        }
        if hasWholeMix {
            let whole = SequenceTimeline.Piece(0, span.length / tempo, wholeMix, wholeMix)
            var course = LayerCourse(.mix, name: SequenceVoice.Kind.mix.name, percent: percent, table: [], self)
            course.add(whole)
            layers.append(course.layer)
        }
        if layers.isEmpty { layers = [Layer(name: "silence", kind: .tone, values: [.gain: Parameter.off])] }
        var patch = Patch(duration: span.isEndless ? nil : span.length / tempo, layers: layers)
        patch.details.comment = String(decoding: description.joined(separator: "\n").utf8.prefix(4000), as: UTF8.self)
        patch.gainLaw = .amplitude
        patch.loops = span.loops
        patch.clock = span.clock
        (patch.chapters, patch.cues) = chapters(timeline, span, tempo, moves)
        return patch
    }

    /// Whether the patch will have more layers than a patch may have.
    var hasTooManyLayers: Bool {
        var total = hasWholeMix ? 1 : 0
        for voice in 0..<(lines.map(\.set.voices.count).max() ?? 0) {
            var kinds: [(kind: SequenceVoice.Kind, isWide: Bool)] = []
            for line in lines where line.set.voices.indices.contains(voice) {
                let voice = line.set.voices[voice]
                guard voice.kind.isPlayed(withFile: options.mixFile != nil) else { continue }
                if let place = kinds.lastIndex(where: { $0.kind == voice.kind }) {
                    if !kinds[place].isWide { kinds[place].isWide = isWide(voice.kind, [voice]) }
                } else {
                    kinds.append((voice.kind, isWide(voice.kind, [voice])))
                    if total + kinds.count > Patch.maximumLayerCount { return true }
                }
            }
            total += kinds.reduce(0) { $0 + ($1.isWide ? 2 : LayerPart.parts(of: $1.kind).count) }
        }
        return total > Patch.maximumLayerCount
    }

    /// Whether each ear has a layer of its own.
    private func isWide(_ kind: SequenceVoice.Kind, _ voices: [SequenceVoice]) -> Bool {
        kind.isApart || kind.hasTwoTones && voices.contains { !ParameterDescription.beat.range.contains($0.beat) }
    }

    /// The layers of a voice while it is of one kind: one, or one for each ear if its beat is beyond those of a layer.
    private func courses(
        of kind: SequenceVoice.Kind, name: String, _ percent: Double, _ pieces: [SequenceTimeline.Piece], _ tables: [Int: [Double]]
    ) -> [LayerCourse] {
        var table: [Double] = []
        if case .wave(let number) = kind { table = tables[number] ?? [] }
        let voices = pieces.filter { $0.kind == kind }.flatMap { [$0.from, $0.to] }
        guard isWide(kind, voices) else {
            let parts = LayerPart.parts(of: kind)
            return parts.map { part in
                var course = LayerCourse(
                    kind, name: parts.count == 1 ? name : "\(name)-\(part)", percent: percent, part: part, table: table, self)
                if case .wave = kind { course.turn(voices) }
                return course
            }
        }
        return SequenceEar.allCases.map { LayerCourse(kind, name: "\(name)-\($0)", percent: percent, ear: $0, table: table, self) }
    }

    /// The sum of each line's voices when their waves peak at once, in percent.
    var loudness: [Double] {
        let whole = hasWholeMix ? wholeMix.amplitude : 0
        return lines.map { line in
            var sum = whole
            for voice in line.set.voices where voice.kind.isPlayed(withFile: options.mixFile != nil) {
                sum += voice.amplitude * options.headphones.factor(of: voice, in: nil) * voice.kind.crest * voice.parts
            }
            return sum * options.volume / 100
        }
    }

    /// Whether the sound file of `-m` is played at full level, because no voice sets its level.
    private var hasWholeMix: Bool {
        options.mixFile != nil && !lines.contains { $0.set.voices.contains { $0.kind.isOfFile } }
    }

    private var wholeMix: SequenceVoice { SequenceVoice(.mix, amplitude: options.wholeMix) }

    /// Makes noise, bells and the sound file softer where `-c` would lead a tone-set beyond 100 %, as SBaGen does.
    mutating func giveWayToTones() {
        guard !options.headphones.isFlat else { return }
        var least = 1.0
        let (loudness, whole) = (loudness, hasWholeMix ? [wholeMix] : [])
        for index in lines.indices {
            let surplus = loudness[index] - 100
            let voices = lines[index].set.voices
            let others =
                (voices + whole).filter {
                    $0.kind.isPlayed(withFile: options.mixFile != nil) && !$0.kind.isBoosted
                }
                .reduce(0) { $0 + $1.amplitude } * options.volume / 100
            guard surplus > 0, others > 0 else { continue }
            let rest = max(0, (others - surplus) / others)
            least = min(least, rest)
            lines[index].set.voices = voices.map { voice in
                var voice = voice
                if !voice.kind.isBoosted { voice.amplitude *= rest }
                return voice
            }
        }
        if hasWholeMix { options.wholeMix *= least }
    }

    /// Scale of amplitudes: what 1 % becomes, in percent; less if all voices together would exceed full scale.
    private var percent: Double {
        let loudest = loudness.max() ?? 0
        return options.volume / 100 * (loudest > 100 * (1 + 1e-9) ? 100 / loudest : 1)
    }

    /// Strikes of a bell, which is struck whenever a tone-set with it begins, and at the start if that lies within one.
    private func strikes(ofVoice voice: Int, _ timeline: SequenceTimeline, _ span: SequenceSpan) -> [(Double, SequenceVoice)] {
        let entered = lines.indices.flatMap { index -> [(position: Double, time: Double, bell: SequenceVoice)] in
            let voices = lines[index].set.voices
            guard voices.indices.contains(voice), voices[voice].kind == .bell, let entry = timeline.entries[index] else { return [] }
            return span.positions(of: entry).map { ($0, timeline.times[index], voices[voice]) }
        }
        var strikes: [(Double, SequenceVoice)] = []
        // A later time comes first: where a sequence spans a whole day, its end is before its first line.
        for strike in entered.sorted(by: { ($0.position, $1.time) < ($1.position, $0.time) }) {
            // The last one counts of lines at the same time.
            if strikes.last?.0 == strike.position { strikes.removeLast() }
            strikes.append((strike.position, strike.bell))
        }
        guard span.clock == nil, strikes.first?.0 != 0, let bell = bell(atStartOf: voice, timeline, span) else { return strikes }
        // On the way round, one strike is enough.
        if span.loops, let last = strikes.last, span.length - last.0 <= options.fade { strikes.removeLast() }
        strikes.insert((0, bell), at: 0)
        return strikes
    }

    /// The bell that the start lies in the time of.
    private func bell(atStartOf voice: Int, _ timeline: SequenceTimeline, _ span: SequenceSpan) -> SequenceVoice? {
        let line = lines[timeline.times.lastIndex { $0 <= span.start } ?? lines.count - 1]
        let own = line.set.voices.dropFirst(voice).first.flatMap { $0.kind == .bell ? $0 : nil }
        // It belongs to its line, and not to the rise that leads to it.
        if dialect == .sbagenx { return own }
        guard let first = timeline.voices[voice].within(span).first, first.kind == .bell else { return nil }
        // Silence that slides into a bell ends with its strike.
        if line.slides, own == nil { return nil }
        return first.from.amplitude > 0 ? first.from : first.to
    }

    // MARK: Chapters and cues

    /// Moves that begin together and take equally long form one cue, or belong to the chapter that begins there.
    private func chapters(
        _ timeline: SequenceTimeline, _ span: SequenceSpan, _ tempo: Double, _ moves: [SequenceMove]
    ) -> (chapters: [Chapter], cues: [Chapter]) {
        var titles: [Double: String] = [:]
        // Where a sequence spans a whole day, its first line begins where the last one ends.
        for (line, time) in zip(lines, timeline.times) where !line.set.name.isEmpty {
            guard let start = span.positions(of: time).first, time < timeline.times[0] + Double(Self.day) || titles[start / tempo] == nil
            else { continue }
            titles[start / tempo] = line.set.name
        }
        struct Key: Hashable { var start, over: Double }
        let groups = Dictionary(grouping: moves) { Key(start: $0.start, over: $0.over) }
        var cues = groups.sorted { ($0.key.start, $0.key.over) < ($1.key.start, $1.key.over) }.map { key, moves in
            // Only steps that are cut off at the beginning meet.
            Chapter(
                start: key.start, over: key.over, settings: key.start == 0 ? moves.map(\.setting).withoutOverruled : moves.map(\.setting))
        }
        let alone = Dictionary(grouping: cues, by: \.start).filter { $0.value.count == 1 && titles[$0.key] != nil }
        cues.removeAll { alone[$0.start] != nil }
        let chapters = titles.sorted { $0.key < $1.key }.map { start, title in
            var chapter = alone[start]?[0] ?? Chapter(start: start)
            chapter.title = title
            return chapter
        }
        return (chapters, cues)
    }
}

extension SequenceVoice {
    /// The sum of the levels of its layers, of which each is a part of its own.
    fileprivate var parts: Double {
        switch kind {
        case .mixEffect, .shapedNoise: LayerPart.parts(of: kind).reduce(0) { $0 + kind.share(of: self, $1) }
        default: 1
        }
    }
}

extension SequenceTimeline.Piece {
    /// The piece at a multiple of its speed, with the same pitches.
    fileprivate func played(at tempo: Double) -> Self { Self(start / tempo, end / tempo, from, to) }

    /// The piece in two parts if a value changes its sign within it.
    func cut(where value: (SequenceVoice) -> Double) -> [Self] {
        let (first, last) = (value(from), value(to))
        guard first * last < 0 else { return [self] }
        let time = start + (end - start) * first / (first - last)
        guard start < time, time < end else { return [self] }
        return [Self(start, time, from, voice(at: time)), Self(time, end, voice(at: time), to)]
    }

    /// The piece in parts of 10 s or more, over each of which the share of `mixspin:` moves by at most a 64th if there is time.
    var cutBySpin: [Self] {
        let count = Int(min((abs(to.carrier - from.carrier) / 100 * 64).rounded(.up), (end - start) / 10))
        guard count > 1 else { return [self] }
        let times = (0...count).map { $0 == count ? end : start + (end - start) * Double($0) / Double(count) }
        return zip(times, times.dropFirst()).map { Self($0, $1, voice(at: $0), voice(at: $1)) }
    }

    /// A spin with widths of at least 0: a negative one turns to the other side.
    var withPositiveWidth: [Self] {
        cut(where: \.carrier).map { part in
            guard part.from.carrier + part.to.carrier < 0 else { return part }
            var part = part
            (part.from.carrier, part.from.beat) = (abs(part.from.carrier), -part.from.beat)
            (part.to.carrier, part.to.beat) = (abs(part.to.carrier), -part.to.beat)
            return part
        }
    }
}

/// The part of the 24-hour cycle that a patch is made of.
struct SequenceSpan {
    /// Seconds from the first time of the sequence to position 0.
    var start: Double
    /// Seconds, at most a day.
    var length: Double
    var clock: Double?
    var loops = false
    /// Whether nothing ever changes in it.
    var isEndless = false

    /// Positions in it, in seconds, of a time of the sequence.
    func positions(of time: Double) -> [Double] {
        let day = Double(SBaGenSequence.day)
        return [-day, 0, day].map { time - start + $0 }.filter { $0 >= 0 && $0 < length }
    }
}

extension SequenceSpan {
    /// The part that a sequence plays.
    init(of sequence: SBaGenSequence, _ timeline: SequenceTimeline, now: Int) {
        let (lines, options) = (sequence.lines, sequence.options)
        let day = Double(SBaGenSequence.day)
        func round(_ time: Double) -> Double { (time.truncatingRemainder(dividingBy: day) + day).truncatingRemainder(dividingBy: day) }
        let first = Double(lines[0].time.seconds(now: now))
        let last = timeline.times[timeline.times.count - 1]
        let startsNow = lines.contains { if case .now = $0.time { true } else { false } }

        self.init(start: 0, length: day)
        if let time = options.startTime {
            start = round(Double(time) - first)
        } else if options.startsAtFirst || options.speed != nil {
            start = 0
        } else if startsNow {
            start = round(Double(now) - first)
        } else {
            start = options.endsAtLast ? round(last) : round(-first)
            clock = round(first + start)
        }
        // A single line that it starts at has no end.
        let ends = options.endsAtLast && (lines.count > 1 || start > 0)
        if ends {
            let rest = round(last - start)
            length = rest > 0 ? rest : day
        }
        if let limit = options.length { length = min(length, Double(limit) * (options.speed ?? 1)) }
        loops = !ends && options.length == nil
        isEndless = loops && timeline.voices.allSatisfy { $0.count == 1 && $0[0].from == $0[0].to }
        if isEndless { (loops, clock) = (false, nil) }
    }
}

/// A move of one parameter; the layer of its setting is filled in last.
struct SequenceMove {
    var start: Double
    var over: Double
    var setting: Setting
}

extension [Setting] {
    /// The last setting of each parameter: a chapter sets a parameter once. At a high speed several steps begin at position 0, also those of
    /// the pitches of bells, of which the first one is then struck at the last one's pitch.
    fileprivate var withoutOverruled: Self {
        var later: [Int: Set<Parameter>] = [:]
        return reversed().filter { later[$0.layer, default: []].insert($0.parameter).inserted }.reversed()
    }
}

extension [SequenceTimeline.Piece] {
    /// The pieces within the span, cut at its ends, in order and in seconds from its start.
    func within(_ span: SequenceSpan) -> [SequenceTimeline.Piece] {
        let day = Double(SBaGenSequence.day)
        var result: [SequenceTimeline.Piece] = []
        for piece in self {
            for offset in [-day, 0, day] {
                let shift = offset - span.start
                let (start, end) = (Swift.max(piece.start + shift, 0), Swift.min(piece.end + shift, span.length))
                guard start < end else { continue }
                // Ends that are not cut stay exact.
                let from = start == piece.start + shift ? piece.from : piece.voice(at: start - shift)
                var to = end == piece.end + shift ? piece.to : piece.voice(at: end - shift)
                to.kind = piece.to.kind
                result.append(.init(start, end, from, to))
            }
        }
        return result.sorted { $0.start < $1.start }
    }
}
