import Engine
import Patches

/// The place of a transport in its bars at a frame of the engine.
package struct MusicalPosition: Sendable {
    let engineFrame: EngineFrame
    /// The whole notes since bar 1.
    let wholeNotes: Double
    /// The tempo in quarter notes a minute; 0 if unknown.
    let tempo: Double

    package init(engineFrame: EngineFrame, wholeNotes: Double, tempo: Double) {
        self.engineFrame = engineFrame
        self.wholeNotes = wholeNotes
        self.tempo = tempo
    }
}

/// Aligns pulses and beats that follow the tempo to the bars of a transport, without a step of their phase: they are made faster or
/// slower for a while.
struct TempoLock {
    private struct Target: Hashable {
        let parameter: Parameter
        let layer: Int
    }

    private struct Mark {
        var frame: EngineFrame
        var wholeNotes: Double
    }

    /// Positions of the transport, a second apart, for as long as it runs evenly.
    private var marks: [Mark] = []
    private var last: Mark?
    private var tempo = 0.0
    /// The frame at which the last correction of each target ends.
    private var correctedAt: [Target: EngineFrame] = [:]

    /// The time in seconds that a pulse may be off the bar; a timebase master's tick resolution is finer than this.
    private static let tolerance = 0.0015
    /// The minimum time in seconds in which a correction rises to its maximum, and falls back; it is also at least a period.
    private static let shortest = 0.5
    /// The longest period in seconds that is corrected, since a transport may be arbitrarily slow.
    private static let longest = 60.0
    /// The deviation in seconds from the expected position that counts as a jump of the transport.
    private static let jump = 0.01
    /// The time in seconds that the transport has to run before its speed can be measured.
    private static let patience = 0.5

    /// Aligns all layers of a patch that follow the tempo.
    ///
    /// - Returns: The serials of the changes.
    mutating func keep(_ patch: Patch, at position: MusicalPosition, _ engine: EngineControl) -> [UInt64] {
        guard patch.layers.contains(where: { !$0.notes.isEmpty }) else { return [] }
        see(position, sampleRate: engine.sampleRate)
        var serials: [UInt64] = []
        for (index, layer) in patch.layers.enumerated() {
            for (parameter, length) in layer.notes {
                if let serial = correct(parameter, layer: index, length, engine) { serials.append(serial) }
            }
        }
        return serials
    }

    /// Records the transport's position.
    private mutating func see(_ position: MusicalPosition, sampleRate: Double) {
        let mark = Mark(frame: position.engineFrame, wholeNotes: position.wholeNotes)
        if let last {
            let seconds = Double(mark.frame - last.frame) / sampleRate
            let beside = (mark.wholeNotes - last.wholeNotes) * 240 / position.tempo - seconds
            if position.tempo != tempo || abs(beside) > Self.jump + seconds / 10 {
                marks = []
                correctedAt = [:]
            }
        }
        tempo = position.tempo
        last = mark
        guard marks.last.map({ Double(mark.frame - $0.frame) >= sampleRate }) ?? true else { return }
        marks.append(mark)
        if marks.count > 4 { marks.removeFirst() }
    }

    /// The transport's measured speed in whole notes per frame, which with some timebase masters differs slightly from what they report.
    private func speed(sampleRate: Double) -> Double? {
        guard let first = marks.first, let last, Double(last.frame - first.frame) >= Self.patience * sampleRate else { return nil }
        return (last.wholeNotes - first.wholeNotes) / Double(last.frame - first.frame)
    }

    /// - Returns: The serial of the change; `nil` if none is needed.
    private mutating func correct(_ parameter: Parameter, layer: Int, _ length: NoteLength, _ engine: EngineControl) -> UInt64? {
        let target = Target(parameter: parameter, layer: layer)
        guard let last, let speed = speed(sampleRate: engine.sampleRate), speed > 0, (correctedAt[target] ?? 0) <= last.frame,
            let phase = engine.live?.phase(of: parameter, layer: layer, atFrame: last.frame)
        else { return nil }
        let frequency = speed * engine.sampleRate * length.perWhole
        guard frequency >= 1 / Self.longest else { return nil }
        var behind = last.wholeNotes * length.perWhole - phase
        behind -= behind.rounded()
        guard abs(behind) > Self.tolerance * frequency else { return nil }
        let seconds = max(Self.shortest, 1 / frequency)
        let frame = engine.earliestFrame() + Int64(0.02 * engine.sampleRate)
        correctedAt[target] = frame + Int64((2 * seconds + 0.2) * engine.sampleRate)
        let shift = engine.live?.course(
            shifting: parameter, layer: layer, holding: frequency, by: behind, over: seconds, atFrame: frame, sampleRate: engine.sampleRate)
        return shift.flatMap { engine.follow($0.course, ramp: $0.ramp, atFrame: frame) }
    }
}
