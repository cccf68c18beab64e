import Patches

/// The last responder of the chain: playing and stopping, the master, the session, and the program itself.
final class ApplicationResponder: Responder {
    let name = "application"
    weak var nextResponder: (any Responder)?

    func handle(_ command: Command, on player: inout Player, at moment: Moment) -> CommandResult? {
        switch command {
        case .play: return play(&player, moment)
        case .pause: player.pause(at: moment)
        case .toggle:
            switch player.state.playback {
            case .playing, .interrupted: player.pause(at: moment)
            case .paused, .stopped: return play(&player, moment)
            }
        case .stop: player.stop(at: moment)
        case .panic: player.stop(at: moment, fade: .panic)
        case .selectLayer(let index):
            guard (0..<player.state.layerCount).contains(index) else {
                return failure(.unknownAddress, "There is no layer \(index + 1): the current item has \(player.state.layerCount).")
            }
            player.state.selectedLayer = index
        case .setMasterGain, .muteMaster, .fadeOut, .sleep, .tune: return setLevel(command, &player, moment)
        case .touch(let fader, let isOn):
            let touch = player.touch(fader, at: moment)
            if !isOn { touch.release(from: &player) } else if !touch.hold(in: &player) { return busy(fader) }
        // The item may be gone, so the end of a seek is also handled here.
        case .seek(_, begins: false): player.releaseSeek()
        case .button(let isDown): player.ask(for: .request(.button(isDown: isDown)))
        case .shake: player.ask(for: .request(.shake))
        case .changeTouchMode(let mode): player.state.touchMode = mode
        case .changeRate(let rate):
            guard rate.isFinite else { return failure(.badArguments, "A rate needs a finite number.") }
            player.changeRate(to: min(max(rate, PlayerState.rateRange.lowerBound), PlayerState.rateRange.upperBound), at: moment)
        case .changeTransportMode(let mode): return changeTransportMode(to: mode, &player, moment)
        case .undo: player.undo(at: moment)
        case .redo: player.redo(at: moment)
        case .removePreset(let name):
            guard let index = player.state.presets.firstIndex(where: { $0.name == name }) else {
                return .missingPreset(name, by: self.name)
            }
            player.state.presets.remove(at: index)
        case .mapController(let mapping):
            let isKnown = player.state.controllers.contains { $0.address == mapping.address }
            guard isKnown || player.state.controllers.count < ControllerMapping.limit else {
                return failure(.queueFull, "A session holds at most \(ControllerMapping.limit) controllers: forget one first.")
            }
            player.state.map(mapping)
        case .forgetController(let address):
            guard player.state.controllers.contains(where: { $0.address == address }) else {
                return failure(.noSuchContent, "No controller is assigned to '\(address)': midi/list shows the assigned addresses.")
            }
            player.state.controllers.removeAll { $0.address == address }
        case .learnController(let address): player.state.learning = address
        default: return nil
        }
        return success()
    }

    private func busy(_ fader: Fader) -> CommandResult {
        failure(.busy, "Someone else is touching the \(fader == .a4 ? "tuning" : "master gain"): wait until they release it.")
    }

    private func play(_ player: inout Player, _ moment: Moment) -> CommandResult {
        guard player.state.patch != nil else {
            return failure(.noSuchContent, CommandAvailability(state: player.state).reasonAgainstPlaying)
        }
        player.play(at: moment)
        return success()
    }

    private func changeTransportMode(to mode: TransportMode, _ player: inout Player, _ moment: Moment) -> CommandResult {
        guard mode == .none || player.state.hasAudio else {
            return failure(.deviceNotFound, "JACK is away, and so is its transport: set transport/mode when the server is back.")
        }
        guard mode != .follow || player.state.rate == 1 else {
            return failure(.disabled, "The transport can only be followed at rate 1: set rate to 1 first.")
        }
        player.changeTransportMode(to: mode, at: moment)
        return success()
    }

    private func setLevel(_ command: Command, _ player: inout Player, _ moment: Moment) -> CommandResult {
        switch command {
        case .setMasterGain(let gain, _) where !gain.isFinite: return failure(.badArguments, "A gain needs a finite number of dB.")
        case .setMasterGain(let gain, let ramp):
            let gain = min(max(gain, Parameter.off), player.state.hearing.highestMasterGain)
            let touch = player.touch(.masterGain, at: moment)
            guard touch.mayMove(to: gain, in: player.state) else { return busy(.masterGain) }
            touch.takeOver(from: &player)
            let change = LevelChange(fader: .masterGain, before: player.state.masterGain, level: gain, ramp: ramp, moment: moment)
            let move = change.record(in: &player.state)
            player.state.mixer.fade = nil
            player.state.mixer.breakFadesOff()
            player.state.masterGain = gain
            player.state.mixer.recordMove(of: .masterGain, at: moment)
            player.ask(for: .sound(.master(player.state.mixer.masterRamp(move ?? .shortLevel))))
        case .muteMaster(let isMuted):
            guard isMuted != player.state.isMasterMuted else { break }
            let softStart = SoftStart(moment: moment)
            if isMuted { softStart.recordHeard(in: &player.state) } else { softStart.prepare(in: &player.state) }
            player.state.isMasterMuted = isMuted
            player.state.mixer.breakFadesOff()
            let sampleRate = player.state.sampleRate
            let change =
                isMuted
                ? .master(.shortLevel)
                : softStart.begin(in: &player.state) ?? player.state.mixer.unmuting(at: moment, sampleRate: sampleRate)
            player.ask(for: .sound(change))
        case .fadeOut(let seconds):
            guard seconds.isFinite, seconds >= 0 else {
                return failure(.badArguments, "A fade needs a finite number of seconds, 0 or more.")
            }
            player.fadeOut(seconds: min(seconds, 86_400), at: moment)
        case .sleep(let seconds, let fade, let easing):
            guard seconds.isFinite, fade.isFinite else { return failure(.badArguments, "A sleep timer needs a finite number of seconds.") }
            let day = SleepTimer.longest
            player.sleep(in: min(max(seconds, 0), day), fade: min(max(fade, 0), day), easing: easing, at: moment)
        case .tune(let a4):
            guard a4.isFinite else { return failure(.badArguments, "A tuning needs a finite number of Hz.") }
            let touch = player.touch(.a4, at: moment)
            guard touch.mayMove(in: player.state) else { return busy(.a4) }
            touch.takeOver(from: &player)
            player.state.mixer.recordMove(of: .a4, at: moment)
            TuningChange(a4: min(max(a4, Tuning.range.lowerBound), Tuning.range.upperBound), moment: moment).apply(to: &player)
        default: break
        }
        return success()
    }
}

extension PlayerState {
    /// The highest master gain, in dB; the preference maximumLevel can only lower it. The output ceiling, which remotes cannot set, is below it.
    package static let highestMasterGain = 0.0
    /// The range of the frequency of A4, in Hz.
    package static let a4Range = Tuning.range
}
