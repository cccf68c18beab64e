import RealTime

extension EngineControl {
    /// Sends the messages that have waited, releases what the render thread no longer uses, and returns what has happened, in order. Call
    /// it every few milliseconds while there is sound.
    package func poll() -> [EngineEvent] {
        var events = abandoned
        abandoned.removeAll()
        while let report = reports.pop() {
            switch report.kind {
            case .retired:
                expectedReports -= 1
                held[report.token] = nil
            case .landed:
                expectedReports -= 1
                scheduled.remove(report.serial)
                didLand(report, events: &events)
            case .refused:
                expectedReports -= 1
                scheduled.remove(report.serial)
                didMiss(report, events: &events)
            case .advanced:
                guard case .some(let plan?) = nextPlans.removeValue(forKey: report.serial) else { continue }
                // A later start or stop that is on its way overrides it.
                if let current = live, current.serial < report.serial {
                    abandonEdits()
                    events += abandoned
                    abandoned.removeAll()
                    live = Live(serial: report.serial, plan: Revisions(PlanDraft(plan)), origin: report.engineFrame)
                }
                events.append(.advanced(serial: report.serial, engineFrame: report.engineFrame))
            case .ended:
                if live?.serial == report.serial {
                    abandonEdits()
                    events += abandoned
                    abandoned.removeAll()
                    live = nil
                }
                events.append(.ended(engineFrame: report.engineFrame))
            }
        }
        flush()
        return events
    }

    /// Keeps requests that change the current sound in order: none overtakes one that waits for a later frame. (Plans with edits and the
    /// master gain carry the frames that they are valid for.)
    ///
    /// - Returns: The engine frame for a request; 0 is as soon as possible.
    func frameInOrder(_ atFrame: Int64) -> Int64 {
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
            let reports = 1 + (message.sound == nil ? 0 : 1) + (message.sound?.workspace == nil ? 0 : 1) + (message.master == nil ? 0 : 1)
            guard expectedReports + reports <= EngineControl.maximumExpectedReports,
                message.atFrame == 0 || scheduled.count < EngineControl.maximumScheduledCount,
                messages.push(message) == nil
            else { break }
            expectedReports += reports
            if message.atFrame > 0 { scheduled.insert(message.serial) }
            sent += 1
        }
        backlog.removeFirst(sent)
    }

    private func didLand(_ report: Report, events: inout [EngineEvent]) {
        let position = report.position < 0 ? nil : report.position
        func landed(_ serial: UInt64) -> EngineEvent {
            .landed(serial: serial, engineFrame: report.engineFrame, position: position)
        }
        if let track = masterTracks.removeValue(forKey: report.serial) {
            shortenLead()
            events += master.didLand(serial: report.serial, content: track).map(landed)
            if master.isStranded, let last = master.waiting.last {
                master.remake(earliest: earliestFrame())
                sendMaster(serial: last.serial)
            }
        } else if let draft = live?.drafts.removeValue(forKey: report.serial) {
            shortenLead()
            events += live?.plan.didLand(serial: report.serial, content: draft).map(landed) ?? []
            if live?.plan.isStranded == true, let last = live?.plan.waiting.last {
                live?.plan.remake(earliest: earliestFrame())
                sendPlan(serial: last.serial)
            }
            sendQueuedEdits()
        } else if replacements.remove(report.serial) != nil {
            // An edit of a plan that is no longer current; it was already reported as refused.
        } else {
            // A start, a stop or a next plan: next plans requested before it can no longer begin.
            nextPlans = nextPlans.filter { $0.key >= report.serial }
            if live?.serial == report.serial, live?.origin == nil || live?.startsAt != nil, let position {
                live?.origin = report.engineFrame - position
                live?.startsAt = nil
                sendQueuedEdits()
            }
            events.append(landed(report.serial))
        }
    }

    private func didMiss(_ report: Report, events: inout [EngineEvent]) {
        if masterTracks.removeValue(forKey: report.serial) != nil {
            guard master.didMiss(), let last = master.waiting.last else { return }
            lengthenLead(missed: master.validFrom)
            master.remake(earliest: earliestFrame())
            sendMaster(serial: last.serial)
        } else if live?.drafts.removeValue(forKey: report.serial) != nil {
            guard live?.plan.didMiss() == true, let plan = live?.plan, let last = plan.waiting.last else { return }
            lengthenLead(missed: plan.validFrom)
            live?.plan.remake(earliest: earliestFrame())
            sendPlan(serial: last.serial)
        } else if replacements.remove(report.serial) == nil {
            // A start or a next plan, cancelled by a stop.
            nextPlans[report.serial] = nil
            events.append(.refused(serial: report.serial))
        }
    }

    /// Frames that last for hours: no render thread advances that far between two polls.
    private static let longestExtraLead: Int64 = 1 << 32

    /// Gives the next try more time than the last one would have needed, so that a try will be in time however fast frames pass.
    private func lengthenLead(missed frame: Int64) {
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
