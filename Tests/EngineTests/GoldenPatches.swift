import Engine
import Patches

/// What sounds in the golden samples. `ProofTests/UnoptimizedTests.swift` compiles this file once more, without any optimization.
enum GoldenPatches {
    static let frames = 65_536

    /// With an edit, which is part of them.
    static func plan(_ patch: Patch, sampleRate: Double) -> Plan {
        PlanCompiler.compile(patch, sampleRate: sampleRate)
            .applying([Setting(layer: 0, parameter: .gain, value: -30)], at: 30_000)
    }

    /// FNV-1a over the bit patterns, left and right in turn.
    static func hash(_ left: [Float], _ right: [Float], into hash: inout UInt64) {
        for (left, right) in zip(left, right) {
            for sample in [left, right] { hash = (hash ^ UInt64(sample.bitPattern)) &* 0x100_0000_01b3 }
        }
    }

    private static func single(
        _ kind: LayerKind, _ values: [Parameter: Double] = [:], color: NoiseColor = .white, chapters: [Chapter] = []
    ) -> Patch {
        Patch(layers: [Layer(name: "one", kind: kind, values: values, color: color)], chapters: chapters)
    }

    static let all: [(String, Patch)] = [
        ("tone", single(.tone, [.carrier: 440])),
        (
            "binaural",
            single(
                .binaural, [.carrier: 213.7, .beat: 7.83, .width: 0.8],
                chapters: [
                    Chapter(start: 0.2, over: 0.7, ease: .sineInOut, settings: [Setting(layer: 0, parameter: .carrier, value: 100)]),
                    Chapter(start: 0.4, over: 0.5, ease: .elasticOut, settings: [Setting(layer: 0, parameter: .gain, value: -12)]),
                    Chapter(start: 0.6, over: 0.5, ease: .circInOut, settings: [Setting(layer: 0, parameter: .pan, value: 0.7)]),
                ])
        ),
        ("monaural", single(.monaural, [.carrier: 150, .beat: 4])),
        (
            "isochronic",
            single(
                .isochronic, [.carrier: 300, .pulseRate: 12],
                chapters: [Chapter(start: 0.3, over: 0.9, ease: .linear, settings: [Setting(layer: 0, parameter: .pulseRate, value: 3)])])
        ),
        (
            "bell",
            single(
                .bell, [.carrier: 523.25, .decay: 1.5],
                chapters: [Chapter(start: 0.5, settings: [Setting(layer: 0, parameter: .gain, value: -24)])])
        ),
        ("spin", single(.spin, [.beat: 3.3, .delay: 700], color: .pink)),
        (
            "table",
            Patch(layers: [Layer(name: "one", kind: .monaural, values: [.carrier: 222], wave: .table, table: [0, 0.7, 1, 0.2, -0.4, -1])])
        ),
        ("white", single(.noise, [.correlation: 0.5], color: .white)),
        ("pink", single(.noise, [.correlation: 0.5], color: .pink)),
        ("brown", single(.noise, [.pan: -0.3], color: .brown)),
        ("blue", single(.noise, [.correlation: 0.2], color: .blue)),
        ("violet", single(.noise, [.correlation: 0.2], color: .violet)),
        ("bilateral", single(.bilateral, [.carrier: 220, .pulseRate: 3, .edge: 0.04])),
        (
            "phase",
            single(
                .phase, [.carrier: 180, .beat: 5],
                chapters: [Chapter(start: 0.3, over: 0.9, ease: .linear, settings: [Setting(layer: 0, parameter: .depth, value: 180)])])
        ),
        ("harmonicBox", single(.harmonicBox, [.carrier: 300, .beat: 9, .phase: 45])),
    ]
}
