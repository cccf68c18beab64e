import Engine
import Playback

extension Performance {
    /// What has become of sound files since the last call.
    package func takeSoundNotices() -> [SoundNotice] { engine?.takeSoundNotices() ?? [] }

    /// Hands to the player what the engine reports. Call every few milliseconds.
    package func poll(_ player: inout Player) {
        guard let engine, isRunning else { return }
        for event in engine.poll() {
            switch event {
            case .landed(let serial, let frame, let position): didLand(serial, at: Moment(frame: origin + frame), position, &player)
            case .advanced(let serial, let frame): didAdvance(serial, at: Moment(frame: origin + frame), &player)
            case .ended(let frame):
                guard isMeant(player.state) else { continue }
                soundingItem = nil
                player.ended(at: Moment(frame: origin + frame))
            // It will never be in the sound: nobody has to wait for it any longer.
            case .refused(let serial):
                landedSerial = max(landedSerial, serial)
                startsUnderWay.remove(serial)
                settleUpcoming(serial)
            }
        }
        sendWaitingStart(player.state)
        if upcomingIsStale, upcomingUnderWay == nil { prepareNext(player.state) }
    }

    private func didLand(_ serial: UInt64, at moment: Moment, _ position: Int64?, _ player: inout Player) {
        landedSerial = max(landedSerial, serial)
        startsUnderWay.remove(serial)
        settleUpcoming(serial)
        guard serial == pending.serial else { return }
        let asked = pending
        pending = PendingTransport()
        // Whoever was sent elsewhere meanwhile, paused and hence without a sound, stays there.
        if let position, waitingStart?.isGlide ?? true, asked.isStillMeant(in: player.state) {
            player.landed(position: timelineFrame(position), at: moment)
        }
    }

    /// The engine went over to what it was given to come next: the item that it was then, whatever the queue says by now.
    private func didAdvance(_ serial: UInt64, at moment: Moment, _ player: inout Player) {
        let item = upcomingItems.removeValue(forKey: serial)
        settleUpcoming(serial)
        guard let item, isMeant(player.state) else { return }
        soundingItem = pending.kind == nil ? item : nil
        player.advanced(to: item, at: moment)
        soundingRate = player.state.rate
        // A pause on its way is about the item that sounds.
        if pending.kind == .silence {
            pending.item = player.state.currentIndex
            pending.position = player.state.anchor.position
        }
        prepareNext(player.state)
    }

    /// Whether what the engine did by itself is what the player is about: nothing was started meanwhile, nor was it sent elsewhere while a
    /// silence is on its way.
    private func isMeant(_ state: PlayerState) -> Bool {
        guard waitingStart == nil else { return false }
        return pending.kind == nil || pending.kind == .silence && pending.isStillMeant(in: state)
    }
}

/// The start or silence that the engine was asked for last and has not carried out.
struct PendingTransport {
    enum Kind { case start, silence }
    var serial: UInt64?
    /// Serial of the first request that it stands for.
    var mark: UInt64?
    var kind: Kind?
    /// Where the player was when it was asked for.
    var item: Int?
    var position: Int64 = 0

    func isStillMeant(in state: PlayerState) -> Bool {
        kind == .start || (state.currentIndex == item && state.anchor.position == position)
    }
}
