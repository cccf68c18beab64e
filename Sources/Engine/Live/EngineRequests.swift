import Patches
import Synthesis

extension EngineControl {
    /// Starts a plan at a plan frame. The current plan fades out and the new one in; at position 0 the plan's own fade in replaces a short
    /// one. Drops the next plan.
    ///
    /// - Parameter fade: Seconds; `nil` for ``shortFade``, 0 for no fade. From 0.1 s on it is an equal-power crossfade.
    @discardableResult
    package func start(
        _ plan: Plan, at position: PlanFrame = 0, fade: Double? = nil, atFrame: EngineFrame = .asSoonAsPossible
    ) -> UInt64 {
        begin(plan, .at(position), fade: fade, atFrame: atFrame)
    }

    /// Starts a plan on a fixed timeline: frame 0 of the plan falls on engine frame `origin`, however late the start lands.
    @discardableResult
    package func start(_ plan: Plan, origin: EngineFrame, fade: Double? = nil, atFrame: EngineFrame = .asSoonAsPossible) -> UInt64 {
        begin(plan, .origin(origin), fade: fade, atFrame: atFrame)
    }

    private func begin(_ plan: Plan, _ beginning: Message.Beginning, fade: Double?, atFrame: EngineFrame) -> UInt64 {
        precondition(plan.sampleRate == sampleRate, "The plan was compiled for \(plan.sampleRate) Hz, the engine runs at \(sampleRate) Hz.")
        abandonEdits()
        let plan = plan.under(ceiling)
        // The position as far as it is known before the start lands.
        let position = beginning.planFrame(at: max(status.engineFrame, atFrame))
        let atFrame = frameInOrder(atFrame)
        let serial = nextSerial()
        let start = playable(plan, at: position, isUrgent: true)
        live = LivePlan(serial: serial, plan)
        if atFrame > .asSoonAsPossible { live?.willStart(beginning, atFrame: atFrame) }
        nextPlans.removeAll()
        let keepsPlanFade = fade.map { $0 <= shortFade } ?? true
        send(serial, atFrame, .start(start, beginning, fadeLength(fade), keepsPlanFade: keepsPlanFade))
        return serial
    }

    /// Fades out everything: the current plan, and those already fading out. Drops the next plan.
    ///
    /// - Parameters:
    ///   - fade: Seconds; `nil` for ``shortFade``, 0 for no fade.
    ///   - isPanic: Also ends held keys, and cancels starts scheduled for a later frame instead of stopping after them.
    @discardableResult
    package func stop(fade: Double? = nil, isPanic: Bool = false, atFrame: EngineFrame = .asSoonAsPossible) -> UInt64 {
        abandonEdits()
        let serial = nextSerial()
        live = nil
        send(serial, isPanic ? atFrame : frameInOrder(atFrame), .stop(fadeLength(fade), isPanic: isPanic))
        return serial
    }

    /// Sets the plan that begins at its frame 0, on the sample, when the current one ends or `crossfade` seconds before; `nil` for none.
    @discardableResult
    package func setNext(_ plan: Plan?, crossfade: Double = 0) -> UInt64 {
        let serial = nextSerial()
        let plan = plan?.under(ceiling)
        nextPlans[serial] = .some(plan)
        let frames = Frames.count(of: max(crossfade, 0), sampleRate: sampleRate)
        send(serial, frameInOrder(.asSoonAsPossible), .setNext(plan.map { playable($0, at: 0) }, crossfade: frames))
        return serial
    }

    /// Sets parameters of the current plan, as soon as possible or at an engine frame. Phases are continuous; after a ramp the value is
    /// held until the next chapter that names the parameter. Returns `nil` if nothing is current.
    ///
    /// - Parameters:
    ///   - ramp: Seconds; `nil` is the default of each parameter. Never shorter than 20 ms.
    ///   - easing: `nil` continues the parameter's value, slope and curvature, and settles smoothly.
    @discardableResult
    package func edit(_ settings: [Setting], ramp: Double? = nil, easing: Easing? = nil, atFrame: EngineFrame = .asSoonAsPossible)
        -> UInt64?
    {
        let targets = Set(settings.map { LivePlan.EditTarget.value($0.parameter, layer: $0.layer) })
        return edit(targets, atFrame: atFrame, .values(.init(settings: settings, ramp: ramp, easing: easing)))
    }

    /// Moves a parameter of the current plan to another course within `ramp` seconds. Returns `nil` if nothing is current.
    @discardableResult
    package func follow(_ course: ParameterCourse, ramp: Double? = nil, atFrame: EngineFrame = .asSoonAsPossible) -> UInt64? {
        let change: LivePlan.Edit = { plan, frame, forgotten in
            plan.follow(course, at: frame.number, ramp: ramp, forgettingBefore: forgotten.number)
        }
        return edit([.course(course.description.parameter, layer: course.layer)], atFrame: atFrame, .other(change))
    }

    /// Mutes exactly these layers of the current plan. Returns `nil` if nothing is current.
    @discardableResult
    package func mute(_ layers: Set<Int>, atFrame: EngineFrame = .asSoonAsPossible) -> UInt64? {
        let change: LivePlan.Edit = { plan, frame, forgotten in
            plan.mute(layers, at: frame.number, forgettingBefore: forgotten.number)
        }
        return edit([.muted], atFrame: atFrame, .other(change))
    }

    /// Moves the master gain, in dB (-120 is off), over `ramp` seconds (default 20 ms).
    @discardableResult
    package func setMaster(_ decibels: Double, ramp: Double? = nil, easing: Easing? = nil, atFrame: EngineFrame = .asSoonAsPossible)
        -> UInt64
    {
        let frames = Frames.count(of: ramp ?? Frames.shortFade, sampleRate: sampleRate)
        return moveMaster(to: MasterGain.Target(decibels: decibels, easing: easing) { _ in frames }, atFrame: atFrame)
    }

    /// Moves the master gain from engine frame `start` on, or as soon as possible, so that it arrives at `end`, or 20 ms after it began.
    ///
    /// - Parameter settling: A move under way that ends within this many seconds is waited for, since a level that is still rising from
    ///   silence is not a useful starting point.
    @discardableResult
    package func setMaster(
        _ decibels: Double, easing: Easing? = nil, from start: EngineFrame, until end: EngineFrame, settlingWithin settling: Double = 0
    ) -> UInt64 {
        let earliest = earliestFrame()
        let isSoon = master.restFrame <= earliest + Frames.count(of: settling, sampleRate: sampleRate)
        return moveMaster(
            to: MasterGain.Target(decibels: decibels, easing: easing) { max(end - $0, 0) },
            atFrame: isSoon ? max(start, master.restFrame) : start)
    }

    private func moveMaster(to target: MasterGain.Target, atFrame: EngineFrame) -> UInt64 {
        let serial = nextSerial()
        master.move(to: target, serial: serial, atFrame: atFrame, earliest: earliestFrame(), now: status.engineFrame, over: &link)
        return serial
    }

    /// Sets the master gain without a ramp. Only while no callback runs.
    package func setMasterAtOnce(_ decibels: Double) {
        master.restart(at: decibels)
        reset()
    }

    /// Silences the engine at once and drops what is current and next and all requests that have not landed, except that the master gain is
    /// the one last set. Engine frames continue from where they were. Only while no callback runs, until this returns.
    package func reset() {
        link.clear()
        latestFrame = .asSoonAsPossible
        live = nil
        nextPlans.removeAll()
        abandoned.removeAll()
        replacements.removeAll()
        master.restart()
        EngineMemory.silence(handle.state, master: Master(track: master.track.valueTrack(), token: link.hold(master.track)))
    }

    // MARK: - Making messages

    private func send(_ serial: UInt64, _ atFrame: EngineFrame, _ action: Message.Action) {
        link.send(Message(serial: serial, atFrame: atFrame, action: action))
    }

    private func fadeLength(_ seconds: Double?) -> FadeLength { FadeLength(seconds: seconds ?? shortFade, sampleRate: sampleRate) }

    private func playable(_ plan: Plan, at position: PlanFrame, isUrgent: Bool = false) -> PlayablePlan {
        PlayablePlan(plan, at: position, isUrgent: isUrgent, feeder: feeder, kernel: kernel, handle.state.pointee.keyboard, over: &link)
    }

    /// Sends all requests of `body` to the render thread at once; one plan is made for all edits of a plan, and one message for the master.
    package func together(_ body: () -> Void) {
        guard !link.isCollecting else { return body() }
        link.isCollecting = true
        body()
        if live?.hasDueEdits == true { sendQueuedEdits() }
        link.isCollecting = false
        link.flush()
    }

    /// Frames ahead of the sound that a request has to be sent to be in time, not counting the time to make it.
    package var lead: Int64 { 2 * Int64(status.cycleFrames) + changeLead.frames }

    /// The first engine frame at which a change can still be made: after the cycle that may be running, and later if recent changes came
    /// too late.
    package func earliestFrame() -> EngineFrame {
        let status = status
        return status.engineFrame + Int64(status.cycleFrames) + changeLead.frames
    }

    /// - Parameter targets: Everything that the edit changes.
    private func edit(_ targets: Set<LivePlan.EditTarget>, atFrame: EngineFrame, _ edit: LivePlan.EditKind) -> UInt64? {
        guard live != nil else { return nil }
        let serial = nextSerial()
        live?.queue(serial: serial, atFrame: atFrame, targets, earliest: earliestFrame(), edit)
        if !link.isCollecting, live?.hasDueEdits == true { sendQueuedEdits() }
        return serial
    }

    /// Applies the queued edits in order, and sends one plan with all of them.
    func sendQueuedEdits() {
        let step = Frames.count(of: Frames.shortFade, sampleRate: sampleRate)
        guard let last = live?.applyQueued(now: status.engineFrame, earliest: earliestFrame(), step: step) else { return }
        if live?.plan.hasMissed == false { sendPlan(serial: last) }
    }

    /// Sends the current plan with its edits.
    func sendPlan(serial: UInt64) {
        guard let current = live, let origin = current.origin else { return }
        let older = link.takeBack { action in
            guard case .replace(let plan, current.serial, _) = action else { return nil }
            return plan.token
        }
        if let older { live?.plan.withdraw(serial: older) }
        let plan = Plan(current.plan.latest, reusing: current.sent)
        let reference = PlanReference(data: plan.data, token: link.hold(plan))
        let last = max(current.plan.validFrom.planFrame(origin: origin), 0)
        live?.didSend(plan, serial: serial)
        // It has to follow its start, which waits for this frame too.
        send(serial, current.startsAt ?? .asSoonAsPossible, .replace(reference, playhead: current.serial, until: last))
    }
}
