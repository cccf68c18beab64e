/// Content that control changes while the render thread plays it. Changes are sent one on top of the other, and those that come too late
/// are made again.
struct Revisions<Content> {
    /// The content that the render thread is known to have.
    private(set) var landed: Content
    /// The content with all changes, landed or not.
    private(set) var latest: Content
    /// Changes that have not landed, in order.
    private(set) var waiting: [Change] = []
    /// The content of each message for which no report has come, by the message's serial.
    private var sent: [UInt64: Content] = [:]
    /// Whether one of them came too late. The others will too, so nothing is sent until all have been reported.
    private(set) var hasMissed = false

    struct Change {
        var serial: UInt64
        /// The requested frame.
        var atFrame: EngineFrame
        /// The frame at which it happens in `latest`.
        var frame: EngineFrame
        /// Applies the change to the content at a frame.
        var apply: (inout Content, EngineFrame) -> Void
    }

    init(_ content: Content) {
        landed = content
        latest = content
    }

    /// The last frame at which `latest` may replace what plays: that of its first change that has not landed.
    var validFrom: EngineFrame { waiting.map(\.frame).min() ?? .max }

    /// Messages for which no report has come.
    var inFlight: Int { sent.count }

    /// Their serials.
    var serialsInFlight: some Sequence<UInt64> { sent.keys }

    func isInFlight(_ serial: UInt64) -> Bool { sent[serial] != nil }

    /// Adds a change at its requested frame, or at `earliest` if that is later.
    mutating func add(serial: UInt64, atFrame: EngineFrame, earliest: EngineFrame, apply: @escaping (inout Content, EngineFrame) -> Void) {
        let frame = max(atFrame, earliest)
        waiting.append(Change(serial: serial, atFrame: atFrame, frame: frame, apply: apply))
        apply(&latest, frame)
    }

    /// Records that `latest` was sent in the message with this serial.
    mutating func didSend(serial: UInt64) { sent[serial] = latest }

    /// Withdraws a message that never reached the ring because a newer one replaced it.
    mutating func withdraw(serial: UInt64) { sent[serial] = nil }

    /// Records that the message with this serial has landed, and with it the changes up to it.
    ///
    /// - Returns: Their serials.
    mutating func didLand(serial: UInt64) -> [UInt64] {
        guard let content = sent.removeValue(forKey: serial) else { return [] }
        // Later messages may have been sent after the ones before had landed, and be in time.
        if sent.isEmpty { hasMissed = false }
        landed = content
        let count = waiting.prefix { $0.serial <= serial }.count
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).map(\.serial)
    }

    /// Records that the message with this serial came too late.
    ///
    /// - Returns: Whether it was the last one in flight, so that the changes can be made again.
    mutating func didMiss(serial: UInt64) -> Bool {
        guard sent.removeValue(forKey: serial) != nil else { return false }
        hasMissed = !sent.isEmpty
        return sent.isEmpty && !waiting.isEmpty
    }

    /// The serial of the last waiting change, if it is in no message because nothing was being sent when it was made; otherwise `nil`.
    var stranded: UInt64? { sent.isEmpty ? waiting.last?.serial : nil }

    /// Makes the changes that have not landed again, at their requested frame or at `earliest` if that is later.
    mutating func remake(earliest: EngineFrame) {
        latest = landed
        for index in waiting.indices {
            waiting[index].frame = max(waiting[index].atFrame, earliest)
            waiting[index].apply(&latest, waiting[index].frame)
        }
    }
}
