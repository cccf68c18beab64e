// The thread that decodes.

import Patches
import Synthesis

/// The segments of a sound at one sample rate, and when they are heard.
///
/// Segment k of a stream begins k times the mean distance from the start, moved by a hash of k by up to a quarter of the distances' range to
/// either side. So two successive segments are never closer or farther than the lengths allow, and any frame finds its segments without those
/// before it.
struct SegmentSchedule {
    /// A stretch of the sound that fades in, is heard and fades out. In frames.
    struct Segment: Equatable {
        /// Where it begins.
        var start: Int64
        /// The frame of the sound that it begins with.
        var source: Int64
        /// Its length with both fades.
        var length: Int64
        /// The length of the fade-in; 0 for none.
        var fadeIn: Int64
        /// The length of the fade-out; 0 for none.
        var fadeOut: Int64
        /// The gain between the fades.
        var level: Float = 1
        /// Whether left and right are exchanged.
        var exchangesEars = false

        /// The frame after its last one.
        var end: Int64 { start + length }
    }

    /// The part of the sound that segments come from, in frames.
    let section: Range<Int64>
    /// Frames of a crossfade.
    let crossfade: Int64
    /// The part before the section, if it is played first.
    private let intro: Segment?
    /// Where the first segments begin.
    private let origin: Int64
    /// The mean distance between the starts of two successive segments, in frames.
    private let distance: Double
    /// How far the starts are scattered, in frames: the distances are the mean plus or minus this.
    private let spread: Double
    private let streamKeys: [UInt64]
    private let exchangesEars: Bool

    /// - Parameters:
    ///   - frameCount: Frames of the sound.
    ///   - sampleRate: In Hz.
    init(_ segments: SoundSegments, seedKey: UInt64, frameCount: Int64, sampleRate: Double) {
        func frames(_ seconds: Double) -> Int64 { Int64((seconds * sampleRate).rounded()) }
        let first = min(frames(segments.start), frameCount - 1)
        let end = max(first + 1, min(segments.end.map(frames) ?? frameCount, frameCount))
        section = first..<end
        let longest = min(segments.lengths.map { frames($0.upperBound) } ?? .max, end - first)
        let shortest = min(segments.lengths.map { frames($0.lowerBound) } ?? .max, longest)
        crossfade = min(frames(segments.crossfade), shortest / 2)
        distance = Double(shortest + longest) / 2 - Double(crossfade)
        // A frame less, since the starts are rounded.
        spread = max(0, Double(longest - shortest) / 2 - 1)
        let hasIntro = segments.playsIntro && first > 0
        let fade = min(crossfade, first)
        intro = hasIntro ? Segment(start: 0, source: 0, length: first, fadeIn: 0, fadeOut: fade) : nil
        origin = hasIntro ? first - fade : 0
        streamKeys = (0..<segments.streams).map { streamKey(seedKey, UInt64($0)) }
        exchangesEars = segments.exchangesEars
    }

    /// The segments that are heard in some of these frames: the intro, then those of each stream, in order.
    func segments(in frames: Range<Int64>) -> [Segment] {
        var found = intro.map { frames.lowerBound < $0.end ? [$0] : [] } ?? []
        for stream in streamKeys.indices {
            // The one before may still fade out.
            var number = max(self.number(at: max(frames.lowerBound - origin, 0), stream) - 1, 0)
            var segment = segment(number, stream)
            while segment.start < frames.upperBound {
                if segment.end > frames.lowerBound { found.append(segment) }
                number += 1
                segment = self.segment(number, stream)
            }
        }
        return found
    }

    /// The most segments that are heard in so many frames.
    func segmentsInFrames(_ count: Int) -> Int {
        // One that ends, and one more that begins.
        streamKeys.count * (Int(min(Double(count) / (distance - spread), Double(count))) + 2)
    }

    private func segment(_ number: Int64, _ stream: Int) -> Segment {
        let start = start(number, stream)
        let length = self.start(number + 1, stream) - start + crossfade
        let room = Int64(section.count) - length
        let place = min(Int64(share(number, stream, .place) * Double(room + 1)), room)
        return Segment(
            start: origin + start, source: section.lowerBound + place, length: length,
            // Without an intro, the fade of the playhead is enough.
            fadeIn: number > 0 ? crossfade : min(intro?.fadeOut ?? 0, length - crossfade), fadeOut: crossfade,
            // Two streams have the power of one.
            level: streamKeys.count > 1 ? Float(0.5.squareRoot()) : 1, exchangesEars: stream > 0 && exchangesEars)
    }

    /// The start of a segment in frames from the origin. The first segment of the second stream is half as long as others, so that both
    /// streams do not change at the same time.
    private func start(_ number: Int64, _ stream: Int) -> Int64 {
        guard number > 0 else { return 0 }
        let regular = (Double(number) - (stream > 0 ? 0.5 : 0)) * distance
        return Int64((regular + (share(number, stream, .start) - 0.5) * spread).rounded())
    }

    /// The last segment that has begun at a frame from the origin.
    private func number(at frame: Int64, _ stream: Int) -> Int64 {
        var number = Int64(Double(frame) / distance)
        while start(number + 1, stream) <= frame { number += 1 }
        while start(number, stream) > frame { number -= 1 }
        return number
    }

    private enum Draw: UInt64 {
        case start, place
    }

    /// A random number from 0 to below 1.
    private func share(_ number: Int64, _ stream: Int, _ draw: Draw) -> Double {
        let key = streamKey(streamKey(streamKeys[stream], UInt64(number)), draw.rawValue)
        return Double(key >> 11) * 0x1p-53
    }
}

extension SegmentSchedule.Segment {
    /// The gain at a frame after its start. Successive segments have nothing in common, so the crossfade keeps their power: the sine of a
    /// quarter cycle over a smootherstep, so that both ends are smooth.
    func gain(at frame: Int64) -> Float {
        var gain = level
        if frame < fadeIn { gain *= Self.rising(Double(frame) / Double(fadeIn)) }
        let faded = frame - (length - fadeOut)
        if faded > 0 { gain *= Self.rising(1 - Double(faded) / Double(fadeOut)) }
        return gain
    }

    private static func rising(_ part: Double) -> Float { Float(PortableMath.sine(turns: PortableMath.smootherstep(part) / 4)) }
}
