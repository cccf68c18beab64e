import RealTime

extension EngineControl {
    /// Sends what has waited, takes back what the render thread does not use any more, and tells what has happened, in order. To be
    /// called every few milliseconds while there is sound.
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
                // A start or stop that is on its way makes it a thing of the past.
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

    /// What changes which sound is current is done in the order in which it was asked for: nothing overtakes what waits for a later
    /// frame. (A plan with edits and the master gain name the frames that they are good for themselves.)
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

    /// Messages for a later frame that may be out at a time: the render thread has room for twice as many.
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
            // An edit of something that is not current any more; told when that was known.
        } else {
            // A start, a stop or what is to come next: what was to come before it cannot begin any more.
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
            // A start or what was to come next, cancelled by a stop.
            nextPlans[report.serial] = nil
            events.append(.refused(serial: report.serial))
        }
    }

    /// Frames: hours, which no render thread leaves behind between two looks.
    private static let longestExtraLead: Int64 = 1 << 32

    /// More time for the next try than the last one would have needed, so that one will be in time however fast the frames go by.
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

    /// What is current gives way: its edits that have not landed are refused, since nobody can say whether they will be heard.
    func abandonEdits() {
        guard let current = live else { return }
        abandoned += current.plan.waiting.map { .refused(serial: $0.serial) } + current.queued.map { .refused(serial: $0.serial) }
        replacements.formUnion(current.drafts.keys)
    }
}
