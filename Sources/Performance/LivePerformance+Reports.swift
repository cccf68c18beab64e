import Engine
import Playback

extension LivePerformance {
    /// The notices about sound files since the last call.
    package func takeSoundNotices() -> [SoundNotice] { engine?.takeSoundNotices() ?? [] }

    /// Passes the engine's reports to the player. Call at every tick.
    package func poll(_ player: inout Player) {
        guard let engine, isRunning else { return }
        for event in engine.poll() {
            switch event {
            case .landed(let serial, let frame, let position): didLand(serial, at: moment(of: frame), position, &player)
            case .advanced(let serial, let frame): didAdvance(serial, at: moment(of: frame), &player)
            case .ended(let frame):
                guard requests.isMeant(in: player.state) else { continue }
                soundingItem = nil
                shortage.forget()
                player.ended(at: moment(of: frame))
            case .refused(let serial):
                requests.settle(serial)
                upcoming.refused(serial)
            }
        }
        if let waiting = requests.takeWaitingStart(player.state, now: engine.status.engineFrame) {
            waiting.perform(by: self, player.state, engine)
            requests.sent(waiting)
            prepareNext(player.state)
        }
        if !requests.isSettling, shortage.takeCrossfade() { carryOut(.crossfadeInPlace, player.state) }
        sendPostponed(player.state)
        shortage.pause(&player, at: moment)
    }

    private func didLand(_ serial: UInt64, at moment: Moment, _ position: PlanFrame?, _ player: inout Player) {
        upcoming.settle(serial)
        // If the player was sent elsewhere meanwhile, while paused and hence silent, its new position is kept.
        guard let ended = requests.landed(serial), let position, requests.staysInPlace, ended.isStillMeant(in: player.state) else { return }
        player.landed(position: soundingRate.position(position), at: moment)
    }

    /// The engine has advanced to the upcoming item: the one that it was given for this report, even if the queue has changed since.
    private func didAdvance(_ serial: UInt64, at moment: Moment, _ player: inout Player) {
        guard let item = upcoming.advanced(serial), requests.isMeant(in: player.state) else { return }
        soundingItem = requests.pending.kind == nil ? item.id : nil
        shortage.forget()
        let index = player.state.items.firstIndex { $0.id == item.id }
        let hasChanged = index != nil && PlanSource(state: player.state).content(of: index) != item.content
        player.advanced(to: item.id, at: moment)
        soundingRate.value = player.state.rate
        requests.advanced(to: player.state)
        prepareNext(player.state)
        // The patch was saved again, or edited, after the engine had begun it.
        if hasChanged, player.state.playback == .playing { player.ask(for: .sound(.crossfadeInPlace)) }
    }
}
