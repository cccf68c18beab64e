import RealTime

extension EngineControl {
    /// Sends the messages that have waited, releases what the render thread no longer uses, and returns what has happened, in order. Call
    /// it every few milliseconds while there is sound.
    package func poll() -> [EngineEvent] {
        var events = abandoned
        abandoned.removeAll()
        while let report = reports.pop() {
            switch report {
            case .retired(let token):
                expectedReports -= 1
                held[token] = nil
            case .landed(let serial, let frame, let position):
                expectedReports -= 1
                scheduled.remove(serial)
                didLand(serial, at: frame, position, events: &events)
            case .refused(let serial):
                expectedReports -= 1
                scheduled.remove(serial)
                didMiss(serial, events: &events)
            case .advanced(let serial, let frame):
                guard case .some(let plan?) = nextPlans.removeValue(forKey: serial) else { continue }
                // A later start or stop that is on its way overrides it.
                if let current = live, current.serial < serial {
                    abandonEdits()
                    events += abandoned
                    abandoned.removeAll()
                    live = Live(serial: serial, plan: Revisions(PlanDraft(plan)), origin: frame)
                }
                events.append(.advanced(serial: serial, engineFrame: frame))
            case .ended(let serial, let frame):
                if live?.serial == serial {
                    abandonEdits()
                    events += abandoned
                    abandoned.removeAll()
                    live = nil
                }
                events.append(.ended(engineFrame: frame))
            }
        }
        flush()
        return events
    }

    /// Keeps requests that change the current sound in order: none overtakes one that waits for a later frame. (Plans with edits and the
    /// master gain carry the frames that they are valid for.)
    ///
    /// - Returns: The frame for a request.
    func frameInOrder(_ atFrame: EngineFrame) -> EngineFrame {
        latestFrame = max(latestFrame, atFrame)
        return latestFrame > status.engineFrame ? latestFrame : atFrame
    }

    func send(_ message: Message) {
        backlog.append(message)
        flush()
    }

    /// The most messages for a later frame in flight at a time; the render thread has room for twice as many.
    private static let maximumScheduledCount = RenderState.pendingCapacity / 2

    func flush() {
        guard !isCollecting else { return }
        var sent = 0
        for message in backlog {
            let reports = 1 + message.objectCount
            guard expectedReports + reports <= EngineControl.maximumExpectedReports,
                message.atFrame == .asSoonAsPossible || scheduled.count < EngineControl.maximumScheduledCount,
                messages.push(message) == nil
            else { break }
            expectedReports += reports
            if message.atFrame > .asSoonAsPossible { scheduled.insert(message.serial) }
            sent += 1
        }
        backlog.removeFirst(sent)
    }

    private func didLand(_ serial: UInt64, at frame: EngineFrame, _ position: PlanFrame?, events: inout [EngineEvent]) {
        func landed(_ serial: UInt64) -> EngineEvent { .landed(serial: serial, engineFrame: frame, position: position) }
        if let track = masterTracks.removeValue(forKey: serial) {
            shortenLead()
            events += master.didLand(serial: serial, content: track).map(landed)
            if master.isStranded, let last = master.waiting.last {
                master.remake(earliest: earliestFrame())
                sendMaster(serial: last.serial)
            }
        } else if let draft = live?.drafts.removeValue(forKey: serial) {
            shortenLead()
            events += live?.plan.didLand(serial: serial, content: draft).map(landed) ?? []
            if live?.plan.isStranded == true, let last = live?.plan.waiting.last {
                live?.plan.remake(earliest: earliestFrame())
                sendPlan(serial: last.serial)
            }
            sendQueuedEdits()
        } else if replacements.remove(serial) != nil {
            // An edit of a plan that is no longer current; it was already reported as refused.
        } else {
            // A start, a stop or a next plan: next plans requested before it can no longer begin.
            nextPlans = nextPlans.filter { $0.key >= serial }
            if live?.serial == serial, live?.origin == nil || live?.startsAt != nil, let position {
                live?.origin = frame.origin(of: position)
                live?.startsAt = nil
                sendQueuedEdits()
            }
            events.append(landed(serial))
        }
    }

    private func didMiss(_ serial: UInt64, events: inout [EngineEvent]) {
        if masterTracks.removeValue(forKey: serial) != nil {
            guard master.didMiss(), let last = master.waiting.last else { return }
            lengthenLead(missed: master.validFrom)
            master.remake(earliest: earliestFrame())
            sendMaster(serial: last.serial)
        } else if live?.drafts.removeValue(forKey: serial) != nil {
            guard live?.plan.didMiss() == true, let plan = live?.plan, let last = plan.waiting.last else { return }
            lengthenLead(missed: plan.validFrom)
            live?.plan.remake(earliest: earliestFrame())
            sendPlan(serial: last.serial)
        } else if replacements.remove(serial) == nil {
            // A start or a next plan, cancelled by a stop.
            nextPlans[serial] = nil
            events.append(.refused(serial: serial))
        }
    }

    /// Frames that last for hours: no render thread advances that far between two polls.
    private static let longestExtraLead: Int64 = 1 << 32

    /// Gives the next try more time than the last one would have needed, so that a try will be in time however fast frames pass.
    private func lengthenLead(missed frame: EngineFrame) {
        let status = status
        extraLead = min(max(2 * extraLead, Int64(status.cycleFrames), 2 * (status.engineFrame - frame)), Self.longestExtraLead)
        landedInTime = 0
    }

    private func shortenLead() {
        landedInTime += 1
        guard landedInTime >= 16 else { return }
        extraLead /= 2
        landedInTime = 0
    }

    /// Refuses the edits of the current plan that have not landed, since it is unknown whether they will be heard.
    func abandonEdits() {
        guard let current = live else { return }
        abandoned += current.plan.waiting.map { .refused(serial: $0.serial) } + current.queued.map { .refused(serial: $0.serial) }
        replacements.formUnion(current.drafts.keys)
    }
}
