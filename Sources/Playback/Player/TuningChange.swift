import Patches

/// Another frequency of A4 for the session. Notes of its patches move there over the default ramp, unless a patch has a tuning of its own.
struct TuningChange {
    /// In Hz.
    let a4: Double
    let moment: Moment

    func apply(to player: inout Player) {
        guard a4 != player.state.a4 else { return }
        let old = player.state.patch
        player.state.a4 = a4
        if let patch = player.state.patch, patch != old {
            for layer in patch.layersWithNotes {
                let fader = Fader.parameter(.carrier, layer: layer)
                let rest = player.state.ramps.rest(of: fader, at: moment, sampleRate: player.state.sampleRate)
                player.ask(for: .sound(.course(.carrier, layer: layer, seconds: rest)))
            }
        }
        if let following = player.state.followingIndex, player.state.items[following].patch?.layersWithNotes.isEmpty == false {
            player.ask(for: .sound(.upcoming))
        }
    }
}
