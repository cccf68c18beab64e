import OSC
import Patches
import Playback

/// The addresses for touching controls. Patterns do not match these, since a touch concerns one control.
enum TouchRows {
    static let all: [Row] =
        [
            Row(
                "touch/mode", in: [Input("mode", .choice(TouchMode.allCases.map(\.rawValue)))], out: "s",
                "Value of a control when it is released: latch keeps it, return moves it back.", group: .layers,
                isPatternTarget: true, read: { [.string($0.player.touchMode.rawValue)] },
                action: .commands { [.changeTouchMode(to: TouchMode.allCases[$0.integer(0) ?? 0])] })
        ]
        + [("master/gain", Fader.masterGain), ("master/gain/norm", .masterGain), ("tuning/a4", .a4), ("tuning/a4/norm", .a4)]
        .map { path, fader in
            Row(
                "touch/\(path)", in: [Input("held", .flag)], out: "i", "1: touched; no other peer can move it. 0: released.",
                group: reportingTopic(path, .mixer),
                read: { [.flag($0.player.held[fader] != nil)] },
                action: .commands { [.touch(fader, $0.flag(0))] })
        }
        + Parameter.allCases.flatMap { [ofLayer("\($0.rawValue)", [$0]), ofLayer("\($0.rawValue)/norm", [$0])] }
        + [ofLayer("note", [.carrier]), ofLayer("xy", [.beat, .gain])]

    /// A touch of a property is also one of its normalized twin, so only one of the two is sent.
    private static func reportingTopic(_ path: String, _ group: Topic.Group) -> Topic.Group? { path.hasSuffix("/norm") ? nil : group }

    /// - Parameter parameters: those that the control moves together.
    private static func ofLayer(_ name: String, _ parameters: [Parameter]) -> Row {
        Row(
            "touch/layer/N/\(name)", in: [Input("held", .flag)], out: "i",
            "1: touched; neither chapters nor other peers can move it. 0: released.", group: reportingTopic(name, .layers),
            needs: parameters,
            read: { reading throws(Refusal) in
                for parameter in parameters { _ = try reading.description(of: parameter) }
                let layer = try reading.layer().index
                return [.flag(parameters.contains { reading.player.held[.parameter($0, layer: layer)] != nil })]
            },
            action: .commands { request throws(Refusal) in
                let layer = try request.reading.layer().index
                let faders = parameters.map { Fader.parameter($0, layer: layer) }
                return [faders.count == 1 ? .touch(faders[0], request.flag(0)) : .touchTogether(faders, request.flag(0))]
            })
    }
}

extension Row {
    /// The faders that this row sets or reports; empty for rows that report touches.
    func faders(layer: Int?) -> [Fader] {
        switch path {
        case "master/gain", "master/gain/norm": [.masterGain]
        case "tuning/a4", "tuning/a4/norm": [.a4]
        default: layerPart == 1 ? needs.compactMap { parameter in layer.map { .parameter(parameter, layer: $0) } } : []
        }
    }
}
