import OSC
import Playback

/// The time and the state of the player, as the server sees them now.
///
/// The snapshot is taken when it is first needed, and again after every change and for every bundle.
final class CurrentState {
    /// The time of the latest call of the server's owner.
    var now = Instant(seconds: 0, timeTag: .immediate)
    var identity: InstanceIdentity
    /// The receiver owns the server, so the reference back is weak.
    private(set) weak var receiver: (any CommandReceiver)?
    private let schedule: BundleSchedule
    private var known: Snapshot? {
        didSet { nowPlaying = [:] }
    }
    /// The snapshot's now-playing messages, encoded once for all subscribers, of other machines or this one, as soon as somebody needs them.
    var nowPlaying: [Bool: [[UInt8]]] = [:]

    init(_ identity: InstanceIdentity, receiver: any CommandReceiver, schedule: BundleSchedule) {
        (self.identity, self.receiver, self.schedule) = (identity, receiver, schedule)
    }

    /// The present snapshot, taken once for as long as nothing changes.
    var snapshot: Snapshot {
        if let known { return known }
        let snapshot = receiver?.snapshot() ?? Snapshot()
        known = snapshot
        return snapshot
    }

    /// Marks the snapshot as outdated, since the player may have changed; it is taken again when it is needed.
    func invalidate() { known = nil }

    /// - Parameter peer: The peer that asks; `nil` if none does.
    func reading(for peer: Peer? = nil) -> Reading {
        Reading(
            snapshot: snapshot, identity: identity, replies: peer?.replies ?? 1,
            bundles: .init(waiting: schedule.bundleCount, late: schedule.lateCount, refused: schedule.refusedCount))
    }
}

extension TimeTag {
    /// The wall-clock time of a moment on the render clock.
    init(_ clock: Snapshot.Clock, _ moment: Moment) {
        let seconds = clock.seconds(of: moment).clamped(to: 0...1e11)
        let whole = seconds.rounded(.down)
        self.init(secondsSince1970: Int64(whole), nanoseconds: Int64(((seconds - whole) * 1e9).rounded(.down)))
    }
}
