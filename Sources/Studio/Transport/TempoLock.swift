import Engine
import Patches

/// Brings pulses and beats that follow the tempo to the bars of JACK's transport, without a step of their phase: for a while they are faster
/// or slower.
struct TempoLock {
    private struct Target: Hashable {
        let parameter: Parameter
        let layer: Int
    }

    private struct Mark {
        var frame: Int64
        var wholeNotes: Double
    }

    /// Where the transport was, a second apart, as far as it ran evenly.
    private var marks: [Mark] = []
    private var last: Mark?
    private var tempo = 0.0
    /// Engine frame at which a correction is over.
    private var correctedAt: [Target: Int64] = [:]

    /// Seconds that a pulse may be beside the bar: the ticks that a timebase master counts are a part of this.
    private static let tolerance = 0.0015
    /// Seconds in which a correction comes to its height, and goes back: at least so long, and at least a period.
    private static let shortest = 0.5
    /// Seconds of the longest period that is corrected. A transport may move at any speed.
    private static let longest = 60.0
    /// Seconds by which the transport is somewhere else, when it is beside where it would have come to.
    private static let jump = 0.01
    /// Seconds for which it has to run before anybody can say how fast it does.
    private static let patience = 0.5

    /// Looks where the transport is.
    mutating func see(_ sighting: TransportSighting, sampleRate: Double) {
        let mark = Mark(frame: sighting.engineFrame, wholeNotes: sighting.wholeNotes)
        if let last {
            let seconds = Double(mark.frame - last.frame) / sampleRate
            let beside = (mark.wholeNotes - last.wholeNotes) * 240 / sighting.tempo - seconds
            if sighting.tempo != tempo || abs(beside) > Self.jump + seconds / 10 {
                marks = []
                correctedAt = [:]
            }
        }
        tempo = sighting.tempo
        last = mark
        guard marks.last.map({ Double(mark.frame - $0.frame) >= sampleRate }) ?? true else { return }
        marks.append(mark)
        if marks.count > 4 { marks.removeFirst() }
    }

    /// Whole notes a frame: as the transport runs, which with some timebase masters is not quite what they say.
    private func speed(sampleRate: Double) -> Double? {
        guard let first = marks.first, let last, Double(last.frame - first.frame) >= Self.patience * sampleRate else { return nil }
        return (last.wholeNotes - first.wholeNotes) / Double(last.frame - first.frame)
    }

    /// - Returns: The serial of the change, where there is one to be made.
    mutating func correct(_ parameter: Parameter, layer: Int, _ length: NoteLength, _ engine: EngineControl) -> UInt64? {
        let target = Target(parameter: parameter, layer: layer)
        guard let last, let speed = speed(sampleRate: engine.sampleRate), speed > 0, (correctedAt[target] ?? 0) <= last.frame,
            let phase = engine.phase(of: parameter, layer: layer, atFrame: last.frame)
        else { return nil }
        let frequency = speed * engine.sampleRate * length.perWhole
        guard frequency >= 1 / Self.longest else { return nil }
        var behind = last.wholeNotes * length.perWhole - phase
        behind -= behind.rounded()
        guard abs(behind) > Self.tolerance * frequency else { return nil }
        let seconds = max(Self.shortest, 1 / frequency)
        let frame = engine.earliestFrame() + Int64(0.02 * engine.sampleRate)
        correctedAt[target] = frame + Int64((2 * seconds + 0.2) * engine.sampleRate)
        return engine.shift(parameter, layer: layer, holding: frequency, by: behind, over: seconds, atFrame: frame)
    }
}
