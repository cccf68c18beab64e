import OSC
import Patches
import Terminal

/// The received now-playing state of an instance, as far as it is shown.
package struct ReceivedNowPlaying: Sendable {
    static let root = Conversation.root + "now/"

    package private(set) var state = ""
    package private(set) var title = ""
    package private(set) var chapter = (index: 0, count: 0, title: "")
    /// The index is counted from 1.
    package private(set) var queue = (index: 0, count: 0)
    /// Duration in seconds; 0 means endless.
    package private(set) var duration = 0.0
    /// Speed of the position; 0 unless playing.
    package private(set) var rate = 0.0
    /// The speed at which it plays when it plays.
    package private(set) var defaultRate = 1.0
    /// Position in seconds at ``tag``.
    package private(set) var elapsed = 0.0
    /// Seconds until the sleep timer has faded everything out, at ``tag``; 0 without one.
    package private(set) var timeToSleep = 0.0
    /// Seconds until it starts to play by itself, at ``tag``; negative if it does not.
    package private(set) var timeToStart = -1.0
    package var tag = TimeTag.immediate

    package func elapsed(at instant: TimeTag) -> Double {
        let moved = elapsed + instant.seconds(since: tag) * rate
        return max(0, duration > 0 ? min(moved, duration) : moved)
    }

    /// Seconds left at a time, whether something plays or not; `nil` without a sleep timer.
    package func timeToSleep(at instant: TimeTag) -> Double? {
        timeToSleep > 0 ? max(0, timeToSleep - instant.seconds(since: tag)) : nil
    }

    /// The time at which it starts to play by itself, in seconds since 1970 and rounded to a hundredth; `nil` if it does not.
    var startTime: Double? {
        guard timeToStart >= 0, tag != .immediate else { return nil }
        return ((tag.secondsSince1900 - Self.unixEpoch + timeToStart) * 100).rounded() / 100
    }

    /// Seconds from 1900 to 1970.
    private static let unixEpoch = 2_208_988_800.0

    /// - Parameter name: the address's part after `now/`.
    mutating func take(_ name: Substring, _ arguments: [OSCArgument]) {
        switch (name, arguments.first) {
        case ("state", .string(let value)): state = value
        case ("title", .string(let value)): title = value
        case ("elapsed", .float(let value)): elapsed = Double(value)
        case ("duration", .float(let value)): duration = Double(value)
        case ("rate", .float(let value)): rate = Double(value)
        case ("sleep", .float(let value)): timeToSleep = Double(value)
        case ("start", .float(let value)): timeToStart = Double(value)
        case ("rate/default", .float(let value)): defaultRate = Double(value)
        case ("queue", .int32(let index)):
            if arguments.count > 1, case .int32(let count) = arguments[1] { queue = (Int(index), Int(count)) }
        case ("chapter", .int32(let index)):
            guard arguments.count > 2, case .int32(let count) = arguments[1], case .string(let title) = arguments[2] else { return }
            chapter = (Int(index), Int(count), title)
        default: break
        }
    }
}

extension ReceivedNowPlaying {
    /// A line with what is playing, such as `playing Deep alpha, 2/3 Theta, 1:40 / 30:00`.
    var line: String {
        guard !title.isEmpty || queue.count > 0 else { return "The queue is empty." }
        var parts = ["\(state) \(title.printable)"]
        if chapter.count > 0 {
            let title = chapter.title.printable
            parts.append("\(chapter.index)/\(chapter.count)" + (title.isEmpty ? "" : " \(title)"))
        }
        let position = DurationText.string(from: elapsed.rounded(.down))
        parts.append(duration > 0 ? "\(position) / \(DurationText.string(from: duration.rounded(.down)))" : position)
        return parts.joined(separator: ", ")
    }
}
