import Patches

/// SBaGenX's `-p curve`: a session whose course is in a file of formulas.
struct GeneratedCurve {
    private let drop: GeneratedSequence.Drop
    private let file: CurveFile
    /// Minutes of the drop, the hold and the wake.
    private let minutes: [Double]
    private let mixLevel: Double

    /// A moment that the session is cut at, and the values of what moves.
    struct Moment {
        var time: Int
        var values: [CurveFile.Target: Double]
    }

    /// The largest distance of the straight lines from the formulas, in Hz or percent.
    private static let tolerance = 0.0005
    /// The most lines.
    private static let cuts = 3600
    /// The most additions, or as much, that are spent on looking at a continuous course.
    private static let effort = 16_000_000
    /// Values beyond it are faults: frequencies and levels stay far below.
    private static let largest = 1e6

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

    /// Everything that moves: the carrier and the level of the tone in every session, the rest if the file has it.
    private var targets: [CurveFile.Target] { CurveFile.Target.allCases.filter { $0 == .carrier || $0 == .amp || file.pieces[$0] != nil } }

    /// The values of ``targets`` at a time in seconds, as they are played.
    ///
    /// - Throws: If one of them is not a number, or far beyond all frequencies and levels.
    private func values(at time: Int) throws(CurveFormula.Failure) -> [Double] {
        let session = Self.session(drop, minutes, mixLevel, at: Double(time))
        var values: [Double] = []
        for target in targets {
            let usual = target == .amp ? drop.amplitude : drop.carrier - 5 * min(session[1], minutes[0] + minutes[1]) / minutes[0]
            let value = file.value(of: target, session) ?? usual
            guard abs(value) <= Self.largest else {
                let words = value.isFinite ? "is beyond ±1,000,000" : "has no value"
                throw .init(sentence: "`\(target.rawValue)` \(words) at \(DurationText.string(from: Double(time)))")
            }
            values.append(played(value, target))
        }
        return values
    }

    /// A value as it is played: levels up to 100 %, rates and widths without their sign.
    private func played(_ value: Double, _ target: CurveFile.Target) -> Double {
        switch target {
        case .amp, .mixamp, .mixpulse_amp, .mixbeat_amp, .mixspin_amp: min(max(value, 0), 100)
        case .mixpulse_hz, .mixam_hz, .mixspin_width: abs(value)
        case .carrier: max(value, GeneratedSequence.lowest)
        case .beat: if case .binaural = drop.tone { value } else { abs(value) }
        case .mixbeat_hz, .mixspin_hz: value
        }
    }

    private func moment(_ time: Int, _ values: [Double]) -> Moment {
        Moment(time: time, values: Dictionary(uniqueKeysWithValues: zip(targets, values)))
    }

    /// The session in straight lines, or in steps, each with its end; and whether the lines could not follow the formulas everywhere.
    ///
    /// - Parameter spins: The `mixspin` voices, whose share moves with a product.
    func moments(_ spins: [MixSpin] = []) throws(CurveFormula.Failure) -> (moments: [Moment], isRough: Bool) {
        let end = Int((minutes[0] + minutes[1] + minutes[2]) * 60)
        guard let step = drop.step.map({ $0 * 60 }) else { return try continuousMoments(until: end + 10, spins) }
        var moments: [Moment] = []
        for start in stride(from: 0, to: end, by: step) {
            let stop = min(start + step, end)
            let values = try values(at: stop)
            moments += [moment(start, values), moment(stop, values)]
        }
        return (moments, false)
    }

    /// A continuous course: looked at in every second, or in as many as there is effort for, and cut until it fits everywhere.
    private func continuousMoments(until last: Int, _ spins: [MixSpin]) throws(CurveFormula.Failure) -> (moments: [Moment], isRough: Bool) {
        let interval = max(1, (last * max(file.effort, 1) + Self.effort - 1) / Self.effort)
        var times = Array(stride(from: 0, to: last, by: interval))
        times.append(last)
        var samples: [[Double]] = []
        samples.reserveCapacity(times.count)
        let targets = targets
        let (width, intensity) = (targets.firstIndex(of: .mixspin_width), targets.firstIndex(of: .mixspin_amp))
        for time in times {
            let values = try values(at: time)
            let shares = spins.map {
                MixSpin(width: width.map { values[$0] } ?? $0.width, intensity: intensity.map { values[$0] } ?? $0.intensity)
            }
            samples.append(values + shares.map(\.share))
        }
        // Halves of what does not fit, the longest first, so that a wild formula is cut evenly.
        var places: Set<Int> = [0, times.count - 1]
        var open = [(0, times.count - 1)]
        while !open.isEmpty, places.count < Self.cuts {
            var next: [(Int, Int)] = []
            for (start, stop) in open where stop - start > 1 && places.count < Self.cuts && !Self.fits(samples, times, start, stop) {
                let middle = (start + stop) / 2
                places.insert(middle)
                next += [(start, middle), (middle, stop)]
            }
            open = next
        }
        return (places.sorted().map { moment(times[$0], samples[$0]) }, !open.isEmpty || interval > 1)
    }

    /// Whether a straight line is near all samples between two of them.
    private static func fits(_ samples: [[Double]], _ times: [Int], _ start: Int, _ stop: Int) -> Bool {
        let (first, last) = (samples[start], samples[stop])
        let length = Double(times[stop] - times[start])
        return (start + 1..<stop).allSatisfy { place in
            let part = Double(times[place] - times[start]) / length
            return first.indices.allSatisfy { abs(samples[place][$0] - (first[$0] + (last[$0] - first[$0]) * part)) <= tolerance }
        }
    }

    // MARK: As time lines

    /// - Parameters:
    ///   - others: Voices beside the tone, of which `mix` and effects may be moved.
    ///   - fade: Seconds in which the tone fades out behind steps.
    func lines(
        _ waveform: Waveform, with others: [SequenceVoice], fade: Double
    ) throws(CurveFormula.Failure) -> (lines: [SBaGenSequence.TimeLine], isRough: Bool) {
        let (moments, isRough) = try moments(others.compactMap(\.mixSpin))
        var lines = moments.enumerated().map { index, moment in
            let values = moment.values
            let tone = SequenceVoice(
                drop.tone.kind(waveform), amplitude: drop.hasTone ? values[.amp] ?? drop.amplitude : 0,
                carrier: values[.carrier] ?? drop.carrier, beat: values[.beat] ?? drop.target)
            var voices = [tone] + others.map { Self.moved($0, values) }
            for place in voices.indices where voices[place].kind == .bell && moment.time > 0 { voices[place] = .off }
            return SBaGenSequence.TimeLine(
                .now(moment.time), .init(name: index == 0 ? "curve" : "", voices: voices), slides: true, move: .slide)
        }
        if drop.step != nil, let last = lines.last {
            // Only steps fade out.
            var end = last
            end.time = .now((moments.last?.time ?? 0) + max(1, Int(fade.rounded())))
            end.set.voices[0].amplitude = 0
            lines.append(end)
        }
        if let last = lines.indices.last { lines[last].slides = false }
        return (lines, isRough)
    }

    /// A voice with what the file moves of it.
    private static func moved(_ voice: SequenceVoice, _ values: [CurveFile.Target: Double]) -> SequenceVoice {
        var voice = voice
        func set(_ rate: CurveFile.Target, _ intensity: CurveFile.Target?) {
            if let value = values[rate] { voice.beat = value }
            if let intensity, let value = values[intensity] { voice.carrier = value }
        }
        switch voice.kind {
        case .mix: if let value = values[.mixamp] { voice.amplitude = value }
        case .mixEffect(let effect):
            switch effect.form {
            case .pulses: set(.mixpulse_hz, .mixpulse_amp)
            case .beat: set(.mixbeat_hz, .mixbeat_amp)
            case .spin:
                set(.mixspin_hz, nil)
                if var spin = voice.mixSpin {
                    spin.width = values[.mixspin_width] ?? spin.width
                    spin.intensity = values[.mixspin_amp] ?? spin.intensity
                    (voice.mixSpin, voice.carrier) = (spin, spin.share)
                }
            case .modulation: if let value = values[.mixam_hz] { voice.modulationRate = value }
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
        fade: Double, _ files: SequenceFiles
    ) -> Result<(lines: [SBaGenSequence.TimeLine], isRough: Bool, times: MixDips.Session), Fault> {
        guard let (drop, overrides) = course(text) else { return .failure(.course) }
        guard let bytes = files(name, SBaGenSequence.formulaSize) else { return .failure(.formulas(nil)) }
        let mix = others.first { $0.kind == .mix }?.amplitude
        do throws(CurveFormula.Failure) {
            let curve = try GeneratedCurve(drop, minutes: minutes, bytes: bytes, overrides: overrides, mixLevel: mix)
            let (lines, isRough) = try curve.lines(waveform, with: others, fade: fade)
            return .success((lines, isRough, MixDips.Session(drop, minutes ?? [30, 30, 3])))
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
