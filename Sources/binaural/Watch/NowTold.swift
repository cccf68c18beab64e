import OSC

/// What an instance has told of what it plays, as far as it is shown.
package struct NowTold: Sendable {
    static let root = Conversation.root + "now/"

    package private(set) var state = ""
    package private(set) var title = ""
    package private(set) var chapter = (index: 0, count: 0, title: "")
    /// From 1.
    package private(set) var queue = (index: 0, count: 0)
    /// Seconds; 0 is endless.
    package private(set) var duration = 0.0
    /// Speed at which the position moves: 0 unless playing.
    package private(set) var rate = 0.0
    /// Speed at which it moves, or would.
    package private(set) var defaultRate = 1.0
    /// Seconds, at ``tag``.
    package private(set) var elapsed = 0.0
    /// Seconds until a sleep timer has everything silent, at ``tag``; 0 without one.
    package private(set) var timeToSleep = 0.0
    package var tag = TimeTag.immediate

    package func elapsed(at instant: TimeTag) -> Double {
        let moved = elapsed + instant.seconds(since: tag) * rate
        return max(0, duration > 0 ? min(moved, duration) : moved)
    }

    /// Runs down whether something plays or not; `nil` without one.
    package func timeToSleep(at instant: TimeTag) -> Double? {
        timeToSleep > 0 ? max(0, timeToSleep - instant.seconds(since: tag)) : nil
    }

    /// - Parameter name: behind `now/`.
    mutating func take(_ name: Substring, _ arguments: [Argument]) {
        switch (name, arguments.first) {
        case ("state", .string(let value)): state = value
        case ("title", .string(let value)): title = value
        case ("elapsed", .float(let value)): elapsed = Double(value)
        case ("duration", .float(let value)): duration = Double(value)
        case ("rate", .float(let value)): rate = Double(value)
        case ("sleep", .float(let value)): timeToSleep = Double(value)
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
