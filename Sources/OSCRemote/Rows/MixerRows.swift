import OSC
import Patches
import Playback

/// The addresses of the whole sound.
enum MixerRows {
    static let all: [Row] = [
        Row(
            "master/gain", in: Input.ramped("gain", masterGain), out: "f",
            "Master level, at most preferences/maximumLevel; -120 is off.",
            group: .mixer, isPatternTarget: true, read: { [.float(Float($0.player.masterGain))] },
            action: .commands { [.setMasterGain($0.number(0), ramp: $0.ramp(from: 1))] }),
        Row(
            "master/gain/norm", in: Input.ramped("norm", .norm), out: "f", masterCurve.summary(unit: .decibels), group: .mixer,
            isPatternTarget: true, read: { [.float(Float(masterCurve.norm(of: $0.player.masterGain)))] },
            action: .commands { [.setMasterGain(masterCurve.value(atNorm: $0.number(0)), ramp: $0.ramp(from: 1))] }),
        Row(
            "master/mute", in: [Input("muted", .flag)], out: "i", "1: the output is silent.", group: .mixer, isPatternTarget: true,
            read: { [.flag($0.player.isMasterMuted)] }, action: .commands { [.muteMaster($0.flag(0))] }),
        Row(
            "master/fade", in: [Input("seconds", .bounded(Quantity(0...86_400, "s")))],
            "Fades to silence, then stops; the gain is unchanged.",
            action: .commands { [.fadeOut(seconds: $0.number(0))] }),
        Row(
            "tuning/a4", in: [Input("frequency", .number(Quantity(PlayerState.a4Range, "Hz")))], out: "f",
            "Frequency of A4, the A above middle C.",
            group: .mixer, isPatternTarget: true, read: { [.float(Float($0.player.a4))] }, action: .commands { [.tune(a4: $0.number(0))] }),
        .twin(of: "tuning/a4", .linear(PlayerState.a4Range), .hertz, group: .mixer, read: \.a4) { .tune(a4: $0) },
    ]

    private static let masterGain = Quantity(Parameter.off...PlayerState.highestMasterGain, "dB")
    private static let masterCurve = NormCurve.fader(-60...PlayerState.highestMasterGain)
}
