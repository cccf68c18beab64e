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
    /// The number of pending starts at which another one has to wait: one, or several in a bundle, which has a frame to meet.
    private var startLimit: Int { commonFrame > .asSoonAsPossible ? 8 : 1 }

    /// Defers a change until the start before it has been carried out.
    ///
    /// - Returns: False if there is nothing to wait for.
    func wait(with change: SoundChange, _ state: PlayerState, _ engine: EngineControl) -> Bool {
        switch change {
        case .start, .crossfade, .glide:
            guard startsUnderWay.count >= startLimit else { return false }
            let mark = waitingStart?.mark ?? engine.reserveSerial()
            note(mark)
            var change = change
            // A glide while a start to another place waits is still that start, with the new state.
            if change == .glide, let waiting = waitingStart, !waiting.isGlide { change = waiting.change }
            waitingStart = WaitingStart(change: change, state: state, mark: mark)
        case .move, .moves, .course, .audibleLayers:
            guard waitingStart != nil else { return false }
            waitingStart?.add(change, state)
        case .upcoming: return waitingStart != nil
        case .silence, .master, .masterWhenSilent, .fadeMaster: return false
        }
        return true
    }

    /// Sends the waiting start once no other is pending.
    func sendWaitingStart(_ state: PlayerState) {
        guard let engine, var waiting = waitingStart, startsUnderWay.isEmpty else { return }
        waitingStart = nil
        // A transport that is followed by now decides where it starts; its edits are in the newer state.
        if waiting.state.transportMode != state.transportMode { (waiting.state, waiting.edits) = (state, []) }
        engine.together {
            perform(waiting.change, waiting.state, engine)
            for edit in waiting.edits { perform(edit, state, engine) }
        }
        pending.mark = pending.mark.map { min($0, waiting.mark) }
        prepareNext(state)
    }
}
