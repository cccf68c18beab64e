import Patches

/// The positions of a patch from left to right.
struct TimeAxis {
    /// Seconds at the right edge.
    let end: Double
    /// The patch goes on beyond it.
    let isEndless: Bool
    let left: Double
    let right: Double

    /// Wide enough for all that happens; an endless patch is shown until a while after its last move.
    init(_ patch: Patch, from left: Double, to right: Double) {
        self.left = left
        self.right = right
        isEndless = patch.duration == nil
        let over = (patch.chapters + patch.cues).map { $0.start + ($0.over ?? 0) }.max() ?? 0
        end = patch.duration ?? max(60, over * 1.2, (patch.fade?.fadeIn ?? 0) * 3)
    }

    func x(_ seconds: Double) -> Double { left + min(max(seconds / end, 0), 1) * (right - left) }

    /// Whole steps that people count in, so that a label has some eighty points.
    var ticks: [Double] {
        let steps: [Double] = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400, 604_800]
        let room = max(2, (right - left) / 80)
        let step = steps.first { end / $0 <= room } ?? 2_592_000
        return Array(stride(from: 0, through: end, by: step))
    }
}

/// Values from the bottom of a panel to its top.
struct ValueAxis {
    let top: Double
    let bottom: Double
    /// 0 at the bottom, 1 at the top; values beyond are cut off at the edges.
    let place: @Sendable (Double) -> Double

    func y(_ value: Double) -> Double { bottom - min(max(place(value), 0), 1) * (bottom - top) }

    /// Equal steps in pitch.
    static func pitch(_ range: ClosedRange<Double>, in area: Area) -> ValueAxis {
        let low = PortableMath.log2(range.lowerBound)
        let span = PortableMath.log2(range.upperBound) - low
        return ValueAxis(top: area.top, bottom: area.bottom) { (PortableMath.log2(max($0, 1e-3)) - low) / span }
    }

    /// Beats and pulses in Hz: slow ones have room, 0 has a place, fast ones stay on the page, and what is negative lies below 0.
    static func beat(_ range: ClosedRange<Double>, in area: Area) -> ValueAxis {
        let bottom = beatPlace(range.lowerBound)
        let span = beatPlace(range.upperBound) - bottom
        return ValueAxis(top: area.top, bottom: area.bottom) { (beatPlace($0) - bottom) / span }
    }

    /// Octaves above 3 Hz, for what is much faster; in proportion to what is much slower.
    private static func beatPlace(_ beat: Double) -> Double {
        let place = PortableMath.log2(1 + abs(beat) / 3)
        return beat < 0 ? -place : place
    }

    static func linear(_ range: ClosedRange<Double>, in area: Area) -> ValueAxis {
        ValueAxis(top: area.top, bottom: area.bottom) { ($0 - range.lowerBound) / (range.upperBound - range.lowerBound) }
    }
}

/// Where brain waves have names, in Hz; a beat is called after the band that it lies in.
struct BeatBand {
    let name: String
    let range: Range<Double>

    static let all = [
        BeatBand(name: "delta", range: 0..<4), BeatBand(name: "theta", range: 4..<8), BeatBand(name: "alpha", range: 8..<13),
        BeatBand(name: "beta", range: 13..<30), BeatBand(name: "gamma", range: 30..<100),
    ]
}

/// The notes of a panel of pitches, as many as have room.
struct NoteGrid {
    let range: ClosedRange<Double>
    let notes: [Note]

    /// Around the frequencies in Hz, a note more on either side; half an octave at least.
    init(around frequencies: ClosedRange<Double>, height: Double) {
        let tuning = Tuning()
        var low = tuning.note(ofFrequency: frequencies.lowerBound) - 2
        var high = tuning.note(ofFrequency: frequencies.upperBound) + 2
        if high - low < 8 { (low, high) = ((low + high) / 2 - 4, (low + high) / 2 + 4) }
        range = tuning.frequency(ofNote: low)...tuning.frequency(ofNote: high)
        // Steps within the octave, from all down to C alone; at last every other C.
        let choices = [Array(0..<12), [0, 2, 4, 5, 7, 9, 11], [0, 4, 7], [0, 7], [0]]
        let (bottom, top) = (low, high)
        let octaves = (high - low) / 12
        let steps = choices.first { Double($0.count) * octaves * 16 <= height } ?? [0]
        notes = (0...127).filter { steps.contains($0 % 12) && Double($0) > bottom && Double($0) < top }.compactMap { Note(rawValue: $0) }
    }
}
