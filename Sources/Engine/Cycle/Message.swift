// The messages and reports between control and render thread: plain values in rings.

import Synthesis

/// A request to the render thread.
struct Message: BitwiseCopyable, Sendable {
    var serial: UInt64
    var atFrame: EngineFrame
    var action: Action

    /// The change that is requested.
    enum Action: BitwiseCopyable, Sendable {
        /// Fades out what is current, fades this plan in, and drops the next one. If `keepsPlanFade`, a plan that begins at its plan frame
        /// 0 is faded in by its plan alone.
        case start(PlayablePlan, Beginning, FadeLength, keepsPlanFade: Bool)
        /// Fades out everything. A panic also ends keys, and cancels starts that wait for their frame.
        case stop(FadeLength, isPanic: Bool)
        /// Sets the plan that begins when the current one ends, or `crossfade` frames before; `nil` for none.
        case setNext(PlayablePlan?, crossfade: Int64)
        /// Replaces the plan of the playhead that the request `playhead` has started, unless it is beyond a plan frame.
        case replace(PlanReference, playhead: UInt64, until: PlanFrame)
        /// Replaces the master gain, unless the engine is beyond a frame.
        case setMaster(Master, until: EngineFrame)
    }

    /// The plan frame at which playback begins.
    enum Beginning: BitwiseCopyable, Sendable {
        case at(PlanFrame)
        /// The place that it has reached if its frame 0 was rendered at this engine frame; its frame 0 before that.
        case origin(EngineFrame)

        /// The plan frame that it begins with at an engine frame.
        @_noLocks @_noAllocation
        func planFrame(at frame: EngineFrame) -> PlanFrame {
            switch self {
            case .at(let planFrame): planFrame
            case .origin(let origin): max(frame.planFrame(origin: origin), 0)
            }
        }
    }

    /// Whether it changes what plays already, with the frame up to which it may do so, and can therefore overtake requests before it.
    var isChange: Bool {
        switch action {
        case .replace, .setMaster: true
        case .start, .stop, .setNext: false
        }
    }

    /// The objects that it lends to the render thread, each of which comes back in a report.
    var objectCount: Int {
        switch action {
        case .start, .setNext(.some, _): 2
        case .replace, .setMaster: 1
        case .stop, .setNext(.none, _): 0
        }
    }
}

/// How a plan fades in or out.
struct FadeLength: BitwiseCopyable, Sendable {
    /// The length in frames; 0 for no fade.
    var frames: Int64
    var shape: Fade.Shape

    /// A smooth fade, or from 0.1 s on one of equal power.
    init(seconds: Double, sampleRate: Double) {
        frames = Frames.count(of: max(seconds, 0), sampleRate: sampleRate)
        shape = seconds < 0.1 ? .smooth : .equalPower
    }
}

/// Master gain in engine frames.
struct Master: BitwiseCopyable, @unchecked Sendable {
    // SAFETY: as for `PlanReference`.
    var track: ValueTrack
    var token: UInt
}

/// A report from the render thread.
enum Report: BitwiseCopyable, Sendable {
    /// A message was carried out. `position` is that of the playhead that is current after a start, or was before any other message.
    case landed(serial: UInt64, at: EngineFrame, position: PlanFrame?)
    /// A message was not carried out, because it came too late or was cancelled.
    case refused(serial: UInt64)
    /// The next plan has begun; `serial` is that of its setNext.
    case advanced(serial: UInt64, at: EngineFrame)
    /// The current plan, which the message of that serial started, has ended, and none was next.
    case ended(serial: UInt64, at: EngineFrame)
    /// The object of that token is no longer used.
    case retired(token: UInt)
}
