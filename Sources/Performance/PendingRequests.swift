import Engine
import Playback

/// The requests to the engine that it has not yet reported: the last start or silence, and a start that waits for those before it.
struct PendingRequests {
    /// The serial of the last request.
    private(set) var lastSerial: UInt64 = 0
    /// The serial of the last reported request.
    private var landedSerial: UInt64 = 0
    /// The last start or silence.
    private(set) var pending = PendingStart()
    /// Serials of starts that were sent and not yet reported.
    private var startsUnderWay: Set<UInt64> = []
    /// The start to send when those have been reported.
    private var waitingStart: WaitingStart?
    /// The frame at which the last crossfade in place ends. The next one waits for it: a stream of changes would otherwise keep several plans
    /// in memory.
    private var inPlaceEnd = EngineFrame.asSoonAsPossible

    /// The number of pending starts of a bundle, which has a frame to meet, at which another one has to wait.
    private static let bundleLimit = 8

    /// Whether a start or a silence is pending.
    var isSettling: Bool { pending.kind != nil || waitingStart != nil }

    /// Whether no start to another place waits.
    var staysInPlace: Bool { waitingStart?.isInPlace ?? true }

    /// Whether all requests up to a serial have been reported.
    func hasLanded(_ mark: UInt64) -> Bool {
        landedSerial >= mark && (pending.mark ?? .max) > mark && (waitingStart?.mark ?? .max) > mark
    }

    /// Whether the engine's own advance still agrees with the player: nothing was started meanwhile, and the player was not sent elsewhere
    /// while a silence is pending.
    func isMeant(in state: PlayerState) -> Bool {
        guard waitingStart == nil else { return false }
        return pending.kind == nil || pending.kind == .silence && pending.isStillMeant(in: state)
    }

    // MARK: Sent

    /// Records the serial of a request.
    mutating func record(_ serial: UInt64?) {
        if let serial { lastSerial = max(lastSerial, serial) }
    }

    /// Records a start or a silence, which also replaces the start that waited.
    mutating func began(_ serial: UInt64, _ kind: PendingStart.Kind, _ state: PlayerState) {
        record(serial)
        let mark = min(waitingStart?.mark ?? serial, serial)
        waitingStart = nil
        pending = PendingStart(serial: serial, mark: mark, kind: kind, item: state.currentIndex, position: state.anchor.position)
        if kind == .start { startsUnderWay.insert(serial) }
    }

    /// Records that the player did not ask for the last silence: its report says nothing about the player's position.
    mutating func disownSilence() { pending.item = nil }

    /// The length of a crossfade in place in seconds.
    static let crossfadeInPlaceSeconds = 0.05

    /// Records that the last start is a crossfade in place, and the frame at which it begins.
    mutating func recordCrossfadeInPlace(from frame: EngineFrame, sampleRate: Double) {
        inPlaceEnd = frame + Int64(Self.crossfadeInPlaceSeconds * sampleRate)
    }

    /// Drops all requests: they will not be reported.
    mutating func drop() {
        pending = PendingStart()
        startsUnderWay = []
        waitingStart = nil
        inPlaceEnd = .asSoonAsPossible
        landedSerial = lastSerial
    }

    // MARK: Waiting

    /// Defers a change until the start before it has been carried out.
    ///
    /// - Returns: False if there is nothing to wait for.
    mutating func wait(with change: SoundChange, _ state: PlayerState, isInBundle: Bool, _ engine: EngineControl) -> Bool {
        switch change {
        case .start, .crossfade, .crossfadeInPlace:
            let isCrossfading = change == .crossfadeInPlace && engine.status.engineFrame < inPlaceEnd
            guard startsUnderWay.count >= (isInBundle ? Self.bundleLimit : 1) || isCrossfading && !isInBundle else { return false }
            let mark = waitingStart?.mark ?? engine.nextSerial()
            record(mark)
            var change = change
            // A crossfade in place while a start to another place waits is still that start, with the new state.
            if change == .crossfadeInPlace, let waiting = waitingStart, !waiting.isInPlace { change = waiting.change }
            waitingStart = WaitingStart(change: change, state: state, mark: mark)
        case .move, .moves, .course, .audibleLayers:
            guard waitingStart != nil else { return false }
            waitingStart?.add(change, state)
        case .upcoming: return waitingStart != nil
        case .silence, .master, .fadedMaster, .loweredMaster, .masterWhenSilent, .fadeMaster: return false
        }
        return true
    }

    /// Removes and returns the waiting start once no other is pending, and a crossfade in place once the one before it has ended.
    mutating func takeWaitingStart(_ state: PlayerState, now: EngineFrame) -> WaitingStart? {
        guard var waiting = waitingStart, startsUnderWay.isEmpty, !waiting.isInPlace || now >= inPlaceEnd else { return nil }
        waitingStart = nil
        // A transport that is followed by now decides where it starts; its edits are in the newer state.
        if waiting.state.transportMode != state.transportMode { (waiting.state, waiting.edits) = (state, []) }
        return waiting
    }

    /// Records that a waiting start was sent: what is pending now also stands for the requests that it replaced. A crossfade in place without
    /// memory leaves nothing pending, and nobody waits for it.
    mutating func sent(_ waiting: WaitingStart) {
        if pending.kind == nil { settle(waiting.mark) }
        pending.mark = pending.mark.map { min($0, waiting.mark) }
    }

    // MARK: Reported

    /// Records a report.
    ///
    /// - Returns: The start or silence that it ends, if any.
    mutating func landed(_ serial: UInt64) -> PendingStart? {
        settle(serial)
        guard serial == pending.serial else { return nil }
        defer { pending = PendingStart() }
        return pending
    }

    /// Records a request that has been carried out, or refused: it will never be heard, so nothing has to wait for it.
    mutating func settle(_ serial: UInt64) {
        landedSerial = max(landedSerial, serial)
        startsUnderWay.remove(serial)
    }

    /// The engine advanced to another item: a pending pause applies to the item that sounds.
    mutating func advanced(to state: PlayerState) {
        guard pending.kind == .silence else { return }
        pending.item = state.currentIndex
        pending.position = state.anchor.position
    }
}

/// The start or silence that was last requested from the engine and is not yet carried out.
struct PendingStart {
    enum Kind { case start, silence }
    var serial: UInt64?
    /// The serial of the first request that it stands for.
    var mark: UInt64?
    var kind: Kind?
    /// The player's item at the time of the request; `nil` for a silence that the player did not ask for.
    var item: Int?
    var position: Int64 = 0

    func isStillMeant(in state: PlayerState) -> Bool {
        kind == .start || (state.currentIndex == item && state.anchor.position == position)
    }
}
