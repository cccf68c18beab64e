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
    package let ceiling: Double
    /// Opens sound files.
    private let sounds: SoundOpener?
    private(set) var engine: EngineControl?
    /// Moment of the engine's frame 0.
    var origin: Int64 = 0
    var pending = PendingTransport()
    /// Starts that were sent and have not been reported.
    var startsUnderWay: Set<UInt64> = []
    /// The start to send when those have been.
    var waitingStart: WaitingStart?
    /// ``QueueItem/id`` of what the engine was asked to play last, or went over to by itself; `nil` for silence. Only this is edited.
    var soundingItem: Int?
    /// The same of what was given to the engine to come next, by serial.
    var upcomingItems: [UInt64: Int] = [:]
    /// The last of them, while it has not been reported.
    var upcomingUnderWay: UInt64?
    /// The upcoming item has changed since it was sent.
    var upcomingIsStale = false
    /// Rate of the timeline that the plan of the last start was made for.
    var soundingRate = 1.0
    /// Serial of the last thing asked of the engine.
    private var lastSerial: UInt64 = 0
    var landedSerial: UInt64 = 0
    var tempoLock = TempoLock()
    /// A callback may render with the engine for as long as it likes.
    private var isLeftBehind = false
    /// Callbacks come, or are about to.
    var isRunning = false
    /// Engine frame of what belongs together; 0 while nothing does.
    private(set) var commonFrame: Int64 = 0
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
    package var crossfade = PreferenceValues().crossfade {
        didSet { if crossfade != oldValue { upcomingIsStale = true } }
    }

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
    package func prepare(sampleRate: Int, state: PlayerState) -> EngineHold {
        let now = moment
        if engine?.sampleRate != Double(sampleRate) || isLeftBehind {
            isLeftBehind = false
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
        return EngineHold(engine)
    }

    /// A callback may still be rendering with the engine, and is not waited for any longer: the next ``prepare(sampleRate:state:)`` makes
    /// another. Whoever calls back keeps this one for as long as it has to be.
    package func leaveBehind() { isLeftBehind = true }

    /// Nothing is expected of the engine until ``prepare(sampleRate:state:)``: its callbacks have ended, or what they
    /// put out is silence.
    package func suspend() {
        forgetPending()
        isRunning = false
    }

    private func forgetPending() {
        pending = PendingTransport()
        startsUnderWay = []
        waitingStart = nil
        soundingItem = nil
        upcomingItems = [:]
        upcomingUnderWay = nil
        upcomingIsStale = false
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
    var frame: Int64 {
        if commonFrame > 0 { return commonFrame }
        guard let engine, heldFrame >= engine.status.engineFrame else { return 0 }
        return heldFrame
    }

    /// Frames from the start of the current item, as heard; `nil` when nothing is heard, or not yet what the player says.
    package var position: Int64? { soundingStatus?.position.map(timelineFrame) }

    /// The engine's status, if what sounds is what was asked for last: it may have gone over to the next item without ``poll(_:)`` having seen it.
    var soundingStatus: EngineStatus? {
        guard let engine, waitingStart?.isGlide ?? true else { return nil }
        let status = engine.status
        return status.playheadSerial == engine.currentSerial ? status : nil
    }

    package var status: EngineStatus? { engine?.status }

    /// The highest sample of each channel since the last call, 1 is full scale.
    package func takePeaks() -> (left: Float, right: Float) { engine?.takePeaks() ?? (0, 0) }

    /// The moment at which the last cycle began, and what the wall clock showed then, in seconds since 1970; `nil` before the first.
    package var lastCycle: (moment: Moment, seconds: Double)? {
        guard let status = engine?.status, status.cycles > 0 else { return nil }
        return (Moment(frame: origin + status.cycleStartFrame), JACK.wallClockOrigin() + Double(status.hostTime) / 1e6)
    }

    /// A start or a silence is on its way to the sound.
    package var isSettling: Bool { pending.kind != nil || waitingStart != nil }

    /// Identifies everything asked for so far, for ``isInTheSound(_:)``.
    package var mark: UInt64 { lastSerial }

    package func isInTheSound(_ mark: UInt64) -> Bool {
        landedSerial >= mark && (pending.mark ?? .max) > mark && (waitingStart?.mark ?? .max) > mark
    }

    /// Counts what was asked of the engine.
    func note(_ serial: UInt64?) {
        if let serial { lastSerial = max(lastSerial, serial) }
    }
}
