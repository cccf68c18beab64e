import OSC
import Patches
import Playback

/// The addresses of the whole sound.
enum MixerRows {
    static let all: [Row] = [
        Row(
            "master/gain", in: Input.ramped("gain", masterGain), out: "f",
            "Master level; -120 is off. The ceiling and preferences/maximumLevel limit it.",
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
            "sleep",
            in: [
                Input("seconds", .number(Quantity(0...SleepTimer.longest, "s"))),
                Input("fade", .number(Quantity(0...3600, "s")), isOptional: true), .easing,
            ], out: "ffs",
            fields: [Field("in", Quantity(0...SleepTimer.longest, "s")), Field("fade", Quantity(0...3600, "s")), Field("easing")],
            "Sleep timer: time until silence, fade time and easing; 0 cancels it.", isPatternTarget: true,
            read: { reading in
                let (sleep, defaults) = (reading.player.sleep, reading.snapshot.preferences)
                return [
                    .float(Float(reading.player.timeToSleep(at: reading.snapshot.moment))),
                    .float(Float(sleep?.fade ?? defaults.sleepFade)),
                    .string((sleep?.easing ?? defaults.sleepEasing).rawValue),
                ]
            },
            action: .commands { request in
                let defaults = request.reading.snapshot.preferences
                return [
                    .sleep(
                        in: request.number(0), fade: request.values[1] == nil ? defaults.sleepFade : request.number(1),
                        request.integer(2).map { Easing.allCases[$0] } ?? defaults.sleepEasing)
                ]
            }),
        Row(
            "sleep/norm", in: [Input("norm", .number(.norm))], out: "f", sleepCurve.summary(unit: .seconds), isPatternTarget: true,
            read: { [.float(Float(sleepCurve.norm(of: $0.player.timeToSleep(at: $0.snapshot.moment))))] },
            action: .commands { request in
                let defaults = request.reading.snapshot.preferences
                return [.sleep(in: sleepCurve.value(atNorm: request.number(0)), fade: defaults.sleepFade, defaults.sleepEasing)]
            }),
        .enabled("sleep", .sleep),
        Row(
            "tuning/a4", in: [Input("frequency", .number(Quantity(PlayerState.a4Range, "Hz")))], out: "f",
            "Frequency of A4, the A above middle C.",
            group: .mixer, isPatternTarget: true, read: { [.float(Float($0.player.a4))] }, action: .commands { [.tune(a4: $0.number(0))] }),
        .twin(of: "tuning/a4", .linear(PlayerState.a4Range), .hertz, group: .mixer, read: \.a4) { .tune(a4: $0) },
    ]

    private static let sleepCurve = NormCurve.time(60...SleepTimer.longest)
    private static let masterGain = Quantity(Parameter.off...PlayerState.highestMasterGain, "dB")
    private static let masterCurve = NormCurve.fader(-60...PlayerState.highestMasterGain)
}
