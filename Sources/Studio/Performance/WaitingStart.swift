import Engine
import Playback

/// A start that waits until the engine has carried out the one before it. However many are asked for meanwhile, only the newest is compiled
/// and sent, so that their number costs neither memory nor time.
struct WaitingStart {
    /// A start, a crossfade, or a glide.
    var effect: Effect
    /// As it was when that was asked for.
    var state: PlayerState
    /// Edits asked for since then.
    var edits: [Effect] = []
    /// Serial that stands for the first request it takes the place of.
    let mark: UInt64

    /// It goes on where the engine is, and nowhere else.
    var isGlide: Bool { effect == .glide }

    mutating func add(_ edit: Effect, _ state: PlayerState) {
        if edits.count < Self.editLimit {
            edits.append(edit)
        } else {
            self.state = state
            edits = []
        }
    }

    /// More edits are not kept one by one: the plan is then compiled with all of them, without their ramps.
    private static let editLimit = 64
}

extension Performance {
    /// Starts under way at which another one waits: one; several where a bundle asks for it, since that has a frame to meet.
    private var startLimit: Int { commonFrame > 0 ? 8 : 1 }

    /// Puts an effect off until the start before it has been carried out.
    ///
    /// - Returns: False when there is nothing to wait for.
    func wait(with effect: Effect, _ state: PlayerState, _ engine: EngineControl) -> Bool {
        switch effect {
        case .start, .crossfade, .glide:
            guard startsUnderWay.count >= startLimit else { return false }
            let mark = waitingStart?.mark ?? engine.reserveSerial()
            note(mark)
            var effect = effect
            // Going over to the place that is waited for, in another way, is still going there.
            if effect == .glide, let waiting = waitingStart, !waiting.isGlide { effect = waiting.effect }
            waitingStart = WaitingStart(effect: effect, state: state, mark: mark)
        case .move, .moves, .course, .audibleLayers:
            guard waitingStart != nil else { return false }
            waitingStart?.add(effect, state)
        case .upcoming: return waitingStart != nil
        default: return false
        }
        return true
    }

    /// Sends the start that waited, once nothing is in its way.
    func sendWaitingStart(_ state: PlayerState) {
        guard let engine, let waiting = waitingStart, startsUnderWay.isEmpty else { return }
        waitingStart = nil
        engine.together {
            perform(waiting.effect, waiting.state, engine)
            for effect in waiting.edits { perform(effect, state, engine) }
        }
        pending.mark = pending.mark.map { min($0, waiting.mark) }
        prepareNext(state)
    }
}
