import OSC
import Patches
import Playback

/// Outgoing strings, cut to their limit at the end of a character.
enum Text {
    static let titleLimit = 128
    static let commentLimit = 256
    static let noticeLimit = 512
    /// A longer path is left out, since the beginning of a path is useless.
    static let pathLimit = 256
    /// Maximum size of every other string in bytes.
    static let limit = 96

    static func cut(_ text: String, to limit: Int = limit) -> String {
        guard text.utf8.count > limit else { return text }
        var end = text.utf8.index(text.utf8.startIndex, offsetBy: limit)
        // Moves back to the first byte of a code point.
        while text.utf8[end] & 0xC0 == 0x80 { end = text.utf8.index(before: end) }
        return String(text[..<end])
    }

    /// `12:34 / 30:00`; endless items show the position alone.
    static func clock(_ now: NowPlaying) -> String {
        now.duration > 0 ? "\(clock(now.elapsed)) / \(clock(now.duration))" : clock(now.elapsed)
    }

    private static func clock(_ seconds: Double) -> String { DurationText.string(from: seconds.clamped(to: 0...1e12).rounded(.down)) }
}

extension OSCArgument {
    static func text(_ text: String, limit: Int = Text.limit) -> OSCArgument { .string(Text.cut(text, to: limit)) }

    /// A notice to the user, whole up to its limit; a longer one keeps its remedy.
    static func notice(_ text: String) -> OSCArgument { .string(Sentence.fitting(text, limit: Text.noticeLimit)) }

    static func path(_ path: String) -> OSCArgument { .string(path.utf8.count <= Text.pathLimit ? path : "") }

    static func count(_ value: Int) -> OSCArgument { .int32(Int32(clamping: value)) }

    static func flag(_ isOn: Bool) -> OSCArgument { .int32(isOn ? 1 : 0) }
}
