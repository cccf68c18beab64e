import POSIX
import Playback

extension Control {
    /// The change in dB for one press of + or -.
    private static let levelStep = 1.0

    func press(_ key: Key) {
        switch key {
        case .toggle: perform(.toggle)
        case .skipForward: perform(.skipForward(by: center.skipInterval))
        case .skipBackward: perform(.skipBackward(by: center.skipInterval))
        case .next: perform(.next)
        case .previous: perform(.previous)
        case .louder: perform(.setMasterGain(player.state.masterGain + Self.levelStep, ramp: nil))
        case .softer: perform(.setMasterGain(player.state.masterGain - Self.levelStep, ramp: nil))
        case .leave: quit()
        }
    }
}

/// The one-button remote, whose clock runs on while the render clock stands still.
extension Control {
    func press(_ isDown: Bool, from sender: String?, _ answer: @escaping (CommandResult) -> Void) {
        // Its commands are performed after it was stored back, since one of them may press it.
        var button = button
        button.take(
            isDown: isDown, from: sender, at: MonotonicClock.seconds, preferencesKeeper.preferences.values, answer: answer
        ) { perform($0, from: $1, answer: $2) }
        self.button = button
    }

    func advanceButton() {
        var button = button
        button.advance(to: MonotonicClock.seconds) { perform($0, from: $1, answer: $2) }
        self.button = button
    }
}
