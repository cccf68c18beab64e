import Engine
import Patches
import Playback

extension LivePerformance {
    /// Carries out a change of the sound.
    package func carryOut(_ change: SoundChange, _ state: PlayerState) {
        // Without callbacks there is nothing to change: `prepare` and the player's start after it begin from the state at that time.
        guard isRunning, let engine, !wait(with: change, state, engine) else { return }
        perform(change, state, engine)
        if change.changesUpcoming(in: state) { prepareNext(state) }
    }

    /// Requests the change from the engine.
    func perform(_ change: SoundChange, _ state: PlayerState, _ engine: EngineControl) {
        switch change {
        case .start(let position): start(at: position, engine, state)
        case .crossfade(let position): start(at: position, fade: crossfade > 0 ? crossfade : nil, engine, state)
        case .glide: glide(engine, state)
        case .silence(let fade): silence(fade, engine, state)
        case .move(let setting, let ramp):
            edit(state) { engine.edit([setting], ramp: ramp.seconds, easing: ramp.easing, atFrame: frame) }
        case .moves(let settings): edit(state) { engine.edit(settings, atFrame: frame) }
        case .course(let parameter, let layer, let seconds): follow(parameter, layer, seconds, engine, state)
        case .audibleLayers: edit(state) { engine.mute(inaudible(state), atFrame: frame) }
        case .master(let ramp): setMaster(ramp, engine, state)
        case .masterWhenSilent:
            let silent = max(frame, engine.earliestFrame()) + frames(silencingTime, engine)
            restoredFrame = silent + frames(Ramp.shortLevel.seconds, engine)
            note(engine.setMaster(state.masterTarget, atFrame: silent))
        case .fadeMaster(let start, let end, let easing):
            note(
                engine.setMaster(
                    Parameter.off, easing: easing, from: max(engineFrame(of: start), frame), until: engineFrame(of: end),
                    settlingWithin: shortFade + 0.1))
        // Only what follows has changed, which `carryOut` sends.
        case .upcoming: break
        }
    }

    /// Aligns pulses and beats that follow the tempo to the bars of a transport that rolls.
    package func keepTime(with position: MusicalPosition, _ state: PlayerState) {
        guard let engine, isRunning, !isSettling, state.playback == .playing, position.tempo > 0,
            let item = state.current, item.id == soundingItem, let patch = item.patch
        else { return }
        guard patch.layers.contains(where: { !$0.notes.isEmpty }) else { return }
        tempoLock.see(position, sampleRate: engine.sampleRate)
        for (index, layer) in patch.layers.enumerated() {
            for (parameter, length) in layer.notes {
                note(tempoLock.correct(parameter, layer: index, length, engine))
            }
        }
    }

    // MARK: Start and silence

    private func start(at position: Int64, fade: Double? = nil, _ engine: EngineControl, _ state: PlayerState) {
        guard let plan = plan(of: state.currentIndex, state) else { return }
        soundingRate = state.rate
        if state.transportMode == .follow {
            // However late the start is carried out, its frames match the transport's.
            let origin = engineFrame(of: state.anchor.moment) - state.anchor.position
            begin(engine.start(plan, origin: origin, fade: fade, atFrame: frame), .start, state)
        } else {
            begin(engine.start(plan, at: planFrame(position), fade: fade, atFrame: frame), .start, state)
        }
    }

    private func silence(_ fade: SoundChange.Fade, _ engine: EngineControl, _ state: PlayerState) {
        switch fade {
        case .short:
            silencingTime = shortFade
            begin(engine.stop(atFrame: frame), .silence, state)
        // A panic takes effect without waiting for pending edits.
        case .panic:
            silencingTime = Self.panicFade
            begin(engine.stop(fade: silencingTime, isPanic: true, atFrame: commonFrame), .silence, state)
        }
    }

    /// Crossfades over 50 ms from one way of playing the item to another, at the same place.
    private func glide(_ engine: EngineControl, _ state: PlayerState) {
        guard state.playback == .playing, let plan = plan(of: state.currentIndex, state) else { return }
        let status = engine.status
        let atFrame = frame > .asSoonAsPossible ? frame : status.engineFrame + Int64(status.cycleFrames * 2)
        let heard = pending.kind == .start ? nil : soundingStatus
        let position = heard.flatMap { heard in heard.position.map { timelineFrame($0 + (atFrame - heard.engineFrame)) } }
        let target = position ?? state.position(at: moment(of: atFrame))
        soundingRate = state.rate
        begin(engine.start(plan, origin: atFrame.origin(of: planFrame(target)), fade: 0.05, atFrame: atFrame), .start, state)
    }

    private func begin(_ serial: UInt64, _ kind: PendingTransport.Kind, _ state: PlayerState) {
        note(serial)
        tempoLock = TempoLock()
        // The start also stands for those that waited.
        let mark = min(waitingStart?.mark ?? serial, serial)
        waitingStart = nil
        pending = PendingTransport(serial: serial, mark: mark, kind: kind, item: state.currentIndex, position: state.anchor.position)
        if kind == .start { startsUnderWay.insert(serial) }
        soundingItem = kind == .start ? state.current?.id : nil
    }

    // MARK: Master

    /// Sets the master gain. While the sound fades out after a stop within a fade, only a mute takes effect at once: any other level would be
    /// heard, and a ramp would start from the faded level.
    private func setMaster(_ ramp: Ramp, _ engine: EngineControl, _ state: PlayerState) {
        let isSilencing = max(frame, engine.status.engineFrame) < restoredFrame && state.masterTarget > Parameter.off
        note(
            engine.setMaster(
                state.masterTarget, ramp: ramp.seconds, easing: ramp.easing, atFrame: isSilencing ? restoredFrame : frame))
    }

    private func frames(_ seconds: Double, _ engine: EngineControl) -> Int64 { Int64((seconds * engine.sampleRate).rounded(.up)) }

    // MARK: Edits

    /// Changes the current item in the engine, if it is the one that sounds.
    private func edit(_ state: PlayerState, _ body: () -> UInt64?) {
        if state.current?.id == soundingItem { note(body()) }
    }

    /// Gives a parameter its new course, since it was touched or released.
    private func follow(_ parameter: Parameter, _ layer: Int, _ seconds: Double?, _ engine: EngineControl, _ state: PlayerState) {
        guard let item = state.current, let patch = item.patch else { return }
        let course = PlanCompiler.course(
            of: parameter, layer: layer, in: patch.timeline(at: state.rate), edits: item.edits.map { $0.timeline(at: state.rate) },
            held: state.fixedSettings, sampleRate: Double(state.sampleRate))
        guard let course else { return }
        edit(state) { engine.follow(course, ramp: seconds, atFrame: frame) }
    }

    private func inaudible(_ state: PlayerState) -> Set<Int> {
        Set((0..<state.layerCount).filter { !state.isAudible(layer: $0) })
    }

    // MARK: Plans

    func plan(of index: Int?, _ state: PlayerState) -> Plan? {
        guard let index, let patch = state.items[index].patchAsHeard else { return nil }
        let item = state.items[index]
        let muted = index == state.currentIndex ? inaudible(state) : item.mutedLayers
        let rate = state.rate(ofItem: index)
        return PlanCompiler.compile(
            patch.timeline(at: rate), edits: item.edits.map { $0.timeline(at: rate) },
            held: index == state.currentIndex ? state.fixedSettings : item.settings(atTempo: state.tempo), muted: muted,
            sampleRate: Double(state.sampleRate))
    }

    /// Converts a position to frames of the plan, which is compiled for one rate of the timeline and counts rendered frames.
    private func planFrame(_ position: Int64) -> PlanFrame {
        PlanFrame(soundingRate == 1 ? position : Int64((Double(position) / soundingRate).rounded()))
    }

    func timelineFrame(_ planFrame: PlanFrame) -> Int64 {
        soundingRate == 1 ? planFrame.number : Int64((Double(planFrame.number) * soundingRate).rounded())
    }
}

extension SoundChange {
    /// Whether it changes what follows the current item. A start discards the item that was to follow; if the item repeats, its
    /// edits apply to the repetition too.
    fileprivate func changesUpcoming(in state: PlayerState) -> Bool {
        switch self {
        case .start, .crossfade, .glide, .upcoming: true
        case .move, .moves, .course, .audibleLayers: state.followingIndex == state.currentIndex
        case .silence, .master, .masterWhenSilent, .fadeMaster: false
        }
    }
}
