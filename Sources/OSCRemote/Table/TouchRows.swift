import OSC
import Patches
import Playback

extension Row {
    /// A hand on a control; out of the reach of patterns, since it is on one.
    static let touch: [Row] =
        [
            Row(
                "touch/mode", in: [Input("mode", .choice(TouchMode.allCases.map(\.rawValue)))], out: "s",
                "What a control does when the hand is taken off: latch, it stays; return, it goes back.", group: .layers,
                isPatternTarget: true, read: { [.string($0.player.touchMode.rawValue)] },
                action: .commands { [.changeTouchMode(to: TouchMode.allCases[$0.integer(0) ?? 0])] })
        ]
        + ["touch/master/gain", "touch/master/gain/norm"].map { path in
            Row(
                path, in: [Input("held", .flag)], out: "i", "1: a hand is on the master gain; nobody else can move it. 0: let go.",
                read: { [.flag($0.player.held[.masterGain] != nil)] },
                action: .commands { [.touch(.masterGain, $0.flag(0))] })
        }
        + Parameter.allCases.flatMap { parameter in
            ["touch/layer/N/\(parameter.rawValue)", "touch/layer/N/\(parameter.rawValue)/norm"].map { path in
                Row(
                    path, in: [Input("held", .flag)], out: "i", "1: a hand is on it; chapters leave it alone, as others must. 0: let go.",
                    needs: [parameter],
                    read: { reading throws(Refusal) in
                        _ = try reading.description(of: parameter)
                        return [.flag(reading.player.held[.parameter(parameter, layer: try reading.layer().index)] != nil)]
                    },
                    action: .commands { request throws(Refusal) in
                        [.touch(.parameter(parameter, layer: try request.reading.layer().index), request.flag(0))]
                    })
            }
        }

    /// What is moved where this is set or told; nothing for what only says who has a hand where.
    func faders(layer: Int?) -> [Fader] {
        switch path {
        case "master/gain", "master/gain/norm": [.masterGain]
        default: layerPart == 1 ? needs.compactMap { parameter in layer.map { .parameter(parameter, layer: $0) } } : []
        }
    }
}
