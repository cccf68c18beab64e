import Patches

/// SBaGenX's `-p curve`: a session whose course is in a file of formulas.
struct GeneratedCurve {
    private let drop: GeneratedSequence.Drop
    private let file: CurveFile
    /// Minutes of the drop, the hold and the wake.
    private let minutes: [Double]
    private let mixLevel: Double

    /// A moment that the session is cut at, and the values of what the file moves.
    struct Moment {
        var time: Int
        var values: [CurveFile.Target: Double]
    }

    /// The largest distance of the straight lines from the formulas: Hz for frequencies, hundredths of a percent for levels.
    private static let tolerance = 0.0005
    /// The most lines.
    private static let cuts = 3600

    /// - Parameters:
    ///   - mixLevel: Percent of `mix` in the session; `nil` is what the tone leaves of 100.
    init(
        _ drop: GeneratedSequence.Drop, minutes: [Int]?, bytes: [UInt8], overrides: [String: Double], mixLevel: Double?
    ) throws(CurveFormula.Failure) {
        self.drop = drop
        let given = minutes ?? [30, 30, 3]
        self.minutes = [Double(given[0]), drop.isHeld ? Double(given[1]) : 0, drop.wakes ? Double(given[2]) : 0]
        self.mixLevel = mixLevel ?? max(0, 100 - drop.amplitude)
        guard given[0] > 0, given[0] + (drop.isHeld ? given[1] : 0) + (drop.wakes ? given[2] : 0) <= GeneratedSequence.longest else {
            throw .init(sentence: "the session has more than 23 hours, or no time to drop")
        }
        file = try CurveFile(bytes, overrides: overrides, session: Self.session(drop, self.minutes, self.mixLevel, at: 0))
    }

    /// The values of ``CurveFile/ownNames`` at a time in seconds.
    private static func session(_ drop: GeneratedSequence.Drop, _ minutes: [Double], _ mixLevel: Double, at time: Double) -> [Double] {
        let (fall, hold, wake) = (minutes[0], minutes[1], minutes[2])
        return [
            time, time / 60, fall, hold, fall + hold, wake, drop.start, drop.target, drop.carrier, drop.carrier - 5 * (1 + hold / fall),
            drop.amplitude, mixLevel,
        ]
    }

    /// The targets at a time in seconds.
    ///
    /// - Throws: If one of them is not a finite number.
    private func values(at time: Double) throws(CurveFormula.Failure) -> [CurveFile.Target: Double] {
        let session = Self.session(drop, minutes, mixLevel, at: time)
        var values: [CurveFile.Target: Double] = [
            .carrier: drop.carrier - 5 * min(time / 60, minutes[0] + minutes[1]) / minutes[0], .amp: drop.amplitude,
        ]
        for target in CurveFile.Target.allCases {
            guard let value = file.value(of: target, session) else { continue }
            guard value.isFinite else {
                throw .init(sentence: "`\(target.rawValue)` has no value at \(DurationText.string(from: time))")
            }
            values[target] = value
        }
        return values
    }

    /// The session in straight lines, or in steps, each with its end.
    func moments() throws(CurveFormula.Failure) -> [Moment] {
        let end = Int((minutes[0] + minutes[1] + minutes[2]) * 60)
        if let step = drop.step.map({ $0 * 60 }) {
            var moments: [Moment] = []
            for start in stride(from: 0, to: end, by: step) {
                let stop = min(start + step, end)
                let values = try values(at: Double(stop))
                moments += [Moment(time: start, values: values), Moment(time: stop, values: values)]
            }
            return moments
        }
        // With a continuous course, the formulas continue for ten seconds.
        let last = end + 10
        var known: [Int: [CurveFile.Target: Double]] = [:]
        func look(_ time: Int) throws(CurveFormula.Failure) -> [CurveFile.Target: Double] {
            if let values = known[time] { return values }
            let values = try values(at: Double(time))
            known[time] = values
            return values
        }
        // Halves of what does not fit, the longest first, so that a wild formula is cut evenly.
        var open = stride(from: 0, to: last, by: 600).map { ($0, min($0 + 600, last)) }
        var times = Set(open.flatMap { [$0.0, $0.1] })
        while !open.isEmpty, times.count < Self.cuts {
            var next: [(Int, Int)] = []
            for (start, stop) in open where stop - start > 1 && times.count < Self.cuts {
                let middle = (start + stop) / 2
                guard try !fits(start, stop, [(3 * start + stop) / 4, middle, (start + 3 * stop) / 4], look) else { continue }
                times.insert(middle)
                next += [(start, middle), (middle, stop)]
            }
            open = next
        }
        var moments: [Moment] = []
        for time in times.sorted() { moments.append(Moment(time: time, values: try look(time))) }
        return moments
    }

    private func fits(
        _ start: Int, _ stop: Int, _ places: [Int], _ look: (Int) throws(CurveFormula.Failure) -> [CurveFile.Target: Double]
    ) throws(CurveFormula.Failure) -> Bool {
        let (first, last) = (try look(start), try look(stop))
        for place in places {
            let part = Double(place - start) / Double(stop - start)
            for (target, value) in try look(place) {
                guard let from = first[target], let to = last[target] else { continue }
                if abs(value - (from + (to - from) * part)) > Self.tolerance { return false }
            }
        }
        return true
    }

    // MARK: As time lines

    /// - Parameter others: Voices beside the tone, of which `mix` and effects may be moved.
    func lines(_ waveform: Waveform, with others: [SequenceVoice]) throws(CurveFormula.Failure) -> [SBaGenSequence.TimeLine] {
        let moments = try moments()
        var lines = moments.enumerated().map { index, moment in
            let values = moment.values
            var tone = SequenceVoice(
                drop.tone.kind(waveform), amplitude: Self.percent(values[.amp] ?? drop.amplitude),
                carrier: max(values[.carrier] ?? drop.carrier, GeneratedSequence.lowest), beat: values[.beat] ?? drop.target)
            if case .binaural = drop.tone {} else { tone.beat = abs(tone.beat) }
            var voices = [tone] + others.map { Self.moved($0, values) }
            for place in voices.indices where voices[place].kind == .bell && moment.time > 0 { voices[place] = .off }
            return SBaGenSequence.TimeLine(
                .now(moment.time), .init(name: index == 0 ? "curve" : "", voices: voices), slides: true, move: .slide)
        }
        if drop.step != nil, let last = lines.last {
            // Only steps fade out.
            var end = last
            end.time = .now((moments.last?.time ?? 0) + 10)
            end.set.voices[0].amplitude = 0
            lines.append(end)
        }
        if let last = lines.indices.last { lines[last].slides = false }
        return lines
    }

    private static func percent(_ value: Double) -> Double { min(max(value, 0), 100) }

    /// A voice with what the file moves of it.
    private static func moved(_ voice: SequenceVoice, _ values: [CurveFile.Target: Double]) -> SequenceVoice {
        var voice = voice
        func set(_ rate: CurveFile.Target, _ intensity: CurveFile.Target?) {
            if let value = values[rate] { voice.beat = value }
            if let intensity, let value = values[intensity] { voice.carrier = percent(value) }
        }
        switch voice.kind {
        case .mix: if let value = values[.mixamp] { voice.amplitude = percent(value) }
        case .mixEffect(let effect):
            switch effect.form {
            case .pulses: set(.mixpulse_hz, .mixpulse_amp)
            case .beat: set(.mixbeat_hz, .mixbeat_amp)
            case .spin: set(.mixspin_hz, nil)
            case .modulation: if let value = values[.mixam_hz] { voice.modulationRate = abs(value) }
            case .direct: break
            }
        default: break
        }
        return voice
    }
}

extension GeneratedCurve {
    /// The reason why there is no session.
    enum Fault: Error {
        /// The word that describes the course is not valid.
        case course
        /// The file of formulas cannot be read (`nil`), or has a fault.
        case formulas(String?)
    }

    /// The time lines of `-p curve`.
    ///
    /// - Parameters:
    ///   - text: The level, the depth and so on, with values of parameters.
    ///   - name: The file of formulas, which `files` reads.
    static func lines(
        of text: String, by name: String, _ minutes: [Int]?, _ waveform: Waveform, with others: [SequenceVoice],
        _ files: (String) -> [UInt8]?
    ) -> Result<[SBaGenSequence.TimeLine], Fault> {
        guard let (drop, overrides) = course(text) else { return .failure(.course) }
        guard let bytes = files(name) else { return .failure(.formulas(nil)) }
        let mix = others.first { $0.kind == .mix }?.amplitude
        do throws(CurveFormula.Failure) {
            let curve = try GeneratedCurve(drop, minutes: minutes, bytes: bytes, overrides: overrides, mixLevel: mix)
            return .success(try curve.lines(waveform, with: others))
        } catch {
            return .failure(.formulas(error.sentence))
        }
    }

    /// Reads the course, and behind it `:NAME=VALUE`.
    private static func course(_ text: String) -> (drop: GeneratedSequence.Drop, overrides: [String: Double])? {
        var overrides: [String: Double] = [:]
        var course = ""
        for (index, part) in text.split(separator: ":", omittingEmptySubsequences: false).enumerated() {
            let sides = part.split(separator: "=", omittingEmptySubsequences: false)
            if index == 0 || sides.first == "S" {
                course += (index > 0 ? ":" : "") + part
            } else if sides.count == 2, CurveFormula.isName(String(sides[0])), sides[1].utf8.count <= 40,
                let value = NumberText.parse(String(sides[1])), value.isFinite
            {
                overrides[String(sides[0])] = value
            } else {
                return nil
            }
        }
        guard let drop = GeneratedSequence.Drop(course), drop.curve == nil else { return nil }
        return (drop, overrides)
    }
}
