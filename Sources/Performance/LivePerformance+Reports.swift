import Engine
import Playback

extension LivePerformance {
    /// The notices about sound files since the last call.
    package func takeSoundNotices() -> [SoundNotice] { engine?.takeSoundNotices() ?? [] }

    /// Passes the engine's reports to the player. Call every few milliseconds.
    package func poll(_ player: inout Player) {
        guard let engine, isRunning else { return }
        for event in engine.poll() {
            switch event {
            case .landed(let serial, let frame, let position): didLand(serial, at: moment(of: frame), position, &player)
            case .advanced(let serial, let frame): didAdvance(serial, at: moment(of: frame), &player)
            case .ended(let frame):
                guard isMeant(player.state) else { continue }
                soundingItem = nil
                player.ended(at: moment(of: frame))
            // A refused request will never be heard, so nothing has to wait for it.
            case .refused(let serial):
                landedSerial = max(landedSerial, serial)
                startsUnderWay.remove(serial)
                settleUpcoming(serial)
            }
        }
        sendWaitingStart(player.state)
        if upcomingIsStale, upcomingUnderWay == nil { prepareNext(player.state) }
    }

    private func didLand(_ serial: UInt64, at moment: Moment, _ position: PlanFrame?, _ player: inout Player) {
        landedSerial = max(landedSerial, serial)
        startsUnderWay.remove(serial)
        settleUpcoming(serial)
        guard serial == pending.serial else { return }
        let asked = pending
        pending = PendingTransport()
        // If the player was sent elsewhere meanwhile, while paused and hence silent, its new position is kept.
        if let position, waitingStart?.isGlide ?? true, asked.isStillMeant(in: player.state) {
            player.landed(position: timelineFrame(position), at: moment)
        }
    }

    /// The engine went on to the upcoming item: the one that it was given then, whatever the queue is by now.
    private func didAdvance(_ serial: UInt64, at moment: Moment, _ player: inout Player) {
        let item = upcomingItems.removeValue(forKey: serial)
        settleUpcoming(serial)
        guard let item, isMeant(player.state) else { return }
        soundingItem = pending.kind == nil ? item : nil
        player.advanced(to: item, at: moment)
        soundingRate = player.state.rate
        // A pending pause applies to the item that sounds.
        if pending.kind == .silence {
            pending.item = player.state.currentIndex
            pending.position = player.state.anchor.position
        }
        prepareNext(player.state)
    }

    /// Whether the engine's own advance still agrees with the player: nothing was started meanwhile, and the player was not sent elsewhere
    /// while a silence is pending.
    private func isMeant(_ state: PlayerState) -> Bool {
        guard waitingStart == nil else { return false }
        return pending.kind == nil || pending.kind == .silence && pending.isStillMeant(in: state)
    }
}

/// The start or silence that was last requested from the engine and is not yet carried out.
struct PendingTransport {
    enum Kind { case start, silence }
    var serial: UInt64?
    /// The serial of the first request that it stands for.
    var mark: UInt64?
    var kind: Kind?
    /// The player's item at the time of the request.
    var item: Int?
    var position: Int64 = 0

    func isStillMeant(in state: PlayerState) -> Bool {
        kind == .start || (state.currentIndex == item && state.anchor.position == position)
    }
}
