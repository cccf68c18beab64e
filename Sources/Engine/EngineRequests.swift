import Patches
import Synthesis

extension EngineControl {
    /// Starts a plan at a plan frame. The current plan fades out and the new one in; at position 0 the plan's own fade in replaces a short
    /// one. Drops the next plan.
    ///
    /// - Parameters:
    ///   - fade: Seconds; `nil` for ``shortFade``, 0 for no fade. From 0.1 s on it is an equal-power crossfade.
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
        // As far as can be known before it lands.
        let position = beginning.planFrame(at: max(status.engineFrame, atFrame))
        let atFrame = frameInOrder(atFrame)
        let serial = nextSerial()
        let sound = sound(plan, at: position, isUrgent: true)
        live = Live(serial: serial, plan: Revisions(PlanDraft(plan)))
        if atFrame > .asSoonAsPossible {
            live?.origin =
                switch beginning {
                case .at(let position): atFrame.origin(of: position)
                case .origin(let origin): origin
                }
            live?.startsAt = atFrame
        }
        nextPlans.removeAll()
        let keepsPlanFade = fade.map { $0 <= shortFade } ?? true
        send(serial, atFrame, .start(sound, beginning, fadeLength(fade), keepsPlanFade: keepsPlanFade))
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
        let frames = PlanCompiler.frames(max(crossfade, 0), sampleRate: sampleRate)
        send(serial, frameInOrder(.asSoonAsPossible), .setNext(plan.map { sound($0, at: 0) }, crossfade: frames))
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
        let slot = settings.count == 1 ? settings.first.map { Live.Slot.value($0.parameter, layer: $0.layer) } : nil
        return edit(slot, atFrame: atFrame) { plan, frame, forgotten in
            plan.apply(settings, at: frame.number, ramp: ramp, easing: easing, forgettingBefore: forgotten.number)
        }
    }

    /// Moves a parameter of the current plan to another course within `ramp` seconds. Returns `nil` if nothing is current.
    @discardableResult
    package func follow(_ course: Course, ramp: Double? = nil, atFrame: EngineFrame = .asSoonAsPossible) -> UInt64? {
        edit(.course(course.description.parameter, layer: course.layer), atFrame: atFrame) { plan, frame, forgotten in
            plan.follow(course, at: frame.number, ramp: ramp, forgettingBefore: forgotten.number)
        }
    }

    /// Mutes exactly these layers of the current plan. Returns `nil` if nothing is current.
    @discardableResult
    package func mute(_ layers: Set<Int>, atFrame: EngineFrame = .asSoonAsPossible) -> UInt64? {
        edit(.muted, atFrame: atFrame) { plan, frame, forgotten in
            plan.mute(layers, at: frame.number, forgettingBefore: forgotten.number)
        }
    }

    /// Moves the master gain, in dB (-120 is off), over `ramp` seconds (default 20 ms).
    @discardableResult
    package func setMaster(_ decibels: Double, ramp: Double? = nil, easing: Easing? = nil, atFrame: EngineFrame = .asSoonAsPossible)
        -> UInt64
    {
        let frames = PlanCompiler.frames(ramp ?? PlanCompiler.shortFade, sampleRate: sampleRate)
        return moveMaster(to: decibels, easing, atFrame: atFrame) { _ in frames }
    }

    /// Moves the master gain from engine frame `start` on, or as soon as possible, so that it arrives at `end`, or 20 ms after it began.
    ///
    /// - Parameter settling: A move under way that ends within so many seconds is waited for, since a level that is still rising from
    ///   silence is no useful starting point.
    @discardableResult
    package func setMaster(
        _ decibels: Double, easing: Easing? = nil, from start: EngineFrame, until end: EngineFrame, settlingWithin settling: Double = 0
    ) -> UInt64 {
        let earliest = earliestFrame()
        let rest = EngineFrame(master.latest.timeline.restFrame)
        let isSoon = rest <= earliest + PlanCompiler.frames(settling, sampleRate: sampleRate)
        return moveMaster(to: decibels, easing, atFrame: isSoon ? max(start, rest) : start) { max(end - $0, 0) }
    }

    private func moveMaster(to decibels: Double, _ easing: Easing?, atFrame: EngineFrame, frames: @escaping (_ start: EngineFrame) -> Int64)
        -> UInt64
    {
        let serial = nextSerial()
        let now = status.engineFrame
        let target = ParameterDescription.gain.clamped(decibels)
        master.add(serial: serial, atFrame: atFrame, earliest: earliestFrame()) { track, frame in
            // The latest request decides: one before it that would begin later is dropped.
            track = ParameterTrack(
                track, endingWith: Move(start: frame.number, frames: frames(frame), easing: easing, target: target),
                forgettingBefore: now.number)
        }
        if !master.hasMissed { sendMaster(serial: serial) }
        return serial
    }

    /// Sets the master gain without a ramp. Only while no callback runs.
    func setMasterAtOnce(_ decibels: Double) {
        let track = ParameterTrack(
            form: ParameterDescription.gain.form(sampleRate: sampleRate, gainLaw: .decibels),
            value: ParameterDescription.gain.clamped(decibels), moves: [],
            leadFrames: PlanCompiler.frames(PlanCompiler.shortFade, sampleRate: sampleRate))
        master = Revisions(track)
        reset()
    }

    /// Silences the engine at once and drops what is current and next and all requests that have not landed, except that the master gain is
    /// the one last set. Engine frames continue from where they were. Only while no callback runs, until this returns.
    package func reset() {
        let state = handle.state
        while state.pointee.messages.pop() != nil {}
        state.pointee.pendingCount = 0
        state.pointee.keyboard.pointee.clear()
        for index in 0..<RenderState.playheadCount { state.pointee.playheads[index] = Playhead() }
        state.pointee.current = -1
        state.pointee.next = nil
        while reports.pop() != nil {}
        backlog.removeAll()
        expectedReports = 0
        scheduled.removeAll()
        latestFrame = .asSoonAsPossible
        live = nil
        nextPlans.removeAll()
        abandoned.removeAll()
        replacements.removeAll()
        masterTracks.removeAll()
        held.removeAll()
        let track = master.latest
        master = Revisions(track)
        state.pointee.master = Master(track: track.valueTrack(), token: hold(track))
        state.pointee.published.pointee.currentPosition = -1
        state.pointee.published.pointee.playheadSerial = 0
        state.pointee.published.pointee.soundCount = 0
        state.pointee.status.publish(UnsafePointer(state.pointee.published))
    }

    // MARK: - Making messages

    /// - Parameter fade: Seconds; `nil` for ``shortFade``.
    private func fadeLength(_ fade: Double?) -> FadeLength {
        let seconds = max(fade ?? shortFade, 0)
        return FadeLength(frames: PlanCompiler.frames(seconds, sampleRate: sampleRate), shape: seconds < 0.1 ? .smooth : .equalPower)
    }

    private func send(_ serial: UInt64, _ atFrame: EngineFrame, _ action: Message.Action) {
        send(Message(serial: serial, atFrame: atFrame, action: action))
    }

    /// - Parameter isUrgent: Whether it begins at once, so that its sound files have to be waited for.
    private func sound(_ plan: Plan, at position: PlanFrame, isUrgent: Bool = false) -> Sound {
        let workspace = WorkspaceMemory(for: plan, at: position, feeder: feeder, keyboard: handle.state.pointee.keyboard)
        if isUrgent { feeder.wait(for: workspace.sounds) }
        return Sound(plan: plan.data, planToken: hold(plan), workspace: workspace.plain, workspaceToken: hold(workspace))
    }

    /// Sends all requests of `body` to the render thread at once; the edits of a plan, or of the master, become one message.
    package func together(_ body: () -> Void) {
        guard !isCollecting else { return body() }
        isCollecting = true
        body()
        isCollecting = false
        flush()
    }

    /// Frames ahead of the sound that a request has to be sent to be in time, not counting the time to make it.
    package var lead: Int64 { 2 * Int64(status.cycleFrames) + extraLead }

    /// The first engine frame at which a change can still be made: after the cycle that may be running, and later if recent changes came
    /// too late.
    package func earliestFrame() -> EngineFrame {
        let status = status
        return status.engineFrame + Int64(status.cycleFrames) + extraLead
    }

    /// - Parameter slot: What the edit changes, if only one thing: it then replaces a queued edit of the same that has no later frame.
    private func edit(_ slot: Live.Slot?, atFrame: EngineFrame, _ edit: @escaping Edit) -> UInt64? {
        guard let inFlight = live?.plan.inFlight else { return nil }
        let serial = nextSerial()
        if let slot, let index = live?.queued.lastIndex(where: { $0.slot.map { slot.covers($0) } ?? false }),
            let old = live?.queued[index], old.atFrame <= earliestFrame()
        {
            // The replaced edit lands with the others, and changes nothing.
            live?.queued[index] = (old.serial, old.atFrame, nil, { _, _, _ in })
        }
        live?.queued.append((serial, atFrame, slot, edit))
        // A request for a frame waits only behind very many others.
        if inFlight < (atFrame > .asSoonAsPossible ? 4 : 1) * Self.maximumPlansInFlight { sendQueuedEdits() }
        return serial
    }

    /// Applies the queued edits in order, and sends one plan with all of them.
    func sendQueuedEdits() {
        guard let queued = live?.queued, live?.origin != nil, let last = queued.last else { return }
        live?.queued = []
        for (serial, atFrame, _, edit) in queued { addEdit(serial: serial, atFrame: atFrame, edit) }
        if live?.plan.hasMissed == false { sendPlan(serial: last.serial) }
    }

    private func addEdit(serial: UInt64, atFrame: EngineFrame, _ edit: @escaping Edit) {
        guard let origin = live?.origin else { return }
        // Pulses take their duty from the starts of past steps.
        let step = PlanCompiler.frames(PlanCompiler.shortFade, sampleRate: sampleRate)
        let forgotten = max((status.engineFrame - 2 * step).planFrame(origin: origin), 0)
        let earliest = max(earliestFrame(), live?.startsAt ?? .asSoonAsPossible)
        live?.plan.add(serial: serial, atFrame: atFrame, earliest: earliest) { plan, frame in
            edit(&plan, max(frame.planFrame(origin: origin), 0), forgotten)
        }
    }

    /// Sends the current plan with its edits.
    func sendPlan(serial: UInt64) {
        guard let current = live, let origin = current.origin else { return }
        takeWaiting { serial, action in
            guard case .replace(let plan, current.serial, _) = action else { return false }
            live?.plan.withdrawn()
            live?.drafts[serial] = nil
            held[plan.token] = nil
            return true
        }
        let draft = current.plan.latest
        let plan = Plan(draft)
        let reference = PlanReference(data: plan.data, token: hold(plan))
        let last = max(current.plan.validFrom.planFrame(origin: origin), 0)
        // It has to follow its start, which waits for this frame too.
        let frame = current.startsAt ?? .asSoonAsPossible
        let message = Message(serial: serial, atFrame: frame, action: .replace(reference, playhead: current.serial, until: last))
        live?.drafts[serial] = draft
        live?.plan.sent()
        send(message)
    }

    func sendMaster(serial: UInt64) {
        takeWaiting { serial, action in
            guard case .setMaster(let old, _) = action else { return false }
            master.withdrawn()
            masterTracks[serial] = nil
            held[old.token] = nil
            return true
        }
        let track = master.latest
        masterTracks[serial] = track
        master.sent()
        let gain = Master(track: track.valueTrack(), token: hold(track))
        send(serial, .asSoonAsPossible, .setMaster(gain, until: master.validFrom))
    }

    /// Takes back the last change that has not been sent and that a newer one includes. Only changes may overtake each other.
    ///
    /// - Parameter withdraw: Forgets what the change needs, and returns true, if it is the one.
    private func takeWaiting(_ withdraw: (_ serial: UInt64, Message.Action) -> Bool) {
        for index in backlog.indices.reversed() {
            if withdraw(backlog[index].serial, backlog[index].action) {
                backlog.remove(at: index)
                return
            }
            guard backlog[index].isChange else { return }
        }
    }
}
