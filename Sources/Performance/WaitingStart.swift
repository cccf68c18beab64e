import Engine
import Playback

/// A start that waits until the engine has carried out the one before it. If several are requested meanwhile, only the newest is compiled
/// and sent, so that their number costs neither memory nor time.
struct WaitingStart {
    /// A start, a crossfade, or a crossfade in place.
    var change: SoundChange
    /// The state at the time of the request.
    var state: PlayerState
    /// Edits requested since then.
    var edits: [SoundChange] = []
    /// The serial that stands for the first request it replaces.
    let mark: UInt64

    /// Whether it continues from the engine's position instead of starting elsewhere.
    var isInPlace: Bool { change == .crossfadeInPlace }

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

extension WaitingStart {
    /// Requests the start, with the edits since then, from the engine.
    func perform(by performance: LivePerformance, _ present: PlayerState, _ engine: EngineControl) {
        engine.together {
            performance.perform(change, state, engine)
            for edit in edits { performance.perform(edit, present, engine) }
        }
    }
}
