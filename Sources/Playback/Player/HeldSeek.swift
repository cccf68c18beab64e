package enum SeekDirection: String, CaseIterable, Sendable {
    case forward, backward
}

/// A seek that continues for as long as a button is held.
package struct HeldSeek: Equatable, Sendable {
    package var direction: SeekDirection
    /// The sender that holds the button.
    var holder: String?
    var began: Moment
    var lastJump: Moment

    /// Seconds after which it ends by itself.
    static let longest = 10.0
    /// Seconds between jumps, so that each place is heard.
    static let interval = 0.2

    /// The speed after this many seconds, relative to playing: 4, doubled every two seconds up to 32.
    static func speed(after seconds: Double) -> Double {
        switch seconds {
        case ..<2: 4
        case ..<4: 8
        case ..<6: 16
        default: 32
        }
    }
}

extension Player {
    mutating func beginSeek(_ direction: SeekDirection, at moment: Moment) {
        state.heldSeek = HeldSeek(direction: direction, holder: sender, began: moment, lastJump: moment)
    }

    /// Ends the seek if the sender holds it: it released the button, or is gone.
    mutating func letGoSeek() {
        if state.heldSeek?.holder == sender { endSeek() }
    }

    private mutating func endSeek() { state.heldSeek = nil }

    mutating func advanceHeldSeek(to moment: Moment) {
        guard let seek = state.heldSeek else { return }
        let held = Double(moment.frame - seek.began.frame) / Double(state.sampleRate)
        guard held < HeldSeek.longest else { return endSeek() }
        let passed = Double(moment.frame - seek.lastJump.frame) / Double(state.sampleRate)
        guard passed >= HeldSeek.interval else { return }
        state.heldSeek?.lastJump = moment
        let distance = state.frames(passed * HeldSeek.speed(after: held)) * (seek.direction == .forward ? 1 : -1)
        let target = state.position(at: moment) + distance
        // It stops at both ends of the item: a held button must neither skip through the queue nor restart the item again and again.
        if let length = state.length, target >= length {
            endSeek()
            self.seek(to: max(0, length - state.frames(1)), at: moment)
        } else if target <= 0 {
            endSeek()
            self.seek(to: 0, at: moment)
        } else {
            self.seek(to: target, at: moment)
        }
    }
}
