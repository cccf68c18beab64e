/// A history of an audio server, and the events by which a device reports it to its owner, in order. Every device has to keep to it: the backend on a
/// real server, and the one that tests drive in its place.
package enum ServerHistory {
    package enum Happening: Sendable {
        /// A server comes, at 48 kHz with periods of 256 frames.
        case start
        /// It ends.
        case end
        /// It no longer calls its clients, and continues.
        case pause
        case resume
        /// Its period becomes 512 frames.
        case changePeriod
        /// The owner asks for another client name.
        case reopen
        /// The owner closes the device.
        case close
    }

    /// The events are given by the names of their cases. Those about connections, ports, xruns and messages may come between any of them.
    package static let steps: [(happening: Happening, events: [String])] = [
        (.start, ["available"]), (.pause, ["stalled"]), (.resume, ["resumed"]), (.changePeriod, ["bufferSizeChanged"]), (.end, ["lost"]),
        (.start, ["available"]), (.reopen, ["reopening", "available"]), (.pause, ["stalled"]), (.end, ["lost"]), (.start, ["available"]),
        (.close, []),
    ]

    /// The names of events that this is about, from their descriptions.
    package static func names(_ descriptions: [String]) -> [String] {
        let names: Set = ["available", "lost", "reopening", "stalled", "resumed", "sampleRateChanged", "bufferSizeChanged"]
        return descriptions.map { String($0.prefix { $0 != "(" }) }.filter(names.contains)
    }
}
