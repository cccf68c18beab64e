import Engine
import Playback

extension Performance {
    /// What has become of sound files since the last call.
    package func takeSoundNotices() -> [SoundNotice] { engine?.takeSoundNotices() ?? [] }

    /// Hands to the player what the engine reports. Call every few milliseconds.
    package func poll(_ player: inout Player) {
        guard let engine else { return }
        for event in engine.poll() {
            switch event {
            case .landed(let serial, let frame, let position):
                landedSerial = max(landedSerial, serial)
                guard serial == pending.serial else { continue }
                let asked = pending
                pending = PendingTransport()
                // Whoever was sent elsewhere meanwhile, paused and hence without a sound, stays there.
                if let position, asked.isStillMeant(in: player.state) {
                    player.landed(position: timelineFrame(position), at: Moment(frame: origin + frame))
                }
            case .advanced(_, let frame, _):
                // What was started meanwhile takes the place of what the engine began by itself.
                guard pending.kind != .start else { continue }
                player.advanced(at: Moment(frame: origin + frame))
                soundingRate = player.state.rate
                prepareNext(player.state)
            case .ended(let frame):
                guard pending.kind != .start else { continue }
                player.ended(at: Moment(frame: origin + frame))
            // It will never be in the sound: nobody has to wait for it any longer.
            case .refused(let serial): landedSerial = max(landedSerial, serial)
            }
        }
    }
}

/// The start or silence that the engine was asked for last and has not carried out.
struct PendingTransport {
    enum Kind { case start, silence }
    var serial: UInt64?
    var kind: Kind?
    /// Where the player was when it was asked for.
    var item: Int?
    var position: Int64 = 0

    func isStillMeant(in state: PlayerState) -> Bool {
        kind == .start || (state.currentIndex == item && state.anchor.position == position)
    }
}
