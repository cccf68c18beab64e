import Patches
import Synthesis

extension EngineControl {
    /// Starts a plan at a plan frame. The current plan fades out and the new one in; at position 0 the plan's own fade in replaces a short
    /// one. Drops the next plan.
    ///
    /// - Parameters:
    ///   - fade: Seconds; `nil` for ``shortFade``, 0 for no fade. From 0.1 s on it is an equal-power crossfade.
    ///   - atFrame: Engine frame; 0 is as soon as possible.
    @discardableResult
    package func start(_ plan: Plan, at position: Int64 = 0, fade: Double? = nil, atFrame: Int64 = 0) -> UInt64 {
        begin(plan, at: position, fade: fade, atFrame: atFrame)
    }

    /// Starts a plan on a fixed timeline: frame 0 of the plan falls on engine frame `origin`, however late the start lands.
    @discardableResult
    package func start(_ plan: Plan, origin: Int64, fade: Double? = nil, atFrame: Int64 = 0) -> UInt64 {
        begin(plan, at: max(max(status.engineFrame, atFrame) - origin, 0), origin: origin, fade: fade, atFrame: atFrame)
    }

    private func begin(_ plan: Plan, at position: Int64, origin: Int64 = .max, fade: Double?, atFrame: Int64) -> UInt64 {
        precondition(plan.sampleRate == sampleRate, "The plan was compiled for \(plan.sampleRate) Hz, the engine runs at \(sampleRate) Hz.")
        abandonEdits()
        let plan = plan.under(ceiling)
        let atFrame = frameInOrder(atFrame)
        var message = Message(.start, serial: nextSerial())
        message.atFrame = atFrame
        message.position = position
        message.origin = origin
        message.flag = fade.map { $0 <= shortFade } ?? true
        setFade(fade, of: &message)
        message.sound = sound(plan, at: position, isUrgent: true)
        live = Live(serial: message.serial, plan: Revisions(PlanDraft(plan)))
        if atFrame > 0 {
            live?.origin = origin == .max ? atFrame - position : origin
            live?.startsAt = atFrame
        }
        nextPlans.removeAll()
        send(message)
        return message.serial
    }

    /// Fades out everything: the current plan, and those already fading out. Drops the next plan.
    ///
    /// - Parameters:
    ///   - fade: Seconds; `nil` for ``shortFade``, 0 for no fade.
    ///   - isPanic: Also ends held keys, and cancels starts scheduled for a later frame instead of stopping after them.
    ///   - atFrame: Engine frame; 0 is as soon as possible.
    @discardableResult
    package func stop(fade: Double? = nil, isPanic: Bool = false, atFrame: Int64 = 0) -> UInt64 {
        abandonEdits()
        var message = Message(.stop, serial: nextSerial())
        message.atFrame = isPanic ? atFrame : frameInOrder(atFrame)
        message.flag = isPanic
        setFade(fade, of: &message)
        live = nil
        send(message)
        return message.serial
    }

    /// Sets the plan that begins at its frame 0, on the sample, when the current one ends or `crossfade` seconds before; `nil` for none.
    @discardableResult
    package func setNext(_ plan: Plan?, crossfade: Double = 0) -> UInt64 {
        var message = Message(.setNext, serial: nextSerial())
        message.atFrame = frameInOrder(0)
        message.fadeFrames = PlanCompiler.frames(max(crossfade, 0), sampleRate: sampleRate)
        let plan = plan?.under(ceiling)
        if let plan { message.sound = sound(plan, at: 0) }
        nextPlans[message.serial] = .some(plan)
        send(message)
        return message.serial
    }

    /// Sets parameters of the current plan, as soon as possible or at an engine frame. Phases are continuous; after a ramp the value is
    /// held until the next chapter that names the parameter. Returns `nil` if nothing is current.
    ///
    /// - Parameters:
    ///   - ramp: Seconds; `nil` is the default of each parameter. Never shorter than 20 ms.
    ///   - easing: `nil` continues the parameter's value, slope and curvature, and settles smoothly.
    @discardableResult
    package func edit(_ settings: [Setting], ramp: Double? = nil, easing: Easing? = nil, atFrame: Int64 = 0) -> UInt64? {
        let slot = settings.count == 1 ? settings.first.map { Live.Slot.value($0.parameter, layer: $0.layer) } : nil
        return edit(slot, atFrame: atFrame) { plan, frame, forgotten in
            plan.apply(settings, at: frame, ramp: ramp, easing: easing, forgettingBefore: forgotten)
        }
    }

    /// Moves a parameter of the current plan to another course within `ramp` seconds. Returns `nil` if nothing is current.
    @discardableResult
    package func follow(_ course: Course, ramp: Double? = nil, atFrame: Int64 = 0) -> UInt64? {
        edit(.course(course.description.parameter, layer: course.layer), atFrame: atFrame) { plan, frame, forgotten in
            plan.follow(course, at: frame, ramp: ramp, forgettingBefore: forgotten)
        }
    }

    /// Mutes exactly these layers of the current plan. Returns `nil` if nothing is current.
    @discardableResult
    package func mute(_ layers: Set<Int>, atFrame: Int64 = 0) -> UInt64? {
        edit(.muted, atFrame: atFrame) { plan, frame, forgotten in
            plan.mute(layers, at: frame, forgettingBefore: forgotten)
        }
    }

    /// Moves the master gain, in dB (-120 is off), over `ramp` seconds (default 20 ms).
    @discardableResult
    package func setMaster(_ decibels: Double, ramp: Double? = nil, easing: Easing? = nil, atFrame: Int64 = 0) -> UInt64 {
        let frames = PlanCompiler.frames(ramp ?? PlanCompiler.shortFade, sampleRate: sampleRate)
        return moveMaster(to: decibels, easing, atFrame: atFrame) { _ in frames }
    }

    /// Moves the master gain from engine frame `start` on, or as soon as possible, so that it arrives at `end`, or 20 ms after it began.
    ///
    /// - Parameter settling: A move under way that ends within so many seconds is waited for, since a level that is still rising from
    ///   silence is no useful starting point.
    @discardableResult
    package func setMaster(
        _ decibels: Double, easing: Easing? = nil, from start: Int64, until end: Int64, settlingWithin settling: Double = 0
    ) -> UInt64 {
        let earliest = earliestFrame()
        let rest = master.latest.timeline.restFrame
        let isSoon = rest <= earliest + PlanCompiler.frames(settling, sampleRate: sampleRate)
        return moveMaster(to: decibels, easing, atFrame: isSoon ? max(start, rest) : start) { max(end - $0, 0) }
    }

    private func moveMaster(to decibels: Double, _ easing: Easing?, atFrame: Int64, frames: @escaping (_ start: Int64) -> Int64) -> UInt64 {
        let serial = nextSerial()
        let now = status.engineFrame
        let target = ParameterDescription.gain.clamped(decibels)
        master.add(serial: serial, atFrame: atFrame, earliest: earliestFrame()) { track, frame in
            // The latest request decides: one before it that would begin later is dropped.
            track = ParameterTrack(
                track, endingWith: Move(start: frame, frames: frames(frame), easing: easing, target: target), forgettingBefore: now)
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
        latestFrame = 0
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

    private func setFade(_ fade: Double?, of message: inout Message) {
        let seconds = max(fade ?? shortFade, 0)
        message.fadeFrames = PlanCompiler.frames(seconds, sampleRate: sampleRate)
        message.fadeShape = seconds < 0.1 ? .smooth : .equalPower
    }

    /// - Parameter isUrgent: Whether it begins at once, so that its sound files have to be waited for.
    private func sound(_ plan: Plan, at position: Int64, isUrgent: Bool = false) -> Sound {
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
    package func earliestFrame() -> Int64 {
        let status = status
        return status.engineFrame + Int64(status.cycleFrames) + extraLead
    }

    /// - Parameter slot: What the edit changes, if only one thing: it then replaces a queued edit of the same that has no later frame.
    private func edit(_ slot: Live.Slot?, atFrame: Int64, _ edit: @escaping Edit) -> UInt64? {
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
        if inFlight < (atFrame > 0 ? 4 : 1) * Self.maximumPlansInFlight { sendQueuedEdits() }
        return serial
    }

    /// Applies the queued edits in order, and sends one plan with all of them.
    func sendQueuedEdits() {
        guard let queued = live?.queued, live?.origin != nil, let last = queued.last else { return }
        live?.queued = []
        for (serial, atFrame, _, edit) in queued { addEdit(serial: serial, atFrame: atFrame, edit) }
        if live?.plan.hasMissed == false { sendPlan(serial: last.serial) }
    }

    private func addEdit(serial: UInt64, atFrame: Int64, _ edit: @escaping Edit) {
        guard let origin = live?.origin else { return }
        // Pulses take their duty from the starts of past steps.
        let step = PlanCompiler.frames(PlanCompiler.shortFade, sampleRate: sampleRate)
        let forgotten = max(status.engineFrame - origin - 2 * step, 0)
        let earliest = max(earliestFrame(), live?.startsAt ?? 0)
        live?.plan.add(serial: serial, atFrame: atFrame, earliest: earliest) { plan, frame in
            edit(&plan, max(frame - origin, 0), forgotten)
        }
    }

    /// Sends the current plan with its edits.
    func sendPlan(serial: UInt64) {
        guard let current = live, let origin = current.origin else { return }
        if let old = takeWaiting(.replace, of: current.serial) {
            live?.plan.withdrawn()
            live?.drafts[old.serial] = nil
            if let sound = old.sound { held[sound.planToken] = nil }
        }
        let draft = current.plan.latest
        let plan = Plan(draft)
        var message = Message(.replace, serial: serial)
        message.sound = Sound(plan: plan.data, planToken: hold(plan), workspace: nil, workspaceToken: 0)
        message.position = max(current.plan.validFrom - origin, 0)
        message.playhead = current.serial
        // It has to follow its start, which waits for this frame too.
        message.atFrame = current.startsAt ?? 0
        live?.drafts[serial] = draft
        live?.plan.sent()
        send(message)
    }

    func sendMaster(serial: UInt64) {
        if let old = takeWaiting(.setMaster, of: 0) {
            master.withdrawn()
            masterTracks[old.serial] = nil
            if let token = old.master?.token { held[token] = nil }
        }
        let track = master.latest
        var message = Message(.setMaster, serial: serial)
        message.master = Master(track: track.valueTrack(), token: hold(track))
        message.position = master.validFrom
        masterTracks[serial] = track
        master.sent()
        send(message)
    }

    /// Takes back a change that has not been sent, and that a newer one includes. Only changes may overtake each other.
    private func takeWaiting(_ kind: Message.Kind, of playhead: UInt64) -> Message? {
        for index in backlog.indices.reversed() {
            if backlog[index].kind == kind, backlog[index].playhead == playhead { return backlog.remove(at: index) }
            guard backlog[index].kind == .replace || backlog[index].kind == .setMaster else { return nil }
        }
        return nil
    }
}
