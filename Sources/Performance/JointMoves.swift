import Engine
import Patches
import Playback

/// Parameters that are set together, each over its default ramp, except for gains that rise slowly.
struct JointMoves {
    let settings: [Setting]
    /// The ramps of those gains, by the layer.
    let rises: [Int: Ramp]

    /// Requests all of them for the same frame.
    ///
    /// - Returns: The serial of the last request; `nil` if nothing is current.
    func request(_ engine: EngineControl, atFrame: EngineFrame) -> UInt64? {
        var serial: UInt64?
        engine.together {
            serial = engine.edit(settings.filter { ramp(of: $0) == nil }, atFrame: atFrame)
            for setting in settings {
                guard let ramp = ramp(of: setting) else { continue }
                serial = engine.edit([setting], ramp: ramp.seconds, easing: ramp.easing, atFrame: atFrame)
            }
        }
        return serial
    }

    private func ramp(of setting: Setting) -> Ramp? { setting.parameter == .gain ? rises[setting.layer] : nil }
}
