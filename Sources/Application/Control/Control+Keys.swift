import Playback
import Terminal

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
