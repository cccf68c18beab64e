import Patches
import Synthesis

extension EngineControl {
    /// Begins a plan at a plan frame. What was current fades out, the new one in; but at position 0 a short fade is left to the plan
    /// itself. Drops what was next.
    ///
    /// - Parameters:
    ///   - fade: Seconds; `nil` is ``shortFade``, 0 is none. From 0.1 s on two sounds keep their power while they cross.
    ///   - atFrame: Engine frame; 0 is as soon as possible.
    @discardableResult
    package func start(_ plan: Plan, at position: Int64 = 0, fade: Double? = nil, atFrame: Int64 = 0) -> UInt64 {
        begin(plan, at: position, fade: fade, atFrame: atFrame)
    }

    /// The same with a timeline that is not shifted however late it lands: frame 0 of the plan is engine frame `origin`, where that was
    /// or would have been.
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

    /// Fades out everything: what is current, and what is fading out already. Drops what was next.
    ///
    /// - Parameters:
    ///   - fade: Seconds; `nil` is ``shortFade``, 0 is none.
    ///   - isPanic: Also ends held keys, and cancels starts that were asked for a later frame instead of stopping after them.
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

    /// What begins at its frame 0, on the sample, when the current plan ends, or `crossfade` seconds before. `nil`: nothing.
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

    /// Has parameters of what is current take other values, as soon as that can be heard or at an engine frame: phases are continuous, then comes a
    /// ramp, then the value is held until the next chapter that names the parameter. `nil` when nothing is current.
    ///
    /// - Parameters:
    ///   - ramp: Seconds; `nil` is the default of each parameter. Never shorter than 20 ms.
    ///   - easing: `nil` goes on with the value, slope and curvature that the parameter has there, and comes to rest smoothly.
    @discardableResult
    package func edit(_ settings: [Setting], ramp: Double? = nil, easing: Easing? = nil, atFrame: Int64 = 0) -> UInt64? {
        let slot = settings.count == 1 ? settings.first.map { Live.Slot.value($0.parameter, layer: $0.layer) } : nil
        return edit(slot, atFrame: atFrame) { plan, frame, forgotten in
            plan.apply(settings, at: frame, ramp: ramp, easing: easing, forgettingBefore: forgotten)
        }
    }

    /// Has a parameter of what is current take another course, which it has come to after `ramp` seconds. `nil` when nothing is current.
    @discardableResult
    package func follow(_ course: Course, ramp: Double? = nil, atFrame: Int64 = 0) -> UInt64? {
        edit(.course(course.description.parameter, layer: course.layer), atFrame: atFrame) { plan, frame, forgotten in
            plan.follow(course, at: frame, ramp: ramp, forgettingBefore: forgotten)
        }
    }

    /// Makes exactly these layers of what is current silent. `nil` when nothing is current.
    @discardableResult
    package func mute(_ layers: Set<Int>, atFrame: Int64 = 0) -> UInt64? {
        edit(.muted, atFrame: atFrame) { plan, frame, forgotten in
            plan.mute(layers, at: frame, forgettingBefore: forgotten)
        }
    }

    /// Moves the master gain, in dB (-120 is off), over `ramp` seconds (20 ms).
    @discardableResult
    package func setMaster(_ decibels: Double, ramp: Double? = nil, easing: Easing? = nil, atFrame: Int64 = 0) -> UInt64 {
        let frames = PlanCompiler.frames(ramp ?? PlanCompiler.shortFade, sampleRate: sampleRate)
        return moveMaster(to: decibels, easing, atFrame: atFrame) { _ in frames }
    }

    /// Moves the master gain from one engine frame on, or as soon as possible, so that it has come there at another one, or in 20 ms.
    ///
    /// - Parameter settling: A move under way that is over within so many seconds is waited for: a level that is only coming back from silence is
    ///   no level to move on from.
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
            track = ParameterTrack(
                track, changedBy: Move(start: frame, frames: frames(frame), easing: easing, target: target), forgettingBefore: now)
        }
        if !master.hasMissed { sendMaster(serial: serial) }
        return serial
    }

    /// The master gain without a ramp, for when no callback runs.
    func setMasterAtOnce(_ decibels: Double) {
        let track = ParameterTrack(
            form: ParameterDescription.gain.form(sampleRate: sampleRate, gainLaw: .decibels),
            value: ParameterDescription.gain.clamped(decibels), moves: [],
            leadFrames: PlanCompiler.frames(PlanCompiler.shortFade, sampleRate: sampleRate))
        master = Revisions(track)
        reset()
    }

    /// For when no callback runs and none will until this returns: silence at once, nothing current or next, requests that have not
    /// landed dropped, except that the master gain is as it was last set. The engine's frames go on from where they were.
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

    /// - Parameter isUrgent: it begins at once, so that what is read from files is waited for.
    private func sound(_ plan: Plan, at position: Int64, isUrgent: Bool = false) -> Sound {
        let workspace = WorkspaceMemory(for: plan, at: position, feeder: feeder, keyboard: handle.state.pointee.keyboard)
        if isUrgent { feeder.wait(for: workspace.sounds) }
        return Sound(plan: plan.data, planToken: hold(plan), workspace: workspace.plain, workspaceToken: hold(workspace))
    }

    /// Makes all requests of `body` known to the render thread at once: what becomes of a plan or the master in it is one message.
    package func together(_ body: () -> Void) {
        guard !isCollecting else { return body() }
        isCollecting = true
        body()
        isCollecting = false
        flush()
    }

    /// Frames by which a request has to be ahead of the sound, to be in time for its frame: without the time that it takes to make it.
    package var lead: Int64 { 2 * Int64(status.cycleFrames) + extraLead }

    /// The first engine frame that a change can still be made at: after the cycle that may be running, and later still where changes
    /// came too late before.
    package func earliestFrame() -> Int64 {
        let status = status
        return status.engineFrame + Int64(status.cycleFrames) + extraLead
    }

    /// - Parameter slot: Of those that wait and are late anyway, it takes the place of the one that changes the same.
    private func edit(_ slot: Live.Slot?, atFrame: Int64, _ edit: @escaping Edit) -> UInt64? {
        guard let inFlight = live?.plan.inFlight else { return nil }
        let serial = nextSerial()
        if let slot, let index = live?.queued.lastIndex(where: { $0.slot.map { slot.covers($0) } ?? false }),
            let old = live?.queued[index], old.atFrame <= earliestFrame()
        {
            // It lands with the others, and changes nothing.
            live?.queued[index] = (old.serial, old.atFrame, nil, { _, _, _ in })
        }
        live?.queued.append((serial, atFrame, slot, edit))
        // A request for a frame waits only behind very many others.
        if inFlight < (atFrame > 0 ? 4 : 1) * Self.maximumPlansInFlight { sendQueuedEdits() }
        return serial
    }

    /// Makes the edits that have waited, in their order, and sends the plan with all of them.
    func sendQueuedEdits() {
        guard let queued = live?.queued, live?.origin != nil, let last = queued.last else { return }
        live?.queued = []
        for (serial, atFrame, _, edit) in queued { addEdit(serial: serial, atFrame: atFrame, edit) }
        if live?.plan.hasMissed == false { sendPlan(serial: last.serial) }
    }

    private func addEdit(serial: UInt64, atFrame: Int64, _ edit: @escaping Edit) {
        guard let origin = live?.origin else { return }
        // Pulses take their duty from steps that are over.
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
        // Behind its start, which waits for this frame too.
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

    /// Takes back a change that has not gone out, and that a newer one holds as well. Changes may pass each other, nothing else.
    private func takeWaiting(_ kind: Message.Kind, of playhead: UInt64) -> Message? {
        for index in backlog.indices.reversed() {
            if backlog[index].kind == kind, backlog[index].playhead == playhead { return backlog.remove(at: index) }
            guard backlog[index].kind == .replace || backlog[index].kind == .setMaster else { return nil }
        }
        return nil
    }
}
