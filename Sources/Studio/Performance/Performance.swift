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
    private var engine: EngineControl?
    /// Moment of the engine's frame 0.
    private var origin: Int64 = 0
    private var pending = PendingTransport()
    /// Rate of the timeline that the plan of the last start was made for.
    private var soundingRate = 1.0
    /// Serial of the last thing asked of the engine.
    private var lastSerial: UInt64 = 0
    private var landedSerial: UInt64 = 0
    /// Engine frame of what belongs together; 0 is as soon as possible.
    private var commonFrame: Int64 = 0

    package init(kernel: Kernel, ceiling: Double) {
        self.kernel = kernel
        self.ceiling = ceiling
    }

    // MARK: Audio comes and goes

    /// Prepares an engine for callbacks that begin afterwards. Call only while none runs.
    ///
    /// - Returns: what the process callback renders with.
    package func prepare(sampleRate: Int, state: PlayerState) -> RenderHandle {
        let now = moment
        if engine?.sampleRate != Double(sampleRate) {
            engine = EngineControl(sampleRate: Double(sampleRate), kernel: kernel, ceiling: ceiling)
            origin = now.frame
        } else {
            engine?.reset()
        }
        forgetPending()
        // The engine was made just above if there was none.
        let engine = engine.unsafelyUnwrapped
        note(engine.setMaster(state.masterTarget, ramp: 0))
        return engine.handle
    }

    /// Nothing is expected of the engine until ``prepare(sampleRate:state:)``: its callbacks have ended.
    package func suspend() { forgetPending() }

    private func forgetPending() {
        pending = PendingTransport()
        landedSerial = lastSerial
    }

    // MARK: Now

    /// The first frame that a command given now can change.
    package var moment: Moment {
        Moment(frame: origin + (commonFrame > 0 ? commonFrame : engine?.status.engineFrame ?? 0))
    }

    /// The moment at which an engine frame is rendered.
    package func moment(ofEngineFrame frame: Int64) -> Moment { Moment(frame: origin + frame) }

    /// Runs `body`; all effects carried out in it land on one frame, a cycle later than they could.
    package func simultaneously(_ body: () -> Void) {
        guard let status = engine?.status, commonFrame == 0 else { return body() }
        commonFrame = status.engineFrame + Int64(status.cycleFrames)
        body()
        commonFrame = 0
    }

    /// Frames from the start of what is heard; `nil` when nothing is.
    package var position: Int64? { engine?.status.position.map(timelineFrame) }

    package var status: EngineStatus? { engine?.status }

    /// The highest sample of each channel since the last call, 1 is full scale.
    package func takePeaks() -> (left: Float, right: Float) { engine?.takePeaks() ?? (0, 0) }

    /// The moment at which the last cycle began, and how many seconds ago that was; `nil` before the first.
    package var lastCycle: (moment: Moment, age: Double)? {
        guard let status = engine?.status, status.cycles > 0 else { return nil }
        return (Moment(frame: origin + status.cycleStartFrame), (Double(JACK.microseconds()) - Double(status.hostTime)) / 1e6)
    }

    /// A start or a silence is on its way to the sound.
    package var isSettling: Bool { pending.kind != nil }

    /// Identifies everything asked for so far, for ``isInTheSound(_:)``.
    package var mark: UInt64 { lastSerial }

    package func isInTheSound(_ mark: UInt64) -> Bool { landedSerial >= mark }

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
                begin(engine.start(plan, origin: start, atFrame: commonFrame), .start)
            } else {
                begin(engine.start(plan, at: planFrame(position), atFrame: commonFrame), .start)
            }
            prepareNext(state)
        case .upcoming: prepareNext(state)
        case .silence(let fade):
            let serial = fade == .panic ? engine.stop(fade: 0.03, includingTails: true) : engine.stop(atFrame: commonFrame)
            begin(serial, .silence)
        case .move(let setting, let ramp):
            note(engine.edit([setting], ramp: ramp.seconds, easing: ramp.easing, atFrame: commonFrame))
            if state.followingIndex == state.currentIndex { prepareNext(state) }
        case .audibleLayers:
            note(engine.mute(inaudible(state), atFrame: commonFrame))
        case .glide: glide(engine, state)
        case .master(let ramp): note(engine.setMaster(state.masterTarget, ramp: ramp.seconds, easing: ramp.easing, atFrame: commonFrame))
        case .transport, .loadSession, .saveSession, .quit: return false
        }
        return true
    }

    /// Tells the engine what begins, on the sample, when the current item ends.
    package func prepareNext(_ state: PlayerState) {
        guard let engine, state.playback == .playing else { return }
        // A transport that is followed does not end where the item does.
        note(engine.setNext(plan(of: state.transportMode == .follow ? nil : state.followingIndex, state)))
    }

    /// From one way of playing the item to another, at the same place: both sound for 50 ms.
    private func glide(_ engine: EngineControl, _ state: PlayerState) {
        guard state.playback == .playing, let plan = plan(of: state.currentIndex, state) else { return }
        let status = engine.status
        let lead = Int64(status.cycleFrames * 2)
        let position = status.position.map { timelineFrame($0 + lead) } ?? state.anchor.position
        soundingRate = state.rate
        let start = status.engineFrame + lead - planFrame(position)
        begin(engine.start(plan, origin: start, fade: 0.05, atFrame: status.engineFrame + lead), .start)
        prepareNext(state)
    }

    private func plan(of index: Int?, _ state: PlayerState) -> Plan? {
        guard let index, let patch = state.items[index].patchAsHeard else { return nil }
        let item = state.items[index]
        let muted = index == state.currentIndex ? inaudible(state) : item.mutedLayers
        return PlanCompiler.compile(
            patch.timeline(at: state.rate), edits: item.edits.map { $0.timeline(at: state.rate) }, muted: muted,
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

    private func begin(_ serial: UInt64, _ kind: PendingTransport.Kind) {
        note(serial)
        pending = PendingTransport(serial: serial, kind: kind)
    }

    private func note(_ serial: UInt64?) {
        if let serial { lastSerial = max(lastSerial, serial) }
    }

    // MARK: Reports

    /// Hands to the player what the engine reports. Call every few milliseconds.
    package func poll(_ player: inout Player) {
        guard let engine else { return }
        for event in engine.poll() {
            switch event {
            case .landed(let serial, let frame, let position):
                landedSerial = max(landedSerial, serial)
                guard serial == pending.serial else { continue }
                pending = PendingTransport()
                if let position { player.landed(position: timelineFrame(position), at: Moment(frame: origin + frame)) }
            case .advanced(_, let frame, _):
                // What was started meanwhile takes the place of what the engine began by itself.
                guard pending.kind != .start else { continue }
                player.advanced(at: Moment(frame: origin + frame))
                prepareNext(player.state)
            case .ended(let frame):
                guard pending.kind != .start else { continue }
                player.ended(at: Moment(frame: origin + frame))
            case .refused: continue
            }
        }
    }
}

/// The start or silence that the engine was asked for last and has not carried out.
private struct PendingTransport {
    enum Kind { case start, silence }
    var serial: UInt64?
    var kind: Kind?
}

extension Effect {
    fileprivate var concernsSound: Bool {
        switch self {
        case .transport, .loadSession, .saveSession, .quit: false
        default: true
        }
    }
}
