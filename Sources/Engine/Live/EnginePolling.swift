import RealTime

extension EngineControl {
    /// Sends the messages that have waited, releases what the render thread no longer uses, and returns what has happened, in order. Call
    /// it every few milliseconds while there is sound.
    package func poll() -> [EngineEvent] {
        var events = abandoned
        abandoned.removeAll()
        while let report = link.nextReport() {
            switch report {
            case .retired: break
            case .landed(let serial, let frame, let position):
                didLand(serial, at: frame, position, events: &events)
            case .refused(let serial):
                didMiss(serial, events: &events)
            case .advanced(let serial, let frame):
                guard case .some(let plan?) = nextPlans.removeValue(forKey: serial) else { continue }
                // A later start or stop that is on its way overrides it.
                if let current = live, current.serial < serial {
                    abandonEdits()
                    events += abandoned
                    abandoned.removeAll()
                    live = LivePlan(serial: serial, plan, origin: frame)
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
        link.flush()
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

    private func didLand(_ serial: UInt64, at frame: EngineFrame, _ position: PlanFrame?, events: inout [EngineEvent]) {
        func landed(_ serial: UInt64) -> EngineEvent { .landed(serial: serial, engineFrame: frame, position: position) }
        if master.isInFlight(serial) {
            changeLead.landed()
            events += master.didLand(serial: serial, earliest: earliestFrame(), over: &link).map(landed)
        } else if live?.plan.isInFlight(serial) == true {
            changeLead.landed()
            events += live?.plan.didLand(serial: serial).map(landed) ?? []
            if let stranded = live?.plan.stranded {
                live?.plan.remake(earliest: earliestFrame())
                sendPlan(serial: stranded)
            }
            sendQueuedEdits()
        } else if replacements.remove(serial) != nil {
            // An edit of a plan that is no longer current; it was already reported as refused.
        } else {
            // A start, a stop or a next plan: next plans requested before it can no longer begin.
            nextPlans = nextPlans.filter { $0.key >= serial }
            if live?.serial == serial, let position, live?.didStart(at: frame, position) == true { sendQueuedEdits() }
            events.append(landed(serial))
        }
    }

    private func didMiss(_ serial: UInt64, events: inout [EngineEvent]) {
        if master.isInFlight(serial) {
            guard let missed = master.didMiss(serial: serial) else { return }
            changeLead.lengthen(missed: missed, status)
            master.resend(earliest: earliestFrame(), over: &link)
        } else if live?.plan.isInFlight(serial) == true {
            guard live?.plan.didMiss(serial: serial) == true, let plan = live?.plan, let last = plan.stranded else { return }
            changeLead.lengthen(missed: plan.validFrom, status)
            live?.plan.remake(earliest: earliestFrame())
            sendPlan(serial: last)
        } else if replacements.remove(serial) == nil {
            // A start or a next plan, cancelled by a stop.
            nextPlans[serial] = nil
            events.append(.refused(serial: serial))
        }
    }

    /// Refuses the edits of the current plan that have not landed, since it is unknown whether they will be heard.
    func abandonEdits() {
        guard let current = live else { return }
        abandoned += current.refusals
        replacements.formUnion(current.plan.serialsInFlight)
    }
}
