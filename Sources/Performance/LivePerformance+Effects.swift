import Engine
import Patches
import Playback

extension LivePerformance {
    /// Carries out a change of the sound.
    package func carryOut(_ change: SoundChange, _ state: PlayerState) {
        // Without callbacks there is nothing to change: `prepare` and the player's start after it begin from the state at that time.
        guard isRunning, let engine, !requests.wait(with: change, state, isInBundle: common.isOpen, engine) else { return }
        perform(change, state, engine)
        if change.changesUpcoming {
            prepareNext(state)
        } else if change.changesRepetition, state.followingIndex == state.currentIndex {
            prepareRepetition(state)
        }
    }

    /// Requests the change from the engine.
    func perform(_ change: SoundChange, _ state: PlayerState, _ engine: EngineControl) {
        switch change {
        case .start(let position): start(at: position, engine, state)
        case .crossfade(let position, let shortest): start(at: position, fade: max(crossfade, shortest), engine, state)
        case .crossfadeInPlace: crossfadeInPlace(engine, state)
        case .silence(let fade): silence(fade, engine, state)
        case .move(let setting, let ramp):
            edit(state) { engine.edit([setting], ramp: ramp.seconds, easing: ramp.easing, atFrame: frame) }
        case .moves(let settings, let rises): edit(state) { JointMoves(settings: settings, rises: rises).request(engine, atFrame: frame) }
        case .course(let parameter, let layer, let seconds):
            edit(state) {
                let course = PlanSource(state: state).course(of: parameter, layer: layer)
                return course.flatMap { engine.follow($0, ramp: seconds, atFrame: frame) }
            }
        case .audibleLayers: edit(state) { engine.mute(PlanSource(state: state).inaudibleLayers, atFrame: frame) }
        case .master(let ramp): requests.record(master.move(to: state.masterTarget, ramp, at: frame, engine))
        case .fadedMaster(let level, let ramp): requests.record(master.move(to: level, ramp, at: frame, engine))
        case .loweredMaster(let level, let ramp): requests.record(master.lower(to: level, andTo: state.masterTarget, ramp, &common, engine))
        case .masterWhenSilent: requests.record(master.restore(to: state.masterTarget, after: frame, engine))
        case .fadeMaster(let start, let end, let easing):
            let (start, end) = (max(engineFrame(of: start), frame), engineFrame(of: end))
            requests.record(engine.setMaster(Parameter.off, easing: easing, from: start, until: end, settlingWithin: shortFade + 0.1))
        // Only what follows has changed, which `carryOut` sends.
        case .upcoming: break
        }
    }

    /// Aligns pulses and beats that follow the tempo to the bars of a transport that rolls.
    package func keepTime(with position: MusicalPosition, _ state: PlayerState) {
        guard let engine, isRunning, !isSettling, state.playback == .playing, position.tempo > 0,
            let item = state.current, item.id == soundingItem, let patch = item.patch, !shortage.owesCrossfade, shortage.hasRoom()
        else { return }
        for serial in tempoLock.keep(patch, at: position, engine) { requests.record(serial) }
    }

    // MARK: Start and silence

    private func start(at position: Int64, fade: Double = 0, _ engine: EngineControl, _ state: PlayerState) {
        guard state.patch != nil else { return }
        guard shortage.hasRoom() else { return refuse(startAt: position, engine, state) }
        guard let plan = PlanSource(state: state).currentPlan() else { return }
        soundingRate.value = state.rate
        if state.transportMode == .follow {
            // However late the start is carried out, its frames match the transport's.
            let origin = engineFrame(of: state.anchor.moment) - state.anchor.position
            begin(engine.start(plan, origin: origin, fade: fade > 0 ? fade : nil, atFrame: frame), .start, state)
        } else {
            // A start in a bundle may wait for the master. From then on it plays what the time tag asks for.
            let position = common.isOpen ? state.position(at: moment) : position
            begin(engine.start(plan, at: soundingRate.planFrame(position), fade: fade > 0 ? fade : nil, atFrame: frame), .start, state)
        }
    }

    /// Fades out in place of a start. The player is paused at the next ``poll(_:)``.
    private func refuse(startAt position: Int64, _ engine: EngineControl, _ state: PlayerState) {
        silence(.short, engine, state)
        requests.disownSilence()
        shortage.refuse(startAt: position)
    }

    private func silence(_ fade: SoundChange.Fade, _ engine: EngineControl, _ state: PlayerState) {
        let isPanic = fade == .panic
        master.silencingTime = isPanic ? MasterLevel.panicFade : shortFade
        // A panic takes effect without waiting for pending edits.
        begin(engine.stop(fade: master.silencingTime, isPanic: isPanic, atFrame: isPanic ? common.frame : frame), .silence, state)
    }

    /// Crossfades over 50 ms from one way of playing the item to another, at the same place.
    private func crossfadeInPlace(_ engine: EngineControl, _ state: PlayerState) {
        guard state.playback == .playing, state.patch != nil else { return }
        guard shortage.hasRoom() else { return shortage.oweCrossfade() }
        guard let plan = PlanSource(state: state).currentPlan(reusing: currentPlan(state)) else { return }
        let status = engine.status
        let atFrame = frame > .asSoonAsPossible ? frame : status.engineFrame + Int64(status.cycleFrames * 2)
        let heard = requests.pending.kind == .start ? nil : soundingStatus
        let position = heard.flatMap { heard in heard.position.map { soundingRate.position($0 + (atFrame - heard.engineFrame)) } }
        let target = position ?? state.position(at: moment(of: atFrame))
        soundingRate.value = state.rate
        let origin = atFrame.origin(of: soundingRate.planFrame(target))
        begin(engine.start(plan, origin: origin, fade: PendingRequests.crossfadeInPlaceSeconds, atFrame: atFrame), .start, state)
        requests.recordCrossfadeInPlace(from: atFrame, sampleRate: engine.sampleRate)
    }

    private func begin(_ serial: UInt64, _ kind: PendingStart.Kind, _ state: PlayerState) {
        requests.began(serial, kind, state)
        shortage.forget()
        upcoming.discard()
        tempoLock = TempoLock()
        soundingItem = kind == .start ? state.current?.id : nil
    }

    /// Silences the master and lets it rise to its level, for a sound that starts 0.05 s later. Nothing may sound yet.
    ///
    /// - Parameter seconds: The time of the rise.
    package func raiseMaster(over seconds: Double, _ player: inout Player) {
        guard isRunning, let engine else { return }
        requests.record(master.rise(of: &player, over: seconds, at: moment, after: frame, engine))
    }

    // MARK: Edits

    /// Changes the current item in the engine, if it is the one that sounds. This takes little memory, and a change that came late would be
    /// sudden. A crossfade in place that waits for memory makes it as well.
    private func edit(_ state: PlayerState, _ body: () -> UInt64?) {
        guard state.current?.id == soundingItem, !shortage.owesCrossfade else { return }
        requests.record(body())
    }
}

extension SoundChange {
    /// Whether it changes what follows the current item. A start discards the item that was to follow.
    fileprivate var changesUpcoming: Bool {
        switch self {
        case .start, .crossfade, .crossfadeInPlace, .upcoming: true
        case .move, .moves, .course, .audibleLayers, .silence, .master, .fadedMaster, .loweredMaster, .masterWhenSilent, .fadeMaster: false
        }
    }

    /// Whether it is an edit of the current item, which applies to its repetition too.
    fileprivate var changesRepetition: Bool {
        switch self {
        case .move, .moves, .course, .audibleLayers: true
        case .start, .crossfade, .crossfadeInPlace, .upcoming, .silence, .master, .fadedMaster, .loweredMaster, .masterWhenSilent,
            .fadeMaster:
            false
        }
    }
}
