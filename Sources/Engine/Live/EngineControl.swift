import Patches
import RealTime
import Synthesis

/// The control end of an engine. One actor owns it; it outlives the last callback that renders.
///
/// Requests never fail and never block: those that the ring has no room for wait here until ``poll()`` sends them. Each has a serial, which
/// comes back in an event.
package final class EngineControl {
    /// The render end of the engine, for the audio callback.
    package let handle: RenderHandle
    package let sampleRate: Double
    package let kernel: Kernel
    /// Default length in seconds of the fades of start, stop, pause and seek.
    package var shortFade: Double

    /// The highest level that leaves the engine, linear.
    let ceiling: Double
    /// Decodes what layers play from files.
    let feeder: SoundFeeder
    /// The rings, and what has been sent over them.
    var link: RenderLink
    private var lastSerial: UInt64 = 0
    /// The latest frame requested for a start, a stop or a next plan.
    var latestFrame: EngineFrame = 0

    /// The plan that will be current once all requests made so far have been carried out; `nil` without a plan.
    package internal(set) var live: LivePlan?
    /// Plans passed to `setNext` that may still start, by serial number.
    var nextPlans: [UInt64: Plan?] = [:]
    package internal(set) var master: MasterGain

    /// Events about edits of plans that are no longer current, for the next poll.
    var abandoned: [EngineEvent] = []
    /// The serials of messages with such edits that have not been reported yet.
    var replacements: Set<UInt64> = []

    /// The delay of changes beyond the next cycle.
    var changeLead = ChangeLead()

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
        let reportRing = Ring<Report>(capacity: 2 * RenderLink.maximumExpectedReports)
        master = MasterGain(sampleRate: sampleRate)
        handle = RenderHandle(
            state: EngineMemory.make(
                sampleRate: sampleRate, kernel: self.kernel, ceiling: Float(self.ceiling),
                master: Master(track: master.track.valueTrack(), token: 0), messages: messageRing.consumer,
                reports: reportRing.producer, soundHurry: feeder.hurry, isLocked: isLocked))
        link = RenderLink(messages: messageRing.producer, reports: reportRing.consumer)
        link.holdFirst(master.track)
        tune(a4: 440)
        warmUp()
    }

    deinit { EngineMemory.free(handle.state) }

    /// Sample rates of JACK servers that the engine can run at, in Hz.
    package static let sampleRates = 8000.0...768_000

    /// The status that the render thread published at the end of its last cycle.
    package var status: EngineStatus { handle.state.pointee.status.read() }

    /// The longest time in seconds that a start may wait for sounds from files.
    package static let longestWaitForSounds = SoundFeeder.longestWait

    /// The failures and dropouts of sound files since the last call.
    package func takeSoundNotices() -> [SoundNotice] { feeder.takeNotices() }

    /// Sets the frequency of A4, in Hz, for keys struck from now on. Keys too high for the sample rate fade out.
    package func tune(a4: Double) {
        handle.state.pointee.keyboard.pointee.tune(Tuning(a4: a4), sampleRate: sampleRate)
    }

    /// Reserves a serial for a request, greater than all before it.
    package func nextSerial() -> UInt64 {
        lastSerial += 1
        return lastSerial
    }

    /// Renders once and discards the result, so that the first callback runs no code and touches no memory for the first time.
    private func warmUp() {
        let patch = Patch(layers: LayerKind.allCases.map { Layer(name: $0.rawValue, kind: $0, color: .pink) })
        start(PlanCompiler.compile(patch, sampleRate: sampleRate), at: 1)
        handle.renderUnheard(frames: 64)
        reset()
        handle.restart()
    }
}
