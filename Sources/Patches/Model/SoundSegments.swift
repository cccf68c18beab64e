/// How a layer plays its sound file in segments: each comes from a random place of a section of the file, and is crossfaded into the next.
///
/// The places follow from the layer's ``Layer/seed``, so that every position always sounds the same.
package struct SoundSegments: Hashable, Sendable {
    /// The shortest and the longest segment in seconds with their crossfades, within ``lengthRange``; `nil` for the whole section. No segment
    /// is longer than the section.
    package var lengths: ClosedRange<Double>?
    /// The duration of a crossfade in seconds, within ``crossfadeRange``, and at most half of the shortest segment.
    package var crossfade: Double
    /// The number of segments that are heard at once, 1 or 2.
    package var streams: Int
    /// Whether the second of two streams has left and right exchanged.
    package var exchangesEars: Bool
    /// The start of the section in seconds of the file, from 0.
    package var start: Double
    /// The end of the section in seconds of the file, later than ``start``; `nil` for the end of the file.
    package var end: Double?
    /// Whether the part of the file before the section is played first, once.
    package var playsIntro: Bool

    package init(
        lengths: ClosedRange<Double>? = nil, crossfade: Double? = nil, streams: Int = 1, exchangesEars: Bool = true, start: Double = 0,
        end: Double? = nil, playsIntro: Bool = false
    ) {
        self.lengths = lengths
        self.crossfade = crossfade ?? Self.usualCrossfade(lengths)
        self.streams = streams
        self.exchangesEars = exchangesEars
        self.start = start
        self.end = end
        self.playsIntro = playsIntro
    }

    /// Seconds that a segment may last.
    package static let lengthRange = 0.1...86_400
    /// Seconds that a crossfade may last; the shortest is also that of all other fades.
    package static let crossfadeRange = 0.02...60

    /// The crossfade in seconds of segments for which none is given: 1 s, or half of a shorter segment.
    package static func usualCrossfade(_ lengths: ClosedRange<Double>?) -> Double { min(1, longestCrossfade(lengths)) }

    /// The longest crossfade in seconds that segments of these lengths can have.
    package static func longestCrossfade(_ lengths: ClosedRange<Double>?) -> Double {
        min(crossfadeRange.upperBound, (lengths?.lowerBound ?? .infinity) / 2)
    }
}
