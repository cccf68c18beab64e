import Playback

/// The items that were given to the engine to follow the current one.
struct UpcomingItems {
    /// An item as it was sent.
    struct Item: Equatable {
        /// Its ``Playback/QueueItem/id``.
        let id: Int
        let content: PlanSource.Content
    }

    /// The items that were requested, by the serial of the request.
    private var items: [UInt64: Item] = [:]
    /// The serial of the latest request until it has been reported.
    private var underWay: UInt64?
    /// Whether the item that was sent is no longer the one that follows.
    private var isStale = false
    /// The moment from which on a change that waits until its fader rests is sent; `nil` if none waits.
    private var postponed: Moment?
    /// The item that the engine has been given; `nil` if that is unknown, or it was discarded.
    private var latest: Latest?

    /// An item as it was sent, or none, and the crossfade to it in seconds.
    struct Latest: Equatable {
        let item: Item?
        let crossfade: Double

        static let nothing = Latest(item: nil, crossfade: 0)
    }

    /// Whether the item that follows now has to be sent.
    var isDue: Bool { isStale && underWay == nil }

    /// Whether a change waits until its fader rests.
    var isPostponed: Bool { postponed != nil }

    /// Whether a change has waited long enough.
    func hasRested(at moment: Moment) -> Bool { postponed.map { $0 <= moment } ?? false }

    /// Seconds without a change after which a fader rests.
    private static let restingTime = 0.2
    /// Seconds before the end of an item from which on each change is sent at once, so that the next item begins with it.
    private static let headStart = 2.0

    /// Whether a change may wait: not if the current item is about to end, or to be crossfaded.
    static func mayPostpone(_ state: PlayerState, at moment: Moment, crossfade: Double) -> Bool {
        guard let length = state.length else { return true }
        return Double(length - state.position(at: moment)) / (Double(state.sampleRate) * state.rate) > headStart + crossfade
    }

    /// Has a change wait until its fader rests, since compiling a plan takes milliseconds.
    mutating func postpone(_ state: PlayerState, at moment: Moment) {
        postponed = Moment(frame: moment.frame + state.frames(Self.restingTime))
    }

    /// Ends the waiting, since the item is sent now, or none is to follow.
    mutating func endPostponing() { postponed = nil }

    /// Whether another item may be sent. While an earlier request is pending, it has to wait, so that only the newest is kept.
    mutating func maySend() -> Bool {
        isStale = underWay != nil
        return !isStale
    }

    /// Records that the item that was sent no longer applies.
    mutating func outdate() { (isStale, latest) = (true, nil) }

    /// Records that the engine discards the item that was sent, because of a start or a silence.
    mutating func discard() { latest = nil }

    /// Whether the engine has exactly this already, so that nothing has to be compiled and sent.
    func has(_ next: Latest) -> Bool { next == latest }

    mutating func sent(_ next: Latest, serial: UInt64) {
        (underWay, latest) = (serial, next)
        if let item = next.item { items[serial] = item }
    }

    /// Handles the engine's refusal of a request.
    mutating func refused(_ serial: UInt64) {
        if serial == underWay { latest = nil }
        settle(serial)
    }

    /// Handles the report on an upcoming item: earlier ones can no longer start.
    mutating func settle(_ serial: UInt64) {
        guard serial == underWay else { return }
        underWay = nil
        items = items.filter { $0.key >= serial }
    }

    /// The engine advanced to the item of a request.
    ///
    /// - Returns: The item as it was sent, whatever the queue is by now.
    mutating func advanced(_ serial: UInt64) -> Item? {
        let item = items.removeValue(forKey: serial)
        latest = nil
        settle(serial)
        return item
    }
}
