/// Something that the render thread plays while control changes it: changes go out one on top of the other, and those that come too
/// late are made again.
struct Revisions<Content> {
    /// What the render thread is known to have.
    private(set) var landed: Content
    /// With all changes, landed or not.
    private(set) var latest: Content
    /// Changes that have not landed, in order.
    private(set) var waiting: [Change] = []
    /// Messages out for which no report has come.
    private(set) var inFlight = 0
    /// One of them came too late, and so will the others: nothing is sent until all have come back.
    private(set) var hasMissed = false

    struct Change {
        var serial: UInt64
        /// Engine frame that it was asked for; 0 as soon as possible.
        var atFrame: Int64
        /// Engine frame at which it happens in `latest`.
        var frame: Int64
        /// What it does to the content at an engine frame.
        var apply: (inout Content, Int64) -> Void
    }

    init(_ content: Content) {
        landed = content
        latest = content
    }

    /// The last engine frame at which `latest` may take the place of what plays: that of the first change in it that has not landed.
    var validFrom: Int64 { waiting.map(\.frame).min() ?? .max }

    /// Adds a change that happens at `earliest` or when it was asked for.
    mutating func add(serial: UInt64, atFrame: Int64, earliest: Int64, apply: @escaping (inout Content, Int64) -> Void) {
        let frame = max(atFrame, earliest)
        waiting.append(Change(serial: serial, atFrame: atFrame, frame: frame, apply: apply))
        apply(&latest, frame)
    }

    mutating func sent() { inFlight += 1 }

    /// A message that was never sent since a newer one took its place.
    mutating func withdrawn() { inFlight -= 1 }

    /// The message with this serial has landed, and with it the changes up to it; returns their serials.
    mutating func didLand(serial: UInt64, content: Content) -> [UInt64] {
        inFlight -= 1
        // Later ones may have gone out after those before them had landed, and be in time all the same.
        if inFlight == 0 { hasMissed = false }
        landed = content
        let count = waiting.prefix { $0.serial <= serial }.count
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).map(\.serial)
    }

    /// Changes wait that no message is out for: they came while nothing was sent.
    var isStranded: Bool { inFlight == 0 && !waiting.isEmpty }

    /// A message came too late. True when it was the last one out: then it is time to make the changes again.
    mutating func didMiss() -> Bool {
        inFlight -= 1
        hasMissed = inFlight > 0
        return inFlight == 0 && !waiting.isEmpty
    }

    /// Makes the changes that have not landed again, at `earliest` or when they were asked for.
    mutating func remake(earliest: Int64) {
        latest = landed
        for index in waiting.indices {
            waiting[index].frame = max(waiting[index].atFrame, earliest)
            waiting[index].apply(&latest, waiting[index].frame)
        }
    }
}
