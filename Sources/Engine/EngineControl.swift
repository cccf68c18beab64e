import Patches
import RealTime
import Synthesis

/// The control end of an engine. One actor owns it; it outlives the last callback that renders.
///
/// Requests never fail and never block: those that the ring has no room for wait here until ``poll()`` sends them. Each has a serial, which
/// comes back in an event.
package final class EngineControl {
    /// For the audio callback.
    package let handle: RenderHandle
    package let sampleRate: Double
    package let kernel: Kernel
    /// Default length in seconds of the fades of start, stop, pause and seek.
    package var shortFade: Double

    /// Highest level that leaves the engine, linear.
    let ceiling: Double
    /// Decodes what layers play from files.
    let feeder: SoundFeeder
    var messages: RingProducer<Message>
    var reports: RingConsumer<Report>
    /// Messages that wait for room, or for the end of ``together(_:)``.
    var backlog: [Message] = []
    var isCollecting = false
    /// Objects that the render thread has been given and has not returned, by token.
    var held: [UInt: AnyObject] = [:]
    private var lastToken: UInt = 0
    private var lastSerial: UInt64 = 0
    /// Reports that may still come for messages that went out.
    var expectedReports = 0
    /// Serials of messages for a later frame that went out.
    var scheduled: Set<UInt64> = []
    /// The latest frame requested for a start, a stop or a next plan.
    var latestFrame: EngineFrame = 0

    /// What is current according to the requests made so far; `nil` if nothing is.
    var live: Live?
    /// Plans passed to `setNext` that may still start, by serial number.
    var nextPlans: [UInt64: Plan?] = [:]
    /// Master gain in dB over engine frames.
    var master: Revisions<ParameterTrack>
    /// Tracks of the master gain that are on their way, by serial.
    var masterTracks: [UInt64: ParameterTrack] = [:]

    /// Events about edits of plans that are no longer current, for the next poll.
    var abandoned: [EngineEvent] = []
    /// Serials of their messages, about which reports may still come.
    var replacements: Set<UInt64> = []

    /// Frames by which changes are delayed beyond the next cycle: some if compiling them takes too long for the render thread, many under
    /// freewheel.
    var extraLead: Int64 = 0
    /// Changes that have landed since one came too late, or since ``extraLead`` was last shortened.
    var landedInTime = 0

    struct Live {
        /// Serial of the `start` or `setNext` that it came from.
        var serial: UInt64
        var plan: Revisions<PlanDraft>
        /// When the plan's frame 0 is rendered; `nil` until that is known.
        var origin: EngineFrame?
        /// The requested frame of its start; `nil` once it has begun, or if no frame was requested.
        var startsAt: EngineFrame?
        /// The drafts behind the plans that are on their way to the callback, by serial number.
        var drafts: [UInt64: PlanDraft] = [:]
        /// Edits made before its origin was known, or while enough plans are on their way; they are sent together in one plan.
        var queued: [(serial: UInt64, atFrame: EngineFrame, slot: Slot?, edit: Edit)] = []

        /// The target of an edit that changes only one thing.
        enum Slot: Equatable {
            case value(Parameter, layer: Int)
            case course(Parameter, layer: Int)
            case muted

            /// Whether this edit overrides an earlier one entirely. A value does not override a course, since it is set on that course.
            func covers(_ other: Slot) -> Bool {
                if case .course(let parameter, let layer) = self, other == .value(parameter, layer: layer) { return true }
                return self == other
            }
        }
    }

    /// Plans with edits that may be on their way at a time, so that a flood of edits costs little time and memory.
    static let maximumPlansInFlight = 4

    /// A change to a plan from a frame on; frames before `forgotten` are no longer needed.
    typealias Edit = (inout PlanDraft, _ frame: PlanFrame, _ forgotten: PlanFrame) -> Void

    /// - Parameters:
    ///   - ceiling: Highest level that leaves the engine, in dBFS, 0 at most.
    ///   - shortFade: Default length of fades, in seconds.
    ///   - sounds: Opens sound files; without it they are silent.
    ///   - serial: The serials of requests count on from this one, so that those of an engine before it are smaller.
    package convenience init(
        sampleRate: Double, kernel: Kernel = .best, ceiling: Double = -6, shortFade: Double = 0.02, sounds: SoundOpener? = nil,
        serialsAfter serial: UInt64 = 0
    ) {
        self.init(
            sampleRate: sampleRate, kernel: kernel, ceiling: ceiling, shortFade: shortFade,
            feeder: SoundFeeder(sounds, sampleRate: sampleRate, hasThread: true), isLocked: true)
        lastSerial = serial
    }

    init(sampleRate: Double, kernel: Kernel, ceiling: Double, shortFade: Double = 0.02, feeder: SoundFeeder, isLocked: Bool) {
        precondition(sampleRate > 0 && sampleRate.isFinite, "The sample rate must be a finite number above 0, in Hz.")
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

    /// The ring of reports holds twice as many, since each plan that begins can cause two more.
    static let maximumExpectedReports = 4096

    /// The status that the render thread published at the end of its last cycle.
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

    /// Failures and dropouts of sound files since the last call.
    package func takeSoundNotices() -> [SoundNotice] { feeder.takeNotices() }

    /// Sets the frequency of A4, in Hz, for keys struck from now on. Keys too high for the sample rate fade out.
    package func tune(a4: Double) {
        let tuning = Tuning(a4: a4)
        for key in 0..<128 {
            let cycles = tuning.frequency(ofNote: Double(key)) / sampleRate
            handle.state.pointee.keyboard.pointee.increments[key]
                .store(cycles < Keyboard.highestFrequency ? UInt64(cycles * 0x1p64) : 0, ordering: .relaxed)
        }
    }

    /// Serial of the `start` or `setNext` whose sound is current, as far as is known; 0 for none.
    package var currentSerial: UInt64 { live?.serial ?? 0 }

    /// Reserves a serial for a later request, greater than all before it.
    package func reserveSerial() -> UInt64 { nextSerial() }

    func nextSerial() -> UInt64 {
        lastSerial += 1
        return lastSerial
    }

    /// Keeps an object alive until the render thread returns its token.
    func hold(_ object: AnyObject) -> UInt {
        lastToken += 1
        held[lastToken] = object
        return lastToken
    }

    /// Renders once and discards the result, so that the first callback runs no code and touches no memory for the first time.
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
