import OSC
import Testing

@Suite("Time tags")
struct TimeTagTests {
    @Test("The epochs are 2,208,988,800 s apart")
    func epochs() {
        #expect(TimeTag(secondsSince1970: 0, nanoseconds: 0).rawValue == UInt64(2_208_988_800) << 32)
        #expect(TimeTag(secondsSince1970: 0, nanoseconds: 500_000_000).rawValue == UInt64(2_208_988_800) << 32 | 0x8000_0000)
    }

    @Test(
        "A clock reading is exact to the nanosecond, also after 2036 and before 1970",
        arguments: [(1_700_000_000, 1), (1_700_000_000, 999_999_999), (2_085_978_496, 0), (3_000_000_000, 123_456_789), (-10, 7)]
            as [(Int64, Int64)])
    func nanoseconds(seconds: Int64, nanoseconds: Int64) {
        let tag = TimeTag(secondsSince1970: seconds, nanoseconds: nanoseconds)
        // The seconds wrap after 2^32.
        #expect(tag.rawValue >> 32 == UInt64(bitPattern: seconds + 2_208_988_800) & 0xFFFF_FFFF)
        #expect(abs(tag.seconds(since: TimeTag(secondsSince1970: seconds, nanoseconds: 0)) * 1e9 - Double(nanoseconds)) < 0.25)
    }

    @Test("Differences have a sign and work across the wrap of 2036")
    func differences() {
        let before = TimeTag(rawValue: UInt64.max - (1 << 32) + 1)
        let after = TimeTag(rawValue: 1 << 31)
        #expect(after.seconds(since: before) == 1.5)
        #expect(before.seconds(since: after) == -1.5)
        #expect(before.advanced(bySeconds: 1.5) == after)
        #expect(after.advanced(bySeconds: -1.5) == before)
    }

    @Test("Seconds since 1900 as a Double are clamped if out of range")
    func doubles() {
        #expect(TimeTag(secondsSince1900: 3.9e9 + 0.25).secondsSince1900 == 3.9e9 + 0.25)
        #expect(TimeTag(secondsSince1900: -1).rawValue == 0)
        #expect(TimeTag(secondsSince1900: 1e300).secondsSince1900 == 4_294_967_295)
        #expect(TimeTag(rawValue: 0).advanced(bySeconds: 1e300).rawValue == 1 << 62)
    }
}
