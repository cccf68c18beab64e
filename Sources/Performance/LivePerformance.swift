import Engine
import Patches
import Playback

/// Carries out the player's decisions on the engine, and reports the results to the player.
///
/// It owns the engine's control end; control owns it. Moments are engine frames that continue counting when a change of the
/// sample rate requires a new engine.
package final class LivePerformance {
    private let kernel: Kernel
    /// The output ceiling in dBFS.
    package let ceiling: Double
    /// Opens sound files.
    private let sounds: SoundOpener?
    private(set) var engine: EngineControl?
    /// The moment of the engine's frame 0.
    var origin: Int64 = 0
    var requests = PendingRequests()
    /// The ``QueueItem/id`` of the item that the engine was last asked to play or advanced to; `nil` for silence. Only this item is edited.
    var soundingItem: Int?
    var upcoming = UpcomingItems()
    var soundingRate = SoundingRate()
    var tempoLock = TempoLock()
    var master = MasterLevel()
    package let shortage: MemoryShortage
    private var interruptedMaster: InterruptedMaster?
    /// Whether a callback may still use the engine, so that it must not be touched.
    private var isLeftBehind = false
    /// Whether frames pass faster than time, so that what ends soon cannot be foreseen.
    package var isFreewheeling = false
    /// Whether callbacks run or are about to.
    var isRunning = false
    var common = CommonFrame()

    /// The length in seconds of the fades of play, pause, stop, seek and change of item.
    package var shortFade = PreferenceValues().shortFade {
        didSet { engine?.shortFade = shortFade }
    }
    /// The frequency of A4 in Hz, for keys.
    package var a4 = 440.0 {
        didSet { if a4 != oldValue { engine?.tune(a4: a4) } }
    }
    /// The crossfade between consecutive items in seconds.
    package var crossfade = PreferenceValues().crossfade {
        didSet { if crossfade != oldValue { upcoming.outdate() } }
    }

    /// - Parameters:
    ///   - sounds: Opens sound files; without it, sound files are silent.
    ///   - hasMemory: Whether enough memory is left for a plan or an engine.
    package init(kernel: Kernel, ceiling: Double, sounds: SoundOpener? = nil, hasMemory: @escaping () -> Bool = { true }) {
        self.kernel = kernel
        shortage = MemoryShortage(hasMemory)
        self.ceiling = ceiling
        self.sounds = sounds
    }

    // MARK: Start and end of audio

    /// Prepares an engine for callbacks that begin afterwards. Call only while none runs, and if there is memory (``shortage``).
    ///
    /// - Returns: the engine for the process callback.
    package func prepare(sampleRate: Int, state: PlayerState) -> EngineHold {
        let (now, interrupted, target) = (moment, interruptedMaster, state.masterTarget)
        let level = interrupted?.level(below: target) ?? target
        interruptedMaster = nil
        if engine?.sampleRate != Double(sampleRate) || isLeftBehind {
            isLeftBehind = false
            engine = EngineControl(
                sampleRate: Double(sampleRate), kernel: kernel, ceiling: ceiling, shortFade: shortFade, sounds: sounds,
                serialsAfter: requests.lastSerial)
            engine?.tune(a4: a4)
            origin = now.frame
        }
        engine?.setMasterAtOnce(level)
        forgetPending()
        isRunning = true
        // The engine was made just above if there was none.
        let engine = engine.unsafelyUnwrapped
        if let interrupted, level < target { requests.record(interrupted.resume(to: target, engine)) }
        return EngineHold(engine)
    }

    /// Abandons the engine, since a callback may still be rendering with it: the next ``prepare(sampleRate:state:)`` makes another one. The
    /// backend keeps the old one for as long as necessary.
    package func leaveBehind() { isLeftBehind = true }

    /// Ignores the engine until ``prepare(sampleRate:state:)``: its callbacks have ended, or their output is silenced.
    package func suspend() {
        if isRunning, let engine { interruptedMaster = InterruptedMaster(engine) }
        forgetPending()
        isRunning = false
    }

    private func forgetPending() {
        requests.drop()
        upcoming = UpcomingItems()
        soundingItem = nil
        common.forget()
        master.forgetRestoring()
        shortage.forget()
    }

    // MARK: Now

    /// The first frame that a command given now can affect.
    package var moment: Moment { frame > .asSoonAsPossible ? moment(of: frame) : now }

    /// The first frame that has not been rendered; inside ``simultaneously(at:_:)``, the frame of that call.
    package var now: Moment { moment(of: common.isOpen ? common.frame : engine?.status.engineFrame ?? 0) }

    /// The time in seconds by which ``moment`` is ahead of what has been rendered.
    package var headStart: Double { engine.map { Double(engineFrame(of: moment) - $0.status.engineFrame) / $0.sampleRate } ?? 0 }

    /// The time in seconds by which a request has to come before its moment to be on time; `nil` while there are no cycles.
    package var lead: Double? {
        guard isRunning, let engine, engine.status.cycles > 0 else { return nil }
        return Double(engine.lead) / engine.sampleRate + Self.timeToPrepare
    }

    /// The moment at which an engine frame is rendered.
    package func moment(of frame: EngineFrame) -> Moment { Moment(frame: origin + frame.number) }

    /// The engine frame that is rendered at a moment; negative if that was before this engine was made.
    func engineFrame(of moment: Moment) -> EngineFrame { EngineFrame(moment.frame - origin) }

    /// Like ``lead``, for requests that may start a sound file, which has to be opened first.
    package var leadWithFiles: Double? { lead.map { $0 + EngineControl.longestWaitForSounds } }

    /// The time in seconds allowed for late timers and for compiling plans.
    private static let timeToPrepare = 0.02

    /// Runs `body`; all effects carried out in it land on one frame, and later ones on that frame or after it.
    ///
    /// - Parameter moment: When they take effect; `nil` is as soon as all of them can.
    /// - Returns: False if the moment could not be met, so that they take effect as soon as possible; also if the preparation took until
    ///   the moment, so that it may have been missed.
    @discardableResult
    package func simultaneously(at moment: Moment? = nil, _ body: () -> Void) -> Bool {
        guard isRunning, let engine, !common.isOpen else {
            body()
            return true
        }
        let isInTime = common.open(at: moment.map(engineFrame), engine)
        let mark = requests.lastSerial
        engine.together(body)
        let hasChanged = requests.lastSerial != mark
        let frame = common.close(hasChanged)
        return isInTime && (!hasChanged || frame >= engine.earliestFrame())
    }

    /// Whether the body of ``simultaneously(at:_:)`` runs.
    package var isGathering: Bool { common.isOpen }

    /// The frame for a request made now.
    var frame: EngineFrame { common.frame(engine) }

    /// Frames from the start of the current item, as heard; `nil` if nothing sounds, or the requested start does not sound yet.
    package var position: Int64? { soundingStatus?.position.map(soundingRate.position) }

    /// The engine's status if the last requested start is what sounds. The engine may have advanced to the next item before ``poll(_:)``
    /// has read the report.
    var soundingStatus: EngineStatus? {
        guard let engine, requests.staysInPlace else { return nil }
        let status = engine.status
        return status.playheadSerial == (engine.live?.serial ?? 0) ? status : nil
    }

    package var status: EngineStatus? { engine?.status }

    /// The least and the most frames by which what plays delays inputs.
    package var inputDelay: ClosedRange<UInt32> { isRunning ? engine?.live?.inputDelay ?? 0...0 : 0...0 }

    /// The peak level of each channel since the last call; 1 is full scale.
    package func takePeaks() -> (left: Float, right: Float) { engine?.handle.takePeaks() ?? (0, 0) }

    /// The moment at which the last cycle began, and the time then in microseconds on the clock of the audio server; `nil` before the first.
    package var lastCycle: (moment: Moment, hostTime: UInt64)? {
        guard let status = engine?.status, status.cycles > 0 else { return nil }
        return (moment(of: status.cycleStartFrame), status.hostTime)
    }

    /// Whether a start or a silence is pending, or the player has yet to be paused for lack of memory.
    package var isSettling: Bool { requests.isSettling || shortage.isPausing }

    /// Identifies all requests so far, for ``isInTheSound(_:)``.
    package var mark: UInt64 { requests.lastSerial }

    package func isInTheSound(_ mark: UInt64) -> Bool { requests.hasLanded(mark) }
}
