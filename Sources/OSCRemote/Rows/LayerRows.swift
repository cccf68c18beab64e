import OSC
import Patches
import Playback

/// The addresses of the current item's layers.
enum LayerRows {
    static let all: [Row] =
        [
            Row("layer/count", out: "i", "Number of layers of the current item.", group: .layers, isPatternTarget: true) {
                [.count($0.player.layerCount)]
            },
            Row(
                "layer/select", in: [Input("layer", .index(0...Patch.maximumLayerCount))], out: "i",
                "Number of the selected layer, from 1 (0: no layers); layer/selected/… addresses it.", group: .layers,
                isPatternTarget: true,
                read: { [.count($0.player.layerCount > 0 ? $0.player.selectedLayer + 1 : 0)] },
                action: .commands { [.selectLayer(($0.integer(0) ?? 0) - 1)] }),
            Row(
                "chapter/starts", out: "f…", as: Quantity(0...31_536_000, "s"),
                "Starts of the current item's chapters, the first 64; a single 0 if it has none.", group: .layers, isPatternTarget: true
            ) { reading in
                let starts = reading.player.patch?.chapters.prefix(64).map { OSCArgument.float(Float($0.start)) } ?? []
                return starts.isEmpty ? [.float(0)] : starts
            },
            Row(
                "chapter/list", in: [.press], "Answers chapter/item with index, start, title for the first 256; then chapter/end.",
                role: .view,
                action: .exchange(
                    .list("chapter") { reading in
                        (reading.player.patch?.chapters ?? []).prefix(256).enumerated().map {
                            [.count($0 + 1), .float(Float($1.start)), .text($1.title)]
                        }
                    })),
            Row("layer/N/name", out: "s", "Name of the layer.", group: .layers, isPatternTarget: true) { reading throws(Refusal) in
                [.text(try reading.layer().layer.name)]
            },
            Row("layer/N/kind", out: "s", "Kind of the layer, which determines its parameters.", group: .layers, isPatternTarget: true) {
                reading throws(Refusal) in [.string(try reading.layer().layer.kind.rawValue)]
            },
        ]
        + Parameter.allCases.flatMap { parameter in
            LayerKind.allCases.lazy.flatMap(\.possibleParameters).first { $0.parameter == parameter }.map(rows) ?? []
        }
        + [
            Row(
                "layer/N/note", in: [Input("note", .note)], out: "i", as: Quantity(0...127),
                "Carrier as the nearest MIDI note; set by number or name (A3, C#4) in the tuning.", group: .layers,
                isPatternTarget: true, needs: [.carrier],
                read: { reading throws(Refusal) in
                    let note = reading.player.tuning.note(ofFrequency: try reading.value(of: .carrier))
                    return [.int32(Int32(note.rounded().clamped(to: 0...127)))]
                },
                action: .commands { request throws(Refusal) in
                    let index = try request.reading.layer().index
                    let carrier = request.reading.player.tuning.frequency(ofNote: request.number(0))
                    return [.set(Setting(layer: index, parameter: .carrier, value: carrier), ramp: nil)]
                }),
            Row(
                "layer/N/wave", in: [Input("wave", .choice(Waveform.allCases.map(\.rawValue)))], out: "s",
                "Waveform of the tones: sine, triangle, square, sawtooth, or table if the patch has one.", group: .layers,
                isPatternTarget: true, needs: [.carrier],
                read: { reading throws(Refusal) in
                    let (index, layer) = try reading.layer()
                    guard layer.kind.description(of: .carrier) != nil else {
                        throw Refusal(.notSupported, "\(layer.kind.withArticle) layer has no wave.")
                    }
                    return [.string((reading.player.wave(ofLayer: index) ?? .sine).rawValue)]
                },
                action: .commands { request throws(Refusal) in
                    [.changeWave(layer: try request.reading.layer().index, Waveform.allCases[request.integer(0) ?? 0])]
                }),
            Row(
                "layer/N/mute", in: [Input("muted", .flag)], out: "i", "1: the layer is silent.", group: .layers, isPatternTarget: true,
                read: { reading throws(Refusal) in
                    let index = try reading.layer().index
                    return [.flag(reading.player.current?.mutedLayers.contains(index) ?? false)]
                },
                action: .commands { request throws(Refusal) in [.mute(layer: try request.reading.layer().index, request.flag(0))] }),
            Row(
                "layer/N/solo", in: [Input("soloed", .flag)], out: "i", "1: only soloed layers are heard.", group: .layers,
                isPatternTarget: true,
                read: { reading throws(Refusal) in
                    let index = try reading.layer().index
                    return [.flag(reading.player.soloedLayers.contains(index))]
                },
                action: .commands { request throws(Refusal) in [.solo(layer: try request.reading.layer().index, request.flag(0))] }),
            Row(
                "layer/N/edited", out: "i", "1: live edits, its wave or changed chapters and cues differ from the patch.", group: .layers,
                isPatternTarget: true
            ) { reading throws(Refusal) in
                let index = try reading.layer().index
                return [.flag(reading.player.current?.isEdited(layer: index) ?? false)]
            },
            Row(
                "layer/N/xy", in: [Input("beat", .number(.norm)), Input("gain", .number(.norm))], out: "ff",
                fields: [Field("beat"), Field("gain")], "Beat and gain, each from 0 to 1 on its norm's curve.", group: .layers,
                isPatternTarget: true, needs: [.beat, .gain],
                read: { reading throws(Refusal) in [try reading.norm(of: .beat), try reading.norm(of: .gain)] },
                action: .commands { request throws(Refusal) in
                    [
                        .setTogether([
                            try request.setting(.beat, toNorm: request.number(0)), try request.setting(.gain, toNorm: request.number(1)),
                        ])
                    ]
                }),
            Row(
                "layer/N/reset", in: [.press], "Discards the live edits of the layer; a pattern does so only with an argument.",
                isPatternTarget: true,
                action: .commands { request throws(Refusal) in [.reset(layer: try request.reading.layer().index)] }),
        ]

    private static func normSummary(_ description: ParameterDescription) -> String {
        description.norm == .linear(description.range) && description.range == 0...1
            ? "The same as \(description.parameter.rawValue)." : description.norm.summary(unit: description.unit)
    }

    /// The rows of a parameter: in its unit, and normalized.
    private static func rows(_ description: ParameterDescription) -> [Row] {
        let parameter = description.parameter
        let path = "layer/N/\(parameter.rawValue)"
        return [
            Row(
                path, in: Input.ramped(parameter.rawValue, Quantity(description.range, description.unit.rawValue)), out: "f",
                description.summary,
                group: .layers, isPatternTarget: true, needs: [parameter],
                read: { reading throws(Refusal) in [.float(Float(try reading.value(of: parameter)))] },
                action: .commands { request throws(Refusal) in
                    [
                        .set(
                            Setting(layer: try request.reading.layer().index, parameter: parameter, value: request.number(0)),
                            ramp: request.ramp(from: 1))
                    ]
                }),
            Row(
                "\(path)/norm", in: Input.ramped("norm", .norm), out: "f", normSummary(description), group: .layers,
                isPatternTarget: true, needs: [parameter],
                read: { reading throws(Refusal) in [try reading.norm(of: parameter)] },
                action: .commands { request throws(Refusal) in
                    [.set(try request.setting(parameter, toNorm: request.number(0)), ramp: request.ramp(from: 1))]
                }),
        ]
    }
}

extension Reading {
    fileprivate func norm(of parameter: Parameter) throws(Refusal) -> OSCArgument {
        .float(Float(try description(of: parameter).norm.norm(of: try value(of: parameter))))
    }
}

extension OSCRequest {
    fileprivate func setting(_ parameter: Parameter, toNorm norm: Double) throws(Refusal) -> Setting {
        let value = try reading.description(of: parameter).norm.value(atNorm: norm)
        return Setting(layer: try reading.layer().index, parameter: parameter, value: value)
    }
}

extension NormCurve {
    /// The curve in words, for `describe` and the docs.
    func summary(unit: Unit) -> String {
        let suffix = unit.rawValue.isEmpty ? "" : " \(unit.rawValue)"
        switch self {
        case .linear(let range):
            return
                "0 to 1 is \(NumberText.string(from: range.lowerBound)) to \(NumberText.string(from: range.upperBound))\(suffix), linear."
        case .exponential(let range):
            return
                "0 to 1 is \(NumberText.string(from: range.lowerBound)) to \(NumberText.string(from: range.upperBound))\(suffix), logarithmic."
        case .time(let range):
            return
                "0 is 0\(suffix); above it \(NumberText.string(from: range.lowerBound)) to \(NumberText.string(from: range.upperBound))\(suffix), logarithmic."
        case .fader(let range):
            return
                "0 is off; above it \(NumberText.string(from: range.lowerBound)) to \(NumberText.string(from: range.upperBound))\(suffix), linear."
        }
    }
}
