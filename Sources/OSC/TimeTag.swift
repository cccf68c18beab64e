/// An NTP time stamp: seconds since 1900 in the upper 32 bits, their fraction (2^-32 s, 0.23 ns) in the lower.
///
/// The seconds wrap in 2036; time stamps are interpreted as 1968 to 2104.
public struct TimeTag: Hashable, Sendable {
    public var rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// OSC's "immediately", for a bundle without a time.
    public static let immediate = TimeTag(rawValue: 1)

    /// Seconds from 1900 to 1970.
    private static let unixEpoch: UInt64 = 2_208_988_800

    /// Converts a `CLOCK_REALTIME` reading, rounded to the nearest 2^-32 s.
    ///
    /// - Parameter nanoseconds: 0..<1,000,000,000.
    public init(secondsSince1970: Int64, nanoseconds: Int64) {
        let fraction = (UInt64(nanoseconds) << 32 + 500_000_000) / 1_000_000_000
        // If the fraction was rounded up to a whole second, the addition carries it.
        rawValue = (UInt64(bitPattern: secondsSince1970) &+ Self.unixEpoch) << 32 &+ fraction
    }

    /// Seconds from `other` to this time, negative if it is earlier. Correct across the wrap of 2036, up to 68 years.
    public func seconds(since other: TimeTag) -> Double {
        Double(Int64(bitPattern: rawValue &- other.rawValue)) / 4_294_967_296
    }

    /// The time `seconds` later, clamped to 68 years either way.
    public func advanced(bySeconds seconds: Double) -> TimeTag {
        let steps = (seconds * 4_294_967_296).rounded()
        return TimeTag(rawValue: rawValue &+ UInt64(bitPattern: Int64(max(-0x1p62, min(0x1p62, steps)))))
    }

    /// Seconds since 1900 (in the current 136-year era), to about half a microsecond.
    public var secondsSince1900: Double { Double(rawValue) / 4_294_967_296 }

    /// - Parameter secondsSince1900: 0..<2^32; clamped.
    public init(secondsSince1900: Double) {
        let clamped = max(0, min(secondsSince1900, 4_294_967_295))
        rawValue = UInt64(clamped * 4_294_967_296)
    }
}
