import Playback

extension Control {
    /// dB for one press of + or -.
    private static let levelStep = 1.0

    func press(_ key: Key) {
        switch key {
        case .toggle: perform(.toggle)
        case .skipForward: perform(.skip(by: skipInterval))
        case .skipBackward: perform(.skip(by: -skipInterval))
        case .next: perform(.next)
        case .previous: perform(.previous)
        case .louder: perform(.setMasterGain(player.state.masterGain + Self.levelStep, ramp: nil))
        case .softer: perform(.setMasterGain(player.state.masterGain - Self.levelStep, ramp: nil))
        case .leave: quit()
        }
    }

    private var skipInterval: Double { center[.skipForward].preferredIntervals.first ?? 15 }
}
