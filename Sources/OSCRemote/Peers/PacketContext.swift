import OSC
import Playback

/// The circumstances of the message being handled: who sent it, when, and in which bundle. They travel with it.
struct PacketContext {
    /// The peer that gets the answers.
    var peer: Peer
    /// The address that the packet was sent from, which is not the peer's if it asked for answers on another port.
    let source: PeerAddress
    /// The time at which the server was given the packet, or when a bundle that waited was due.
    var now: Instant
    /// The time at which the packet reached this machine.
    var arrival: TimeTag
    /// The bundle that is being applied; `nil` for a message on its own.
    var bundle: OpenBundle?

    init(peer: Peer, source: PeerAddress, now: Instant, arrival: TimeTag) {
        (self.peer, self.source, self.now, self.arrival) = (peer, source, now, arrival)
    }

    /// The same circumstances in a bundle, or after its end.
    func within(_ bundle: OpenBundle?) -> PacketContext {
        var context = self
        context.bundle = bundle
        return context
    }

    /// The same circumstances once the time of a bundle has come.
    func due(at now: Instant) -> PacketContext {
        var context = self
        (context.now, context.arrival) = (now, now.timeTag)
        return context
    }
}

/// A bundle while its messages are being applied.
final class OpenBundle {
    /// The group of its ramps, whose end is reported together; `nil` if that was not asked for.
    let rampGroup: RampGroup?
    /// Work that must wait until all messages are applied.
    private var postponed: [() -> Void] = []

    init(rampGroup: RampGroup?) { self.rampGroup = rampGroup }

    func postpone(_ work: @escaping () -> Void) { postponed.append(work) }

    func doPostponedWork() {
        let work = postponed
        postponed = []
        for item in work { item() }
    }
}
