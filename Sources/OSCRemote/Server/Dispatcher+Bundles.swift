import OSC
import Playback

extension Dispatcher {
    /// Applies a bundle: messages that are due or late at once, the others when they are due.
    ///
    /// - Returns: The number of messages that were ignored as answers of another server.
    func apply(_ bundle: OSCBundle, _ context: PacketContext) -> Int {
        var ignored = 0
        for (due, messages) in bundle.messages() {
            guard let due, honoursTimeTags else {
                ignored += applyTogether(messages, context)
                continue
            }
            // Waiting bundles that are due come first.
            runDueBundles()
            let wait = due.seconds(since: context.now.timeTag)
            let entry = BundleSchedule.Entry(due: due, messages: messages, context: context)
            if wait <= state.receiver?.lead ?? 0 {
                ignored += release(entry)
            } else if !peers.isKept(context.peer) {
                // Only peers with a lease may have bundles waiting, since the end of the lease drops them.
                refuse(entry, .queueFull, "There are already \(PeerTable.maximumCount) peers: end one of them.")
            } else if wait > BundleSchedule.horizon {
                refuse(entry, .tooFarInFuture, "A bundle may be at most 60 s ahead: send it later.")
            } else if !schedule.add(entry, now: context.now.timeTag) {
                refuse(entry, .queueFull, "Too many messages are waiting: at most 256 from a peer and 4096 in all.")
            }
        }
        return ignored
    }

    private func refuse(_ entry: BundleSchedule.Entry, _ status: CommandStatus, _ sentence: String) {
        schedule.countRefused()
        answers.reply(to: entry.peer, "#bundle", Refusal(status, sentence))
        feedback.finish(entry.messages, from: entry.peer)
    }

    func runDueBundles() {
        while var entry = schedule.takeDue(within: state.receiver?.lead ?? 0, of: state.now.timeTag) {
            entry.context = entry.context.due(at: state.now)
            release(entry)
        }
    }

    /// Applies a bundle on the frame of its time. The time is converted now and not on arrival, since the two clocks drift apart.
    @discardableResult
    private func release(_ entry: BundleSchedule.Entry) -> Int {
        guard state.receiver?.lead != nil else {
            if entry.due.seconds(since: entry.context.now.timeTag) < -Self.toleratedLateness { schedule.countLate() }
            return applyTogether(entry.messages, entry.context)
        }
        state.invalidate()
        let clock = state.snapshot.clock
        let moment = clock.moment(after: entry.due.seconds(since: TimeTag(clock, clock.moment)))
        return applyTogether(entry.messages, at: moment, entry.context)
    }

    /// Seconds by which a waiting bundle may be late while no frames are rendered: the interval of ``OSCServer/tick(at:)``.
    private static let toleratedLateness = 0.05

    /// Applies messages on one frame; session and file work and the end of the program come afterwards.
    private func applyTogether(_ messages: [OSCMessage], at moment: Moment? = nil, _ context: PacketContext) -> Int {
        let bundle = OpenBundle(rampGroup: newRampGroup(messages))
        let inside = context.within(bundle)
        var ignored = 0
        state.invalidate()
        let isMet =
            state.receiver?.simultaneously(at: moment) {
                for message in messages where handle(message, inside) == .ignored { ignored += 1 }
            } ?? true
        state.invalidate()
        if let group = bundle.rampGroup, !state.snapshot.player.ramps.isUnderWay(group) { feedback.finish(messages, from: context.peer) }
        if !isMet { schedule.countLate() }
        bundle.doPostponedWork()
        return ignored
    }
}
