import Engine
import Patches
import Playback

extension Performance {
    /// Carries out what concerns the sound; returns false for what does not.
    package func carryOut(_ effect: Effect, _ state: PlayerState) -> Bool {
        guard let engine else { return effect.concernsSound }
        switch effect {
        case .start(let position):
            guard let plan = plan(of: state.currentIndex, state) else { return true }
            soundingRate = state.rate
            if state.transportMode == .follow {
                // However late it lands, its frames are the transport's.
                let start = state.anchor.moment.frame - origin - state.anchor.position
                begin(engine.start(plan, origin: start, atFrame: frame), .start, state)
            } else {
                begin(engine.start(plan, at: planFrame(position), atFrame: frame), .start, state)
            }
            prepareNext(state)
        case .upcoming: prepareNext(state)
        case .crossfade(let position):
            guard let plan = plan(of: state.currentIndex, state) else { return true }
            soundingRate = state.rate
            let fade = crossfade > 0 ? crossfade : nil
            begin(engine.start(plan, at: planFrame(position), fade: fade, atFrame: frame), .start, state)
            prepareNext(state)
        case .silence(let fade):
            // A panic waits for nothing that is still to come.
            let serial =
                switch fade {
                case .short: engine.stop(atFrame: frame)
                case .everything: engine.stop(includingTails: true, atFrame: frame)
                case .panic: engine.stop(fade: 0.03, includingTails: true, atFrame: commonFrame)
                }
            begin(serial, .silence, state)
        case .move(let setting, let ramp):
            note(engine.edit([setting], ramp: ramp.seconds, easing: ramp.easing, atFrame: frame))
            if state.followingIndex == state.currentIndex { prepareNext(state) }
        case .moves(let settings):
            note(engine.edit(settings, atFrame: frame))
            if state.followingIndex == state.currentIndex { prepareNext(state) }
        case .course(let parameter, let layer, let seconds): follow(parameter, layer, seconds, engine, state)
        case .audibleLayers:
            note(engine.mute(inaudible(state), atFrame: frame))
        case .glide: glide(engine, state)
        case .master(let ramp): note(engine.setMaster(state.masterTarget, ramp: ramp.seconds, easing: ramp.easing, atFrame: frame))
        case .masterWhenSilent:
            let silent = max(frame, engine.earliestFrame()) + Int64((shortFade * engine.sampleRate).rounded(.up))
            note(engine.setMaster(state.masterTarget, atFrame: silent))
        case .fadeMaster(let start, let end, let easing):
            note(engine.setMaster(Parameter.off, easing: easing, from: max(start.frame - origin, frame), until: end.frame - origin))
        case .transport, .addItem, .setPreference, .loadSession, .saveSession, .reconnectJACK, .connectPort, .disconnectPort, .button,
            .shake, .quit, .notice:
            return false
        }
        return true
    }

    /// Has what follows the tempo of JACK's transport fall on its bars, while both run.
    package func keepTime(with sighting: TransportSighting, _ state: PlayerState) {
        guard let engine, isRunning, pending.kind == nil, state.playback == .playing, sighting.state == .rolling, sighting.tempo > 0,
            let patch = state.patch
        else { return }
        guard patch.layers.contains(where: { !$0.notes.isEmpty }) else { return }
        tempoLock.see(sighting, sampleRate: engine.sampleRate)
        for (index, layer) in patch.layers.enumerated() {
            for (parameter, length) in layer.notes {
                note(tempoLock.correct(parameter, layer: index, length, engine))
            }
        }
    }

    /// Tells the engine what begins, on the sample, when the current item ends.
    package func prepareNext(_ state: PlayerState) {
        guard let engine, state.playback == .playing else { return }
        // A transport that is followed does not end where the item does.
        let following = state.transportMode == .follow ? nil : state.followingIndex
        note(engine.setNext(plan(of: following, state), crossfade: crossfade(to: following, state)))
    }

    /// Seconds; at most half of the shorter item, so that it is heard at all and nothing gives way to itself at once.
    private func crossfade(to index: Int?, _ state: PlayerState) -> Double {
        let durations = [state.currentIndex, index].compactMap { index in
            index.flatMap { state.items[$0].patch?.duration }.map { $0 / state.rate(ofItem: index) }
        }
        return min(crossfade, (durations.min() ?? .infinity) / 2)
    }

    /// From one way of playing the item to another, at the same place: both sound for 50 ms.
    private func glide(_ engine: EngineControl, _ state: PlayerState) {
        guard state.playback == .playing, let plan = plan(of: state.currentIndex, state) else { return }
        let status = engine.status
        let atFrame = frame > 0 ? frame : status.engineFrame + Int64(status.cycleFrames * 2)
        let isUnderWay = pending.kind != .start
        let heard = isUnderWay ? status.position.map { timelineFrame($0 + atFrame - status.engineFrame) } : nil
        let position = heard ?? state.position(at: Moment(frame: origin + atFrame))
        soundingRate = state.rate
        begin(engine.start(plan, origin: atFrame - planFrame(position), fade: 0.05, atFrame: atFrame), .start, state)
        prepareNext(state)
    }

    /// The course that a parameter has now: a hand was put on it, or taken off.
    private func follow(_ parameter: Parameter, _ layer: Int, _ seconds: Double?, _ engine: EngineControl, _ state: PlayerState) {
        guard let item = state.current, let patch = item.patch, patch.layers.indices.contains(layer) else { return }
        let course = PlanCompiler.course(
            of: parameter, layer: layer, in: patch.timeline(at: state.rate), edits: item.edits.map { $0.timeline(at: state.rate) },
            held: state.fixedSettings, sampleRate: Double(state.sampleRate))
        guard let course else { return }
        note(engine.follow(course, ramp: seconds, atFrame: frame))
        if state.followingIndex == state.currentIndex { prepareNext(state) }
    }

    private func plan(of index: Int?, _ state: PlayerState) -> Plan? {
        guard let index, let patch = state.items[index].patchAsHeard else { return nil }
        let item = state.items[index]
        let muted = index == state.currentIndex ? inaudible(state) : item.mutedLayers
        let rate = state.rate(ofItem: index)
        return PlanCompiler.compile(
            patch.timeline(at: rate), edits: item.edits.map { $0.timeline(at: rate) },
            held: index == state.currentIndex ? state.fixedSettings : item.settings(atTempo: state.tempo), muted: muted,
            sampleRate: Double(state.sampleRate))
    }

    /// A plan is made for one rate of the timeline, and counts the frames of the sound.
    private func planFrame(_ position: Int64) -> Int64 {
        soundingRate == 1 ? position : Int64((Double(position) / soundingRate).rounded())
    }

    func timelineFrame(_ planFrame: Int64) -> Int64 {
        soundingRate == 1 ? planFrame : Int64((Double(planFrame) * soundingRate).rounded())
    }

    private func inaudible(_ state: PlayerState) -> Set<Int> {
        Set((0..<state.layerCount).filter { !state.isAudible(layer: $0) })
    }

    private func begin(_ serial: UInt64, _ kind: PendingTransport.Kind, _ state: PlayerState) {
        note(serial)
        tempoLock = TempoLock()
        pending = PendingTransport(serial: serial, kind: kind, item: state.currentIndex, position: state.anchor.position)
    }
}

extension Effect {
    fileprivate var concernsSound: Bool {
        switch self {
        case .transport, .addItem, .setPreference, .loadSession, .saveSession, .reconnectJACK, .connectPort, .disconnectPort, .button,
            .shake, .quit, .notice:
            false
        default: true
        }
    }
}
