import Patches

/// SBaGenX's `-A`: over a session the sound file becomes softer, and dips again and again.
package struct MixDips: Equatable, Sendable {
    /// How much of the level a dip takes away, 0...1.
    package var depth = 0.3
    /// How narrow a dip is, per square minute: at x minutes from its middle, exp(-narrowness·x²) of it is left.
    package var narrowness = 0.3
    /// The time of the first dip in minutes; the others follow at twice that distance.
    package var interval = 10.0
    /// The level at the end of the session, before it wakes, 0...1.
    package var end = 0.7

    /// The lengths of a session in seconds.
    struct Session {
        /// The drop and the hold.
        var fall: Int
        /// The return; 0 without one.
        var wake: Int
    }

    /// The largest distance of straight lines from the course, in percent of full scale.
    private static let tolerance = 0.002
    /// The most lines of a session.
    private static let cuts = 3600

    init() {}

    /// Reads `d=…:e=…:k=…:E=…`, any of them, in any order; `nil` if the text is invalid.
    init?(_ text: String) {
        var seen: Set<Substring> = []
        for part in text.split(separator: ":", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", omittingEmptySubsequences: false)
            guard sides.count == 2, seen.insert(sides[0]).inserted, sides[1].utf8.count <= 40,
                let value = NumberText.parse(String(sides[1]))
            else { return nil }
            switch (sides[0], value) {
            case ("d", 0...1): depth = value
            case ("e", 0...1000): narrowness = value
            case ("k", 0.1...1440): interval = value
            case ("E", 0...1): end = value
            default: return nil
            }
        }
    }

    /// The factor of the sound file's level at a time of the session in seconds.
    func factor(at time: Double, of session: Session) -> Double {
        let (fall, wake) = (Double(session.fall), Double(session.wake))
        guard time < fall else { return wake > 0 ? end + (1 - end) * min((time - fall) / wake, 1) : end }
        let minute = time / 60
        let distance = minute.truncatingRemainder(dividingBy: 2 * interval) - interval
        let dip = depth * PortableMath.exp2(max(-narrowness * distance * distance * 1.442695040888963407, -200))
        return (1 - dip) * (1 - (1 - end) * time / fall)
    }

    /// The lines of a session whose `mix` follows the course, as near as ``tolerance``; and whether ``cuts`` lines were too few for that. A
    /// session without `mix` gets one at full level, which is how a sound file is heard that no voice plays.
    func applied(
        to lines: [SBaGenSequence.TimeLine], of session: Session
    ) -> (lines: [SBaGenSequence.TimeLine], isRough: Bool) {
        let lines = lines.map(\.withMix)
        var times = lines.map { _ in [Int]() }
        var count = lines.count
        var open = zip(lines.indices, zip(lines, lines.dropFirst())).map { ($0, $1.0.seconds, $1.1.seconds) }
        var isRough = false
        // All that does not fit is cut into halves, until everything fits.
        while !open.isEmpty {
            open = open.filter { index, start, stop in
                stop - start > 1 && !fits(lines[index], lines[index + 1], start, stop, session)
            }
            isRough = count + open.count > Self.cuts && !open.isEmpty
            if isRough { break }
            count += open.count
            open = open.flatMap { index, start, stop in
                let middle = (start + stop) / 2
                times[index].append(middle)
                return [(index, start, middle), (index, middle, stop)]
            }
        }
        let moved = lines.indices.flatMap { index in
            [lines[index]] + times[index].sorted().map { lines[index].moved(towards: lines[index + 1], at: $0) }
        }
        return (moved.map { scaled($0, session) }, isRough)
    }

    /// Whether a straight line between two times, which lie between two lines, is near the course.
    private func fits(
        _ line: SBaGenSequence.TimeLine, _ other: SBaGenSequence.TimeLine, _ start: Int, _ stop: Int, _ session: Session
    ) -> Bool {
        let length = Double(other.seconds - line.seconds)
        func level(_ time: Int) -> Double {
            let mix = line.mixLevel + (other.mixLevel - line.mixLevel) * Double(time - line.seconds) / length
            return mix * factor(at: Double(time), of: session)
        }
        let (first, last) = (level(start), level(stop))
        return (start + 1..<stop).allSatisfy { time in
            abs(level(time) - (first + (last - first) * Double(time - start) / Double(stop - start))) <= Self.tolerance
        }
    }

    private func scaled(_ line: SBaGenSequence.TimeLine, _ session: Session) -> SBaGenSequence.TimeLine {
        var line = line
        let factor = factor(at: Double(line.seconds), of: session)
        for place in line.set.voices.indices where line.set.voices[place].kind == .mix { line.set.voices[place].amplitude *= factor }
        return line
    }
}

extension SBaGenSequence.TimeLine {
    /// The time of a line of a session, which begins at 0.
    fileprivate var seconds: Int { time.seconds(now: 0) }

    fileprivate var withMix: Self {
        guard !self.set.voices.contains(where: \.kind.isOfFile) else { return self }
        var line = self
        line.set.voices.append(SequenceVoice(.mix, amplitude: 100))
        return line
    }

    fileprivate var mixLevel: Double { self.set.voices.first { $0.kind == .mix }?.amplitude ?? 0 }

    /// A line without a name at a time on the way to another one, whose voices are the same ones.
    fileprivate func moved(towards other: Self, at time: Int) -> Self {
        var line = self
        line.time = .now(time)
        line.set.name = ""
        let part = Double(time - seconds) / Double(max(other.seconds - seconds, 1))
        line.set.voices = zip(set.voices, other.set.voices).map { voice, next in
            // A bell rings from its own line on.
            guard voice.kind == next.kind else { return next }
            return voice.moved(towards: next, part)
        }
        return line
    }
}

extension SequenceVoice {
    /// The voice at a part of the way to another one, 0...1.
    fileprivate func moved(towards other: SequenceVoice, _ part: Double) -> SequenceVoice {
        var voice = self
        voice.amplitude += (other.amplitude - amplitude) * part
        voice.carrier += (other.carrier - carrier) * part
        voice.beat += (other.beat - beat) * part
        if let rate = modulationRate, let next = other.modulationRate { voice.modulationRate = rate + (next - rate) * part }
        if let orbit, let next = other.orbit { voice.orbit = orbit.moved(towards: next, part) }
        return voice
    }
}
