import OSC
import Playback

extension RemoteServer {
    /// Takes a bundle apart by time: what is due or late is applied at once, the rest when it is due.
    func apply(_ bundle: Bundle, from peer: Peer) {
        for (due, messages) in bundle.messages() {
            guard let due, configuration.honoursTimeTags else {
                applyTogether(messages, from: peer)
                continue
            }
            // What waits already and is due too comes first.
            runDueBundles()
            let wait = due.seconds(since: now.timeTag)
            let entry = BundleSchedule.Entry(due: due, messages: messages, peer: peer, source: source)
            if wait <= receiver?.lead ?? 0 {
                release(entry)
            } else if !peers.isKept(peer) {
                // Without a lease there is nothing whose end would end its waiting.
                refuse(entry, .queueFull, "\(PeerTable.maximumCount) peers are known already: end one of them.")
            } else if wait > BundleSchedule.horizon {
                refuse(entry, .tooFarInFuture, "A bundle may be at most 60 s ahead: send it later.")
            } else if !schedule.add(entry, now: now.timeTag) {
                refuse(entry, .queueFull, "Too much waits already: 256 messages a peer, 4096 in all.")
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

    /// Has a bundle take effect on the frame that its time falls on. The clocks are compared now and not when it came, since one runs
    /// away from the other.
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

    /// Seconds by which a bundle that waited may be applied late where no frames pass: as often as ``tick(at:)`` comes.
    private static let punctuality = 0.05

    /// Messages that take effect at one frame; session and file work and the end of the program come after them.
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
