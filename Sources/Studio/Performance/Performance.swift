import Engine
import JACK
import Patches
import Playback

/// Carries out on the engine what the player decides, and tells the player what became of it.
///
/// It owns the engine's control end; the control actor owns it. Moments are engine frames that go on counting when a change of the
/// sample rate brings a new engine.
package final class Performance {
    private let kernel: Kernel
    /// dBFS.
    private let ceiling: Double
    /// Opens sound files.
    private let sounds: SoundOpener?
    private(set) var engine: EngineControl?
    /// Moment of the engine's frame 0.
    private var origin: Int64 = 0
    private var pending = PendingTransport()
    /// Rate of the timeline that the plan of the last start was made for.
    private var soundingRate = 1.0
    /// Serial of the last thing asked of the engine.
    private var lastSerial: UInt64 = 0
    private var landedSerial: UInt64 = 0
    private var tempoLock = TempoLock()
    /// Callbacks come, or are about to.
    private var isRunning = false
    /// Engine frame of what belongs together; 0 while nothing does.
    private var commonFrame: Int64 = 0
    /// Engine frame of what belonged together last: until it has passed, nothing takes effect before it.
    private var heldFrame: Int64 = 0

    /// Seconds of the fade of play, pause, stop, seek and change of item.
    package var shortFade = PreferenceValues().shortFade {
        didSet { engine?.shortFade = shortFade }
    }
    /// Hz of the A that keys are tuned by.
    package var a4 = 440.0 {
        didSet { if a4 != oldValue { engine?.tune(a4: a4) } }
    }
    /// Seconds that an item sounds on under the one that follows it.
    package var crossfade = PreferenceValues().crossfade

    /// - Parameter sounds: Opens sound files; without it they are silent.
    package init(kernel: Kernel, ceiling: Double, sounds: SoundOpener? = nil) {
        self.kernel = kernel
        self.ceiling = ceiling
        self.sounds = sounds
    }

    // MARK: Audio comes and goes

    /// Prepares an engine for callbacks that begin afterwards. Call only while none runs.
    ///
    /// - Returns: what the process callback renders with.
    package func prepare(sampleRate: Int, state: PlayerState) -> RenderHandle {
        let now = moment
        if engine?.sampleRate != Double(sampleRate) {
            engine = EngineControl(
                sampleRate: Double(sampleRate), kernel: kernel, ceiling: ceiling, shortFade: shortFade, sounds: sounds)
            engine?.tune(a4: a4)
            origin = now.frame
        } else {
            engine?.reset()
        }
        forgetPending()
        isRunning = true
        // The engine was made just above if there was none.
        let engine = engine.unsafelyUnwrapped
        note(engine.setMaster(state.masterTarget, ramp: 0))
        return engine.handle
    }

    /// Nothing is expected of the engine until ``prepare(sampleRate:state:)``: its callbacks have ended.
    package func suspend() {
        forgetPending()
        isRunning = false
    }

    private func forgetPending() {
        pending = PendingTransport()
        landedSerial = lastSerial
        heldFrame = 0
    }

    // MARK: Now

    /// The first frame that a command given now can change.
    package var moment: Moment { frame > 0 ? Moment(frame: origin + frame) : now }

    /// The first frame that has not been rendered; inside of ``simultaneously(at:_:)`` the one that it is about.
    package var now: Moment { Moment(frame: origin + (commonFrame > 0 ? commonFrame : engine?.status.engineFrame ?? 0)) }

    /// Seconds by which ``moment`` is ahead of what has been rendered.
    package var headStart: Double { engine.map { Double(moment.frame - origin - $0.status.engineFrame) / $0.sampleRate } ?? 0 }

    /// Seconds by which something has to be asked for before its moment, so that it can be met; `nil` while no cycles come.
    package var lead: Double? {
        guard isRunning, let engine, engine.status.cycles > 0 else { return nil }
        return Double(engine.lead) / engine.sampleRate + Self.timeToPrepare
    }

    /// The moment at which an engine frame is rendered.
    package func moment(ofEngineFrame frame: Int64) -> Moment { Moment(frame: origin + frame) }

    /// The same where what is asked for may begin a sound file, which is opened and waited for first.
    package var leadWithFiles: Double? { lead.map { $0 + EngineControl.longestWaitForSounds } }

    /// Seconds: for timers that fire late, and for compiling plans.
    private static let timeToPrepare = 0.02

    /// Runs `body`; all effects carried out in it land on one frame, and what is asked for afterwards on that one or a later one.
    ///
    /// - Parameter moment: When; `nil` is as soon as all of it can.
    /// - Returns: False where the moment could not be met any more, and it was as soon as it could; also where making it ready took
    ///   until the moment came, so that it may have been missed.
    @discardableResult
    package func simultaneously(at moment: Moment? = nil, _ body: () -> Void) -> Bool {
        guard isRunning, let engine, commonFrame == 0 else {
            body()
            return true
        }
        let earliest = max(engine.earliestFrame(), heldFrame)
        let asked = moment.map { $0.frame - origin } ?? earliest
        commonFrame = max(asked, earliest)
        let mark = lastSerial
        engine.together(body)
        let (hasChanged, frame) = (lastSerial != mark, commonFrame)
        if hasChanged { heldFrame = frame }
        commonFrame = 0
        return asked >= earliest && (!hasChanged || frame >= engine.earliestFrame())
    }

    /// Engine frame for a request made now; 0 is as soon as possible.
    private var frame: Int64 {
        if commonFrame > 0 { return commonFrame }
        guard let engine, heldFrame >= engine.status.engineFrame else { return 0 }
        return heldFrame
    }

    /// Frames from the start of what is heard; `nil` when nothing is.
    package var position: Int64? { engine?.status.position.map(timelineFrame) }

    package var status: EngineStatus? { engine?.status }

    /// The highest sample of each channel since the last call, 1 is full scale.
    package func takePeaks() -> (left: Float, right: Float) { engine?.takePeaks() ?? (0, 0) }

    /// The moment at which the last cycle began, and what the wall clock showed then, in seconds since 1970; `nil` before the first.
    package var lastCycle: (moment: Moment, seconds: Double)? {
        guard let status = engine?.status, status.cycles > 0 else { return nil }
        return (Moment(frame: origin + status.cycleStartFrame), JACK.wallClockOrigin() + Double(status.hostTime) / 1e6)
    }

    /// A start or a silence is on its way to the sound.
    package var isSettling: Bool { pending.kind != nil }

    /// Identifies everything asked for so far, for ``isInTheSound(_:)``.
    package var mark: UInt64 { lastSerial }

    package func isInTheSound(_ mark: UInt64) -> Bool { landedSerial >= mark && pending.serial.map { $0 > mark } ?? true }

    // MARK: Effects

    /// Carries out what concerns the sound; returns false for what does not.
    package func carryOut(_ effect: Effect, _ state: PlayerState) -> Bool {
        guard let engine else { return effect.concernsSound }
        switch effect {
        case .start(let position):
            guard let plan = plan(of: state.currentIndex, state) else { return true }
            soundingRate = state.rate
            if state.transportMode == .follow {
                // However late it lands, its frames are the transport's.
                let start = state.anchor.moment.frame - origin - state.anchor.position
                begin(engine.start(plan, origin: start, atFrame: frame), .start, state)
            } else {
                begin(engine.start(plan, at: planFrame(position), atFrame: frame), .start, state)
            }
            prepareNext(state)
        case .upcoming: prepareNext(state)
        case .crossfade(let position):
            guard let plan = plan(of: state.currentIndex, state) else { return true }
            soundingRate = state.rate
            let fade = crossfade > 0 ? crossfade : nil
            begin(engine.start(plan, at: planFrame(position), fade: fade, atFrame: frame), .start, state)
            prepareNext(state)
        case .silence(let fade):
            // A panic waits for nothing that is still to come.
            let serial =
                switch fade {
                case .short: engine.stop(atFrame: frame)
                case .everything: engine.stop(includingTails: true, atFrame: frame)
                case .panic: engine.stop(fade: 0.03, includingTails: true, atFrame: commonFrame)
                }
            begin(serial, .silence, state)
        case .move(let setting, let ramp):
            note(engine.edit([setting], ramp: ramp.seconds, easing: ramp.easing, atFrame: frame))
            if state.followingIndex == state.currentIndex { prepareNext(state) }
        case .moves(let settings):
            note(engine.edit(settings, atFrame: frame))
            if state.followingIndex == state.currentIndex { prepareNext(state) }
        case .course(let parameter, let layer, let seconds): follow(parameter, layer, seconds, engine, state)
        case .audibleLayers:
            note(engine.mute(inaudible(state), atFrame: frame))
        case .glide: glide(engine, state)
        case .master(let ramp): note(engine.setMaster(state.masterTarget, ramp: ramp.seconds, easing: ramp.easing, atFrame: frame))
        case .masterWhenSilent:
            let silent = max(frame, engine.earliestFrame()) + Int64((shortFade * engine.sampleRate).rounded(.up))
            note(engine.setMaster(state.masterTarget, atFrame: silent))
        case .fadeMaster(let start, let end, let easing):
            note(engine.setMaster(Parameter.off, easing: easing, from: max(start.frame - origin, frame), until: end.frame - origin))
        case .transport, .addItem, .setPreference, .loadSession, .saveSession, .reconnectJACK, .connectPort, .disconnectPort, .button,
            .shake, .quit:
            return false
        }
        return true
    }

    /// Has what follows the tempo of JACK's transport fall on its bars, while both run.
    package func keepTime(with sighting: TransportSighting, _ state: PlayerState) {
        guard let engine, isRunning, pending.kind == nil, state.playback == .playing, sighting.state == .rolling, sighting.tempo > 0,
            let patch = state.patch
        else { return }
        guard patch.layers.contains(where: { !$0.notes.isEmpty }) else { return }
        tempoLock.see(sighting, sampleRate: engine.sampleRate)
        for (index, layer) in patch.layers.enumerated() {
            for (parameter, length) in layer.notes {
                note(tempoLock.correct(parameter, layer: index, length, engine))
            }
        }
    }

    /// Tells the engine what begins, on the sample, when the current item ends.
    package func prepareNext(_ state: PlayerState) {
        guard let engine, state.playback == .playing else { return }
        // A transport that is followed does not end where the item does.
        let following = state.transportMode == .follow ? nil : state.followingIndex
        note(engine.setNext(plan(of: following, state), crossfade: crossfade(to: following, state)))
    }

    /// Seconds; at most half of the shorter item, so that it is heard at all and nothing gives way to itself at once.
    private func crossfade(to index: Int?, _ state: PlayerState) -> Double {
        let durations = [state.currentIndex, index].compactMap { index in
            index.flatMap { state.items[$0].patch?.duration }.map { $0 / state.rate(ofItem: index) }
        }
        return min(crossfade, (durations.min() ?? .infinity) / 2)
    }

    /// From one way of playing the item to another, at the same place: both sound for 50 ms.
    private func glide(_ engine: EngineControl, _ state: PlayerState) {
        guard state.playback == .playing, let plan = plan(of: state.currentIndex, state) else { return }
        let status = engine.status
        let atFrame = frame > 0 ? frame : status.engineFrame + Int64(status.cycleFrames * 2)
        let isUnderWay = pending.kind != .start
        let heard = isUnderWay ? status.position.map { timelineFrame($0 + atFrame - status.engineFrame) } : nil
        let position = heard ?? state.position(at: Moment(frame: origin + atFrame))
        soundingRate = state.rate
        begin(engine.start(plan, origin: atFrame - planFrame(position), fade: 0.05, atFrame: atFrame), .start, state)
        prepareNext(state)
    }

    /// The course that a parameter has now: a hand was put on it, or taken off.
    private func follow(_ parameter: Parameter, _ layer: Int, _ seconds: Double?, _ engine: EngineControl, _ state: PlayerState) {
        guard let item = state.current, let patch = item.patch, patch.layers.indices.contains(layer) else { return }
        let course = PlanCompiler.course(
            of: parameter, layer: layer, in: patch.timeline(at: state.rate), edits: item.edits.map { $0.timeline(at: state.rate) },
            held: state.fixedSettings, sampleRate: Double(state.sampleRate))
        guard let course else { return }
        note(engine.follow(course, ramp: seconds, atFrame: frame))
        if state.followingIndex == state.currentIndex { prepareNext(state) }
    }

    private func plan(of index: Int?, _ state: PlayerState) -> Plan? {
        guard let index, let patch = state.items[index].patchAsHeard else { return nil }
        let item = state.items[index]
        let muted = index == state.currentIndex ? inaudible(state) : item.mutedLayers
        let rate = state.rate(ofItem: index)
        return PlanCompiler.compile(
            patch.timeline(at: rate), edits: item.edits.map { $0.timeline(at: rate) },
            held: index == state.currentIndex ? state.fixedSettings : item.settings(atTempo: state.tempo), muted: muted,
            sampleRate: Double(state.sampleRate))
    }

    /// A plan is made for one rate of the timeline, and counts the frames of the sound.
    private func planFrame(_ position: Int64) -> Int64 {
        soundingRate == 1 ? position : Int64((Double(position) / soundingRate).rounded())
    }

    private func timelineFrame(_ planFrame: Int64) -> Int64 {
        soundingRate == 1 ? planFrame : Int64((Double(planFrame) * soundingRate).rounded())
    }

    private func inaudible(_ state: PlayerState) -> Set<Int> {
        Set((0..<state.layerCount).filter { !state.isAudible(layer: $0) })
    }

    private func begin(_ serial: UInt64, _ kind: PendingTransport.Kind, _ state: PlayerState) {
        note(serial)
        tempoLock = TempoLock()
        pending = PendingTransport(serial: serial, kind: kind, item: state.currentIndex, position: state.anchor.position)
    }

    private func note(_ serial: UInt64?) {
        if let serial { lastSerial = max(lastSerial, serial) }
    }

    // MARK: Reports

    /// What has become of sound files since the last call.
    package func takeSoundNotices() -> [SoundNotice] { engine?.takeSoundNotices() ?? [] }

    /// Hands to the player what the engine reports. Call every few milliseconds.
    package func poll(_ player: inout Player) {
        guard let engine else { return }
        for event in engine.poll() {
            switch event {
            case .landed(let serial, let frame, let position):
                landedSerial = max(landedSerial, serial)
                guard serial == pending.serial else { continue }
                let asked = pending
                pending = PendingTransport()
                // Whoever was sent elsewhere meanwhile, paused and hence without a sound, stays there.
                if let position, asked.isStillMeant(in: player.state) {
                    player.landed(position: timelineFrame(position), at: Moment(frame: origin + frame))
                }
            case .advanced(_, let frame, _):
                // What was started meanwhile takes the place of what the engine began by itself.
                guard pending.kind != .start else { continue }
                player.advanced(at: Moment(frame: origin + frame))
                soundingRate = player.state.rate
                prepareNext(player.state)
            case .ended(let frame):
                guard pending.kind != .start else { continue }
                player.ended(at: Moment(frame: origin + frame))
            // It will never be in the sound: nobody has to wait for it any longer.
            case .refused(let serial): landedSerial = max(landedSerial, serial)
            }
        }
    }
}

/// The start or silence that the engine was asked for last and has not carried out.
private struct PendingTransport {
    enum Kind { case start, silence }
    var serial: UInt64?
    var kind: Kind?
    /// Where the player was when it was asked for.
    var item: Int?
    var position: Int64 = 0

    func isStillMeant(in state: PlayerState) -> Bool {
        kind == .start || (state.currentIndex == item && state.anchor.position == position)
    }
}

extension Effect {
    fileprivate var concernsSound: Bool {
        switch self {
        case .transport, .addItem, .setPreference, .loadSession, .saveSession, .reconnectJACK, .connectPort, .disconnectPort, .button,
            .shake, .quit:
            false
        default: true
        }
    }
}
