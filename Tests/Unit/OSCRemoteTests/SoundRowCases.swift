import Foundation
import OSC
import OSCRemote
import Patches
import Playback
import Testing

/// Layers and touches.
extension RowTests {
    static func together(_ layer: Int, _ values: (Parameter, Double)...) -> Command {
        .setTogether(values.map { Setting(layer: layer, parameter: $0, value: $1) })
    }

    static func set(_ layer: Int, _ parameter: Parameter, _ value: Double, ramp: Ramp? = nil) -> Command {
        .set(Setting(layer: layer, parameter: parameter, value: value), ramp: ramp)
    }

    static let layers: [Case] = [
        Case("layer/count", is: .int32(11)), Case("layer/select", is: .int32(1)),
        Case("chapter/starts", is: .float(0), .float(100), .float(300)),
        Case("layer/select", [.int32(3)], performs: .selectLayer(2)),
        Case("layer/1/name", is: .string("bed")), Case("layer/2/kind", is: .string("noise")), Case("layer/1/carrier", is: .float(200)),
        Case("layer/1/carrier", [.float(220)], performs: set(0, .carrier, 220)), Case("layer/1/beat", is: .float(10)),
        Case(
            "layer/1/beat", [.float(4), .float(10), .string("sineInOut")],
            performs: set(0, .beat, 4, ramp: Ramp(seconds: 10, easing: .sineInOut))),
        Case("layer/1/beat", [.float(4), .float(0)], performs: set(0, .beat, 4)), Case("layer/3/pulseRate", is: .float(10)),
        Case("layer/3/pulseRate", [.int64(8)], performs: set(2, .pulseRate, 8)), Case("layer/3/duty", is: .float(0.5)),
        Case("layer/3/duty", [.float(0.25)], performs: set(2, .duty, 0.25)), Case("layer/4/phase", is: .float(0)),
        Case("layer/4/phase", [.float(-90)], performs: set(3, .phase, -90)), Case("layer/1/gain", is: .float(-20)),
        Case("layer/1/gain", [.float(-30), .float(2)], performs: set(0, .gain, -30, ramp: Ramp(seconds: 2))),
        Case("layer/5/pan", is: .float(0)), Case("layer/5/pan", [.int32(-1)], performs: set(4, .pan, -1)),
        Case("layer/1/width", is: .float(1)),
        Case("layer/1/width", [.false], performs: set(0, .width, 0)), Case("layer/2/correlation", is: .float(0)),
        Case("layer/2/correlation", [.true], performs: set(1, .correlation, 1)), Case("layer/1/carrier/norm", is: .float(0.5)),
        Case("layer/1/carrier/norm", [.float(1)], performs: set(0, .carrier, 2000)), Case("layer/1/beat/norm", is: .float(0.25)),
        Case("layer/1/beat/norm", [.float(0.5)], performs: set(0, .beat, 20)), Case("layer/3/pulseRate/norm", is: .float(0.25)),
        Case("layer/3/pulseRate/norm", [.float(0.5)], performs: set(2, .pulseRate, 20)), Case("layer/3/duty/norm", is: .float(0.5)),
        Case("layer/3/duty/norm", [.float(1)], performs: set(2, .duty, 0.95)), Case("layer/1/phase/norm", is: .float(0.5)),
        Case("layer/1/phase/norm", [.float(0.75)], performs: set(0, .phase, 90)), Case("layer/2/gain/norm", is: .float(34 / 60.0)),
        Case("layer/2/gain/norm", [.float(0)], performs: set(1, .gain, -120)),
        Case("layer/2/gain/norm", [.float(0.5), .float(3)], performs: set(1, .gain, -30, ramp: Ramp(seconds: 3))),
        Case("layer/2/pan/norm", is: .float(0.5)), Case("layer/2/pan/norm", [.float(0)], performs: set(1, .pan, -1)),
        Case("layer/1/width/norm", is: .float(1)), Case("layer/1/width/norm", [.float(0.5)], performs: set(0, .width, 0.5)),
        Case("layer/2/correlation/norm", is: .float(0)),
        Case("layer/2/correlation/norm", [.float(0.5)], performs: set(1, .correlation, 0.5)),
        Case("layer/3/edge", is: .float(0.02)), Case("layer/9/edge", [.float(0.05)], performs: set(8, .edge, 0.05)),
        Case("layer/3/edge/norm", [.float(0)], performs: set(2, .edge, 0.001)),
        Case("layer/3/edge/norm", is: .float(1), after: { $0.send("layer/3/edge", .float(7)) }),
        Case("layer/8/depth", is: .float(90)), Case("layer/8/depth", [.int32(180)], performs: set(7, .depth, 180)),
        Case("layer/8/depth/norm", is: .float(0.25)), Case("layer/8/depth/norm", [.float(1)], performs: set(7, .depth, 360)),
        Case("layer/6/decay", is: .float(4)), Case("layer/6/decay", [.float(100)], performs: set(5, .decay, 60)),
        Case("layer/6/decay/norm", is: .float(0.5)), Case("layer/6/decay/norm", [.float(1)], performs: set(5, .decay, 32)),
        Case("layer/7/delay", is: .float(300)), Case("layer/7/delay", [.int32(500)], performs: set(6, .delay, 500)),
        Case("layer/7/delay/norm", is: .float(0.3)), Case("layer/7/delay/norm", [.float(0.25)], performs: set(6, .delay, 250)),
        Case("layer/11/attack", is: .float(0.02)), Case("layer/11/attack", [.float(0)], performs: set(10, .attack, 0.005)),
        Case("layer/11/attack/norm", is: .float(Float(log2(4.0) / log2(2000)))),
        Case("layer/11/attack/norm", [.float(1)], performs: set(10, .attack, 10)),
        Case("layer/11/release", is: .float(0.5)), Case("layer/11/release", [.float(100)], performs: set(10, .release, 30)),
        Case("layer/11/release/norm", is: .float(Float(log2(25.0) / log2(1500)))),
        Case("layer/11/release/norm", [.float(0)], performs: set(10, .release, 0.02)),
        Case("layer/4/note", is: .int32(69), after: { $0.send("layer/4/carrier", .float(440)) }),
        Case("layer/4/note", [.int32(57)], performs: set(3, .carrier, 220)),
        Case("layer/4/note", [.string("A3-50")], performs: set(3, .carrier, Tuning().frequency(ofNote: 56.5))),
        Case("layer/4/note", [.string("A3")], performs: set(3, .carrier, 216), after: { $0.send("tuning/a4", .float(432)) }),
        Case("layer/1/wave", is: .string("sine")), Case("layer/1/wave", [.int32(2)], performs: .changeWave(layer: 0, .square)),
        Case("layer/1/mute", is: .int32(0)), Case("layer/1/mute", [.int32(1)], performs: .mute(layer: 0, true)),
        Case("layer/1/edited", is: .int32(0)),
        Case("layer/1/edited", is: .int32(1), after: { $0.send("layer/1/beat", .float(4)) }),
        Case("layer/1/solo", is: .int32(0)),
        Case("layer/2/solo", [.true], performs: .solo(layer: 1, true)), Case("layer/1/xy", is: .float(0.25), .float(40 / 60.0)),
        Case("layer/1/xy", [.float(0.5), .float(1)], performs: together(0, (.beat, 20), (.gain, 0))),
        Case("layer/1/reset", performs: .reset(layer: 0)),
        Case("layer/selected/reset", performs: .reset(layer: 1), after: { $0.send("layer/select", .int32(2)) }),
        Case("layer/selected/name", is: .string("rain"), after: { $0.send("layer/select", .int32(2)) }),
    ]

    /// Parameters of effects, which some layers get: what they are, and what is made of a value sent and of the norm 0.5.
    private static let effectValues: [(Int, Parameter, value: Float, norm: Float, sent: Float, performed: Double, middle: Double)] = [
        (1, .pulseDepth, 1, 1, 2, 1, 0.5), (1, .amRate, 10, 0.25, 6, 6, 20), (1, .amDepth, 0.5, 0.5, -1, 0, 0.5),
        (1, .spinRate, 0.1, 0.05, -1, -1, 1), (1, .spinDepth, 0.5, 0.5, 1, 1, 0.5), (1, .spinDelay, 0, 0, 6000, 5000, 500),
        (2, .orbitRate, 0.1, 0.1, -200, -100, 0.5), (2, .distance, 1, Float(log(4.0) / log(40.0)), 0.1, 0.25, 0.25 * 40.0.squareRoot()),
    ]

    static let effects: [Case] = effectValues.flatMap { layer, parameter, value, norm, sent, performed, middle -> [Case] in
        let path = "layer/\(layer + 1)/\(parameter.rawValue)"
        return [
            Case(path, is: .float(value), after: { $0.addEffects() }),
            Case(path, [.float(sent)], performs: set(layer, parameter, performed), after: { $0.addEffects() }),
            Case("\(path)/norm", is: .float(norm), after: { $0.addEffects() }),
            Case("\(path)/norm", [.float(0.5)], performs: set(layer, parameter, middle), after: { $0.addEffects() }),
        ]
    }

    static func faders(_ layer: Int, _ parameters: Parameter...) -> [Fader] { parameters.map { .parameter($0, layer: layer) } }

    /// Each parameter of each layer that has it, by its own name and by its norm's.
    static let touch: [Case] =
        touchOfAll + touchTogether + touchOfLayers + [
            Case("touch/mode", is: .string("latch")),
            Case("touch/mode", [.string("return")], performs: .changeTouchMode(to: .return)),
            Case("touch/mode", [.int32(0)], performs: .changeTouchMode(to: .latch)),
        ]

    static let touchOfAll: [Case] = ["master/gain", "master/gain/norm", "tuning/a4", "tuning/a4/norm"].flatMap { path -> [Case] in
        let fader: Fader = path.hasPrefix("master") ? .masterGain : .a4
        return [Case("touch/\(path)", is: .int32(0)), Case("touch/\(path)", [.int32(1)], performs: .touch(fader, true))]
    }

    static let touchTogether: [Case] = [
        Case("touch/layer/1/xy", is: .int32(1), after: { $0.send("touch/layer/1/gain", .int32(1)) }),
        Case("touch/layer/1/xy", [.int32(1)], performs: .touchTogether(faders(0, .beat, .gain), true)),
        Case("touch/layer/1/xy", [.int32(0)], performs: .touchTogether(faders(0, .beat, .gain), false)),
        Case("touch/layer/4/note", is: .int32(1), after: { $0.send("touch/layer/4/carrier", .int32(1)) }),
        Case("touch/layer/4/note", [.int32(1)], performs: .touch(.parameter(.carrier, layer: 3), true)),
    ]

    static let touchOfLayers: [Case] = [
        (0, Parameter.carrier), (0, .beat), (2, .pulseRate), (2, .duty), (2, .edge), (5, .decay), (6, .delay), (7, .depth), (10, .attack),
        (10, .release), (3, .phase), (1, .pulseDepth), (1, .amRate), (1, .amDepth), (1, .spinRate), (1, .spinDepth), (1, .spinDelay),
        (2, .orbitRate), (2, .distance),
        (1, .gain), (4, .pan), (0, .width), (1, .correlation),
    ]
    .flatMap { layer, parameter -> [Case] in
        ["", "/norm"].flatMap { suffix -> [Case] in
            let path = "touch/layer/\(layer + 1)/\(parameter.rawValue)\(suffix)"
            let fader = Fader.parameter(parameter, layer: layer)
            return [
                Case(
                    path, is: .int32(1),
                    after: {
                        $0.addEffects()
                        $0.receive(.message(OSCMessage("/binaural/\(path)", [.true])))
                    }),
                Case(path, [.float(0)], performs: .touch(fader, false), after: { $0.addEffects() }),
                Case(path, [.int32(1)], performs: .touch(fader, true), after: { $0.addEffects() }),
            ]
        }
    }
}

extension TestServer {
    /// Gives the noise and the isochronic tone of the current item effects.
    func addEffects() {
        receiver.player.update {
            $0.items[0].patch?.layers[1].effects = [.pulses, .modulation, .spin, .spinDelay]
            $0.items[0].patch?.layers[2].effects = [.orbit]
        }
    }
}
