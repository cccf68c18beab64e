import Engine
import Playback

/// A start that waits until the engine has carried out the one before it. If several are requested meanwhile, only the newest is compiled
/// and sent, so that their number costs neither memory nor time.
struct WaitingStart {
    /// A start, a crossfade, or a glide.
    var change: SoundChange
    /// The state at the time of the request.
    var state: PlayerState
    /// Edits requested since then.
    var edits: [SoundChange] = []
    /// The serial that stands for the first request it replaces.
    let mark: UInt64

    /// Whether it continues from the engine's position instead of starting elsewhere.
    var isGlide: Bool { change == .glide }

    mutating func add(_ edit: SoundChange, _ state: PlayerState) {
        if edits.count < Self.editLimit {
            edits.append(edit)
        } else {
            self.state = state
            edits = []
        }
    }

    /// The maximum number of edits kept one by one; beyond it, the plan is compiled with all of them, without their ramps.
    private static let editLimit = 64
}

extension LivePerformance {
    /// Sends the waiting start once no other is pending.
    func sendWaitingStart(_ state: PlayerState) {
        guard let engine, let waiting = requests.takeWaitingStart(state, now: engine.status.engineFrame) else { return }
        engine.together {
            perform(waiting.change, waiting.state, engine)
            for edit in waiting.edits { perform(edit, state, engine) }
        }
        requests.sent(waiting)
        prepareNext(state)
    }
}
