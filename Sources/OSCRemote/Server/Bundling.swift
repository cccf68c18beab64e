import OSC
import Playback

extension RemoteServer {
    /// Applies a bundle: messages that are due or late at once, the others when they are due.
    func apply(_ bundle: Bundle, from peer: Peer) {
        for (due, messages) in bundle.messages() {
            guard let due, configuration.honoursTimeTags else {
                applyTogether(messages, from: peer)
                continue
            }
            // Waiting bundles that are due come first.
            runDueBundles()
            let wait = due.seconds(since: now.timeTag)
            let entry = BundleSchedule.Entry(due: due, messages: messages, peer: peer, source: source)
            if wait <= receiver?.lead ?? 0 {
                release(entry)
            } else if !peers.isKept(peer) {
                // Only peers with a lease may have bundles waiting, since the end of the lease drops them.
                refuse(entry, .queueFull, "There are already \(PeerTable.maximumCount) peers: end one of them.")
            } else if wait > BundleSchedule.horizon {
                refuse(entry, .tooFarInFuture, "A bundle may be at most 60 s ahead: send it later.")
            } else if !schedule.add(entry, now: now.timeTag) {
                refuse(entry, .queueFull, "Too many messages are waiting: at most 256 from a peer and 4096 in all.")
            }
        }
    }

    private func refuse(_ entry: BundleSchedule.Entry, _ status: CommandStatus, _ sentence: String) {
        statistics.refusedBundles += 1
        reply(to: entry.peer, "#bundle", CommandResult(status, sentence))
        finish(entry.messages, from: entry.peer)
    }

    func runDueBundles() {
        while let entry = schedule.takeDue(within: receiver?.lead ?? 0, of: now.timeTag) {
            let current = source
            source = entry.source
            release(entry)
            source = current
        }
    }

    /// Applies a bundle on the frame of its time. The time is converted now and not on arrival, since the two clocks drift apart.
    private func release(_ entry: BundleSchedule.Entry) {
        guard receiver?.lead != nil else {
            if entry.due.seconds(since: now.timeTag) < -Self.punctuality { statistics.lateBundles += 1 }
            return applyTogether(entry.messages, from: entry.peer)
        }
        freshSnapshot = nil
        let clock = snapshot.clock
        let moment = clock.moment(after: entry.due.seconds(since: TimeTag(clock, clock.moment)))
        applyTogether(entry.messages, at: moment, from: entry.peer)
    }

    /// Seconds by which a waiting bundle may be late while no frames are rendered: the interval of ``tick(at:)``.
    private static let punctuality = 0.05

    /// Applies messages on one frame; session and file work and the end of the program come afterwards.
    private func applyTogether(_ messages: [Message], at moment: Moment? = nil, from peer: Peer) {
        isInBundle = true
        rampGroup = newRampGroup(messages)
        freshSnapshot = nil
        let isMet = receiver?.simultaneously(at: moment) { for message in messages { handle(message, from: peer) } } ?? true
        freshSnapshot = nil
        isInBundle = false
        if let rampGroup, !snapshot.player.ramps.isUnderWay(rampGroup) { finish(messages, from: peer) }
        rampGroup = nil
        if !isMet { statistics.lateBundles += 1 }
        let work = postponed
        postponed = []
        for item in work { item() }
    }
}
