/// Content that control changes while the render thread plays it. Changes are sent one on top of the other, and those that come too late
/// are made again.
struct Revisions<Content> {
    /// The content that the render thread is known to have.
    private(set) var landed: Content
    /// The content with all changes, landed or not.
    private(set) var latest: Content
    /// Changes that have not landed, in order.
    private(set) var waiting: [Change] = []
    /// Messages sent for which no report has come.
    private(set) var inFlight = 0
    /// Whether one of them came too late. The others will too, so nothing is sent until all have been reported.
    private(set) var hasMissed = false

    struct Change {
        var serial: UInt64
        /// Requested frame.
        var atFrame: EngineFrame
        /// Frame at which it happens in `latest`.
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

    /// Adds a change at its requested frame, or at `earliest` if that is later.
    mutating func add(serial: UInt64, atFrame: EngineFrame, earliest: EngineFrame, apply: @escaping (inout Content, EngineFrame) -> Void) {
        let frame = max(atFrame, earliest)
        waiting.append(Change(serial: serial, atFrame: atFrame, frame: frame, apply: apply))
        apply(&latest, frame)
    }

    mutating func sent() { inFlight += 1 }

    /// Withdraws a message that was never sent because a newer one replaced it.
    mutating func withdrawn() { inFlight -= 1 }

    /// Records that the message with this serial has landed, and with it the changes up to it; returns their serials.
    mutating func didLand(serial: UInt64, content: Content) -> [UInt64] {
        inFlight -= 1
        // Later messages may have been sent after the ones before had landed, and be in time.
        if inFlight == 0 { hasMissed = false }
        landed = content
        let count = waiting.prefix { $0.serial <= serial }.count
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).map(\.serial)
    }

    /// Whether changes wait that are in no message: they came while nothing was sent.
    var isStranded: Bool { inFlight == 0 && !waiting.isEmpty }

    /// Records that a message came too late. Returns true if it was the last one in flight, so that the changes can be made again.
    mutating func didMiss() -> Bool {
        inFlight -= 1
        hasMissed = inFlight > 0
        return inFlight == 0 && !waiting.isEmpty
    }

    /// Makes the changes that have not landed again, at their requested frame or at `earliest` if that is later.
    mutating func remake(earliest: EngineFrame) {
        latest = landed
        for index in waiting.indices {
            waiting[index].frame = max(waiting[index].atFrame, earliest)
            waiting[index].apply(&latest, waiting[index].frame)
        }
    }
}
