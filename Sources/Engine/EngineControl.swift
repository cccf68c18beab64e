import Patches
import RealTime
import Synthesis

/// The control end of an engine. One actor owns it; it outlives the last callback that renders.
///
/// Requests never fail and never block: what the ring has no room for waits here and goes out in ``poll()``. Each has a serial, which
/// comes back in an event. Engine frames count what has been rendered since the engine was made, plan frames the time of a patch.
package final class EngineControl {
    /// For the audio callback.
    package let handle: RenderHandle
    package let sampleRate: Double
    package let kernel: Kernel
    /// Seconds of a fade when nobody says how long: start, stop, pause, seek.
    package var shortFade: Double

    /// Linear.
    let ceiling: Double
    /// Decodes what layers play from files.
    let feeder: SoundFeeder
    var messages: RingProducer<Message>
    var reports: RingConsumer<Report>
    /// Messages that wait for room, or for the end of ``together(_:)``.
    var backlog: [Message] = []
    var isCollecting = false
    /// What the render thread has been given and has not given back.
    var held: [UInt: AnyObject] = [:]
    private var lastToken: UInt = 0
    private var lastSerial: UInt64 = 0
    /// Reports that may still come for messages that went out.
    var expectedReports = 0
    /// Serials of messages for a later frame that went out.
    var scheduled: Set<UInt64> = []
    /// The latest engine frame that a start, a stop or what goes with them was asked for.
    var latestFrame: Int64 = 0

    /// What is current, as far as control has asked for it.
    var live: Live?
    /// Plans passed to `setNext` that may still start, by serial number.
    var nextPlans: [UInt64: Plan?] = [:]
    /// Master gain in dB over engine frames.
    var master: Revisions<ParameterTrack>
    /// Tracks of the master gain that are on their way, by serial.
    var masterTracks: [UInt64: ParameterTrack] = [:]

    /// Events about edits of what is not current any more, for the next poll.
    var abandoned: [EngineEvent] = []
    /// Serials of their messages, about which reports may still come.
    var replacements: Set<UInt64> = []

    /// Frames that a change is put off beyond the next cycle: some, when compiling it takes longer than the render thread leaves time
    /// for, and many under freewheel.
    var extraLead: Int64 = 0
    /// Changes that have landed since one came too late, or since the lead was made shorter.
    var landedInTime = 0

    struct Live {
        /// Of the `start` or `setNext` that it came from.
        var serial: UInt64
        var plan: Revisions<PlanDraft>
        /// Engine frame of its frame 0; `nil` until that is known.
        var origin: Int64?
        /// Engine frame that it was asked to begin at; `nil` once it has begun, and where nobody said when.
        var startsAt: Int64?
        /// The drafts behind the plans that are on their way to the callback, by serial number.
        var drafts: [UInt64: PlanDraft] = [:]
        /// Edits made before its origin was known, or while enough plans are on their way: they go out together in one.
        var queued: [(serial: UInt64, atFrame: Int64, slot: Slot?, edit: Edit)] = []

        /// The target of an edit that changes only one thing.
        enum Slot: Equatable {
            case value(Parameter, layer: Int)
            case course(Parameter, layer: Int)
            case muted

            /// Whether nothing of the other one is left behind it. What a value is set on may be another course.
            func covers(_ other: Slot) -> Bool {
                if case .course(let parameter, let layer) = self, other == .value(parameter, layer: layer) { return true }
                return self == other
            }
        }
    }

    /// Plans with edits that may be on their way at a time, so that a flood of edits costs little time and memory.
    static let maximumPlansInFlight = 4

    /// A change to a plan at a plan frame, when frames before another one are not needed any more.
    typealias Edit = (inout PlanDraft, _ frame: Int64, _ forgotten: Int64) -> Void

    /// - Parameters:
    ///   - ceiling: Highest level that leaves the engine, in dBFS, 0 at most.
    ///   - shortFade: Seconds.
    ///   - sounds: Opens sound files; without it they are silent.
    package convenience init(
        sampleRate: Double, kernel: Kernel = .best, ceiling: Double = -6, shortFade: Double = 0.02, sounds: SoundOpener? = nil
    ) {
        self.init(
            sampleRate: sampleRate, kernel: kernel, ceiling: ceiling, shortFade: shortFade,
            feeder: SoundFeeder(sounds, sampleRate: sampleRate, hasThread: true), isLocked: true)
    }

    init(sampleRate: Double, kernel: Kernel, ceiling: Double, shortFade: Double = 0.02, feeder: SoundFeeder, isLocked: Bool) {
        precondition(sampleRate > 0 && sampleRate.isFinite, "A sample rate is a number above 0, in Hz.")
        self.sampleRate = sampleRate
        self.kernel = kernel.isAvailable ? kernel : .baseline
        self.shortFade = shortFade
        self.ceiling = Double(Float(ValueLaw.decibels(min(ceiling, 0))))
        self.feeder = feeder
        let messageRing = Ring<Message>(capacity: 1024)
        let reportRing = Ring<Report>(capacity: 2 * EngineControl.maximumExpectedReports)
        let masterTrack = ParameterTrack(
            form: ParameterDescription.gain.form(sampleRate: sampleRate, gainLaw: .decibels), value: 0, moves: [],
            leadFrames: PlanCompiler.frames(PlanCompiler.shortFade, sampleRate: sampleRate))
        master = Revisions(masterTrack)
        held[0] = masterTrack
        handle = RenderHandle(
            state: EngineMemory.make(
                sampleRate: sampleRate, kernel: self.kernel, ceiling: Float(self.ceiling),
                master: Master(track: masterTrack.valueTrack(), token: 0), messages: messageRing.consumer,
                reports: reportRing.producer, soundHurry: feeder.hurry, isLocked: isLocked))
        messages = messageRing.producer
        reports = reportRing.consumer
        tune(a4: 440)
        warmUp()
    }

    deinit { EngineMemory.free(handle.state) }

    /// Sample rates of JACK servers that the engine can run at, in Hz.
    package static let sampleRates = 8000.0...768_000

    /// Twice as many fit into the ring of reports: two more can come for each plan that begins.
    static let maximumExpectedReports = 4096

    /// What the render thread said at the end of its last cycle.
    package var status: EngineStatus { handle.state.pointee.status.read() }

    /// The highest magnitudes in each channel since the last call.
    package func takePeaks() -> (left: Float, right: Float) {
        let peaks = handle.state.pointee.peaks
        return (
            Float(bitPattern: peaks[0].exchange(0, ordering: .relaxed)),
            Float(bitPattern: peaks[1].exchange(0, ordering: .relaxed))
        )
    }

    /// Seconds that a start may wait for sounds from files.
    package static let longestWaitForSounds = SoundFeeder.longestWait

    /// What has become of sounds from files since the last call.
    package func takeSoundNotices() -> [SoundNotice] { feeder.takeNotices() }

    /// What the keys that are struck from now on are tuned by, in Hz. Those that the sample rate has no room for fade out.
    package func tune(a4: Double) {
        let tuning = Tuning(a4: a4)
        for key in 0..<128 {
            let cycles = tuning.frequency(ofNote: Double(key)) / sampleRate
            handle.state.pointee.keyboard.pointee.increments[key]
                .store(cycles < Keyboard.highestFrequency ? UInt64(cycles * 0x1p64) : 0, ordering: .relaxed)
        }
    }

    /// Serial of the start, or of what was next, whose sound is current as far as is known; 0 for none.
    package var currentSerial: UInt64 { live?.serial ?? 0 }

    /// A serial for what is only going to be asked for: greater than all before it.
    package func reserveSerial() -> UInt64 { nextSerial() }

    func nextSerial() -> UInt64 {
        lastSerial += 1
        return lastSerial
    }

    /// Keeps an object until its token comes back.
    func hold(_ object: AnyObject) -> UInt {
        lastToken += 1
        held[lastToken] = object
        return lastToken
    }

    /// Renders once into nowhere, so that the first callback meets nothing for the first time.
    private func warmUp() {
        let left = UnsafeMutablePointer<Float>.allocate(capacity: 64)
        let right = UnsafeMutablePointer<Float>.allocate(capacity: 64)
        defer {
            left.deallocate()
            right.deallocate()
        }
        let patch = Patch(layers: LayerKind.allCases.map { Layer(name: $0.rawValue, kind: $0, color: .pink) })
        start(PlanCompiler.compile(patch, sampleRate: sampleRate), at: 1)
        handle.render(left: left, right: right, frames: 64, hostTime: 0)
        reset()
        handle.state.pointee.engineFrame = 0
        handle.state.pointee.published.pointee = EngineStatus()
        handle.state.pointee.measures.update(repeating: ChannelMeasure(), count: 2)
        handle.state.pointee.voltage.restart()
        handle.state.pointee.guardActions.pointee = GuardActions()
        handle.state.pointee.status.publish(UnsafePointer(handle.state.pointee.published))
        _ = takePeaks()
    }
}
