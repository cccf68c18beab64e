/// The course of a sequence: linear pieces for each voice, which fill 24 hours without a gap.
///
/// A change from one tone-set to the next takes half of the fade time before the second one's time and half after it, as far as the steady
/// time there lasts; the rest of the steady time is a plateau.
package struct SequenceTimeline: Equatable, Sendable {
    /// The pieces of each voice, in order of time: 24 hours from the end of the first tone-set's fade in.
    package let voices: [[Piece]]
    /// The start of each line. All times here are in seconds from the first one.
    package let times: [Double]
    /// The time at which each line is entered: the middle of the change to it, or the end of the slide; `nil` if it slides, and the change to
    /// it has no time.
    package let entries: [Double?]

    /// A stretch of time in which amplitude, carrier and beat are constant or linear. If its ends are of two kinds, one fades out while the
    /// other fades in.
    package struct Piece: Equatable, Sendable {
        package var start: Double
        package var end: Double
        package var from: SequenceVoice
        package var to: SequenceVoice

        package init(_ start: Double, _ end: Double, _ from: SequenceVoice, _ to: SequenceVoice) {
            self.start = start
            self.end = end
            self.from = from
            self.to = to
        }

        package var kind: SequenceVoice.Kind { from.kind }

        /// The piece as the layers of one kind have it, which are silent where the voice is of another one.
        func part(of kind: SequenceVoice.Kind) -> Piece {
            guard from.kind == kind || to.kind == kind else { return Piece(start, end, .off, .off) }
            var part = self
            if from.kind != kind { part.from = from.silent(as: to) }
            if to.kind != kind { part.to = to.silent(as: from) }
            return part
        }

        /// The voice at a time within the piece.
        package func voice(at time: Double) -> SequenceVoice {
            let part = end > start ? min(max((time - start) / (end - start), 0), 1) : 1
            var voice = SequenceVoice(
                kind, amplitude: from.amplitude + (to.amplitude - from.amplitude) * part,
                carrier: from.carrier + (to.carrier - from.carrier) * part, beat: from.beat + (to.beat - from.beat) * part,
                modulationRate: from.modulationRate.flatMap { rate in to.modulationRate.map { rate + ($0 - rate) * part } })
            voice.orbit = from.orbit.flatMap { orbit in to.orbit.map { orbit.moved(towards: $0, part) } }
            return voice
        }
    }

    /// - Parameter now: Seconds after midnight; see ``SBaGenSequence/parse(bytes:file:now:)``.
    package init(_ sequence: SBaGenSequence, now: Int = 0) {
        let lines = sequence.lines
        times = Self.times(lines, now: now)
        let periods = Self.periods(lines, times, fade: sequence.options.fade)
        let count = lines.map(\.set.voices.count).max() ?? 0
        guard sequence.dialect == .sbagen else {
            entries = times
            voices = (0..<count).map { [times] in Self.corners(ofVoice: $0, lines, times) }
            return
        }
        entries = periods.indices.map { index in
            let (before, period) = (periods[index > 0 ? index - 1 : periods.count - 1], periods[index])
            if before.slides { return before.end }
            if period.slides, before.changeOut == 0 { return nil }
            return before.end + (period.changeIn - before.changeOut) / 2
        }
        voices = (0..<count).map { Self.pieces(ofVoice: $0, lines, periods, beginsAtFirst: sequence.options.begins(at: lines[0].time)) }
    }

    /// The times of the lines in seconds from the first one, ascending.
    private static func times(_ lines: [SBaGenSequence.TimeLine], now: Int) -> [Double] {
        let seconds = lines.map { $0.time.seconds(now: now) }
        var passed = 0
        return seconds.indices.map { index in
            if index > 0 { passed += (seconds[index] - seconds[index - 1] + SBaGenSequence.day) % SBaGenSequence.day }
            return Double(passed)
        }
    }

    /// The time of one line, and how much of it the changes take at its two ends.
    private struct Period {
        var start: Double
        var end: Double
        var changeIn = 0.0
        var changeOut = 0.0
        var slides: Bool

        var steady: Double { end - start - changeIn - changeOut }
    }

    /// Gives each change the steady time that it needs and finds, in the order of the file; the change from the last line to the first
    /// comes last.
    private static func periods(_ lines: [SBaGenSequence.TimeLine], _ times: [Double], fade: Double) -> [Period] {
        var periods = lines.indices.map { index in
            Period(
                start: times[index], end: index + 1 < times.count ? times[index + 1] : Double(SBaGenSequence.day),
                slides: lines[index].slides)
        }
        for index in periods.indices {
            // A slide takes all of its own time, and none of the line that it leads to.
            guard !periods[index].slides else { continue }
            let next = (index + 1) % periods.count
            periods[index].changeOut = min(fade / 2, periods[index].steady)
            if !periods[next].slides { periods[next].changeIn = min(fade / 2, periods[next].steady) }
        }
        return periods
    }

    private static func pieces(
        ofVoice voice: Int, _ lines: [SBaGenSequence.TimeLine], _ periods: [Period], beginsAtFirst: Bool
    ) -> [Piece] {
        var pieces: [Piece] = []
        for (index, period) in periods.enumerated() {
            let (line, next) = (lines[index], lines[(index + 1) % lines.count])
            let (a, b) = (line.set.voice(voice), next.set.voice(voice))
            if period.slides {
                let before = periods[index > 0 ? index - 1 : periods.count - 1]
                // A bell that the change before its line struck is silence in the slide; one that is struck at the line rings into it.
                let isOver = a.kind == .bell && !before.slides && !(index == 0 && beginsAtFirst)
                let parts =
                    isOver && b.kind == .bell
                    ? [Piece(period.start, period.end, .off, .off)]
                    : change(isOver ? .off : a, b, isForced: true, crosses: false, period.start, period.end)
                for piece in parts { add(piece, to: &pieces) }
                continue
            }
            let end = period.end - period.changeOut
            add(Piece(period.start + period.changeIn, end, a, a), to: &pieces)
            let changeIn = periods[(index + 1) % periods.count].changeIn
            let crosses =
                line.fadeOut == .silence || next.fadeIn == .silence
                || ((line.fadeOut == .pitch || next.fadeIn == .pitch) && a.isTonal && !a.hasPitch(of: b))
            for piece in change(a, b, isForced: false, crosses: crosses, end, period.end + changeIn) { add(piece, to: &pieces) }
        }
        return pieces
    }

    /// The pieces of a voice in SBaGenX's dialect, where it moves over the whole time from a line to the next one.
    private static func corners(ofVoice voice: Int, _ lines: [SBaGenSequence.TimeLine], _ times: [Double]) -> [Piece] {
        var pieces: [Piece] = []
        for (index, line) in lines.enumerated() {
            let (a, b) = (line.set.voice(voice), lines[(index + 1) % lines.count].set.voice(voice))
            let (start, end) = (times[index], index + 1 < times.count ? times[index + 1] : Double(SBaGenSequence.day))
            let crosses = a.goesThroughSilence && !a.hasPitch(of: b)
            let parts =
                switch line.move {
                case .hold: [Piece(start, end, a, a)]
                case .direct: [Piece(start, end, a, a.kind == b.kind ? b : a)]
                // A bell begins and ends at its line, and so does what is before and behind it.
                case .straight where a.kind != b.kind && (a.kind == .bell || b.kind == .bell): [Piece(start, end, a, a)]
                // An effect that comes or goes fades over the whole time.
                case .straight where a.kind.isAddedToFile || b.kind.isAddedToFile:
                    change(a, b, isForced: true, crosses: false, start, end)
                case .slide: change(a, b, isForced: true, crosses: false, isStruckAtEnd: false, start, end)
                case .straight: change(a, b, isForced: false, crosses: crosses, start, end)
                }
            for piece in parts { add(piece, to: &pieces) }
        }
        return pieces
    }

    /// Adds a piece to those before it; plateaus that are alike become one.
    private static func add(_ piece: Piece, to pieces: inout [Piece]) {
        guard piece.end > piece.start else { return }
        if let last = pieces.last, last.from == last.to, last.to == piece.from, piece.from == piece.to {
            pieces[pieces.count - 1].end = piece.end
        } else {
            pieces.append(piece)
        }
    }

    /// The pieces of a change: a straight line, or a fade through silence in the middle.
    private static func change(
        _ a: SequenceVoice, _ b: SequenceVoice, isForced: Bool, crosses: Bool, isStruckAtEnd: Bool = true, _ start: Double, _ end: Double
    ) -> [Piece] {
        var (a, b) = (a, b)
        if isForced {
            // A bell is struck where the slide ends and has no part in it.
            if isStruckAtEnd, b.kind == .bell, a.kind != .bell, a.kind != .off { return [Piece(start, end, a, a.silent)] }
            if a.kind == .off { a = b.silent } else if b.kind == .off { b = a.silent }
        }
        guard a.kind != b.kind && !a.kind.blends(with: b.kind) || crosses else { return [Piece(start, end, a, b)] }
        let middle = (start + end) / 2
        return [Piece(start, middle, a, a.silent), Piece(middle, end, b.silent, b)]
    }
}

extension SBaGenSequence.ToneSet {
    /// The voice with an index; off beyond the last one.
    fileprivate func voice(_ index: Int) -> SequenceVoice { voices.indices.contains(index) ? voices[index] : .off }
}

extension SequenceVoice {
    /// Whether it does so in SBaGenX's dialect when it changes its pitch.
    fileprivate var goesThroughSilence: Bool { kind.hasTwoTones || kind.isSpin }

    /// The same voice at amplitude 0 as one of the other's kind, into which it blends.
    fileprivate func silent(as other: SequenceVoice) -> SequenceVoice {
        // The numbers of another effect have another meaning.
        var voice = kind.isSameEffect(as: other.kind) ? silent : other.silent
        voice.kind = other.kind
        // Without a `mixam` it has no rate.
        voice.modulationRate = kind.modulation == nil ? other.modulationRate : modulationRate
        return voice
    }

    /// The same voice at amplitude 0.
    fileprivate var silent: SequenceVoice {
        var voice = self
        voice.amplitude = 0
        return voice
    }
}

extension HeadphoneCurve {
    /// A piece cut into straight lines in which the factors hardly bend: a slide has one for every tenth of a second, 32 at most.
    func parts(of piece: SequenceTimeline.Piece) -> [SequenceTimeline.Piece] {
        guard !isFlat, !piece.from.hasPitch(of: piece.to) else { return [piece] }
        let count = max(1, Int(min((piece.end - piece.start) * 10, 32)))
        func place(_ index: Int) -> (time: Double, voice: SequenceVoice) {
            if index == 0 { return (piece.start, piece.from) }
            if index == count { return (piece.end, piece.to) }
            let time = piece.start + (piece.end - piece.start) * Double(index) / Double(count)
            return (time, piece.voice(at: time))
        }
        return (0..<count).map { index in
            let (from, to) = (place(index), place(index + 1))
            return SequenceTimeline.Piece(from.time, to.time, from.voice, to.voice)
        }
    }
}
