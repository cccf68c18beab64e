import Patches

/// The time axis of a patch, from left to right.
struct TimeAxis {
    /// Seconds at the right edge.
    let end: Double
    /// Whether the patch continues beyond it.
    let isEndless: Bool
    let left: Double
    let right: Double

    /// Covers the whole patch; an endless one is shown until a while after its last move.
    init(_ patch: Patch, from left: Double, to right: Double) {
        self.left = left
        self.right = right
        isEndless = patch.duration == nil
        let over = (patch.chapters + patch.cues).map { $0.start + ($0.over ?? 0) }.max() ?? 0
        end = patch.duration ?? max(60, over * 1.2, (patch.fade?.fadeIn ?? 0) * 3)
    }

    func x(_ seconds: Double) -> Double { left + min(max(seconds / end, 0), 1) * (right - left) }

    /// Times of the labels in seconds, in round steps that leave each label some eighty points.
    var ticks: [Double] {
        let steps: [Double] = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400, 604_800]
        let room = max(2, (right - left) / 80)
        let step = steps.first { end / $0 <= room } ?? 2_592_000
        return Array(stride(from: 0, through: end, by: step))
    }
}

/// The value axis of a panel, from bottom to top.
struct ValueAxis {
    let top: Double
    let bottom: Double
    /// The values at the bottom and at the top.
    let range: ClosedRange<Double>
    /// Maps a value to 0 at the bottom, 1 at the top; values beyond are clipped to the edges.
    let place: @Sendable (Double) -> Double

    func y(_ value: Double) -> Double { bottom - min(max(place(value), 0), 1) * (bottom - top) }

    /// An axis for Hz with equal steps in pitch.
    static func pitch(_ range: ClosedRange<Double>, in area: Area) -> ValueAxis {
        let low = PortableMath.log2(range.lowerBound)
        let span = PortableMath.log2(range.upperBound) - low
        return ValueAxis(top: area.top, bottom: area.bottom, range: range) { (PortableMath.log2(max($0, 1e-3)) - low) / span }
    }

    /// An axis for beats and pulses in Hz, which spreads slow ones, compresses fast ones, and has room for 0 and negative values.
    static func beat(_ range: ClosedRange<Double>, in area: Area) -> ValueAxis {
        let bottom = beatPlace(range.lowerBound)
        let span = beatPlace(range.upperBound) - bottom
        return ValueAxis(top: area.top, bottom: area.bottom, range: range) { (beatPlace($0) - bottom) / span }
    }

    /// Logarithmic far above 3 Hz, linear far below it.
    static func beatPlace(_ beat: Double) -> Double {
        let place = PortableMath.log2(1 + abs(beat) / 3)
        return beat < 0 ? -place : place
    }

    static func linear(_ range: ClosedRange<Double>, in area: Area) -> ValueAxis {
        ValueAxis(top: area.top, bottom: area.bottom, range: range) {
            ($0 - range.lowerBound) / (range.upperBound - range.lowerBound)
        }
    }
}

/// A band of brain waves and its range in Hz; a beat is named after the band that it lies in.
struct BeatBand {
    let name: String
    let range: Range<Double>

    static let all = [
        BeatBand(name: "delta", range: 0..<4), BeatBand(name: "theta", range: 4..<8), BeatBand(name: "alpha", range: 8..<13),
        BeatBand(name: "beta", range: 13..<30), BeatBand(name: "gamma", range: 30..<100),
    ]
}

/// The notes of the pitch panel, as many as there is room for.
struct NoteGrid {
    let range: ClosedRange<Double>
    let notes: [Note]

    /// A grid around frequencies in Hz, with two semitones more on either side; at least eight semitones.
    init(around frequencies: ClosedRange<Double>, height: Double) {
        let tuning = Tuning()
        var low = tuning.note(ofFrequency: frequencies.lowerBound) - 2
        var high = tuning.note(ofFrequency: frequencies.upperBound) + 2
        if high - low < 8 { (low, high) = ((low + high) / 2 - 4, (low + high) / 2 + 4) }
        range = tuning.frequency(ofNote: low)...tuning.frequency(ofNote: high)
        // Notes of the octave to show, from all of them down to C alone.
        let choices = [Array(0..<12), [0, 2, 4, 5, 7, 9, 11], [0, 4, 7], [0, 7], [0]]
        let (bottom, top) = (low, high)
        let octaves = (high - low) / 12
        let steps = choices.first { Double($0.count) * octaves * 16 <= height } ?? [0]
        notes = (0...127).filter { steps.contains($0 % 12) && Double($0) > bottom && Double($0) < top }.compactMap { Note(rawValue: $0) }
    }
}
