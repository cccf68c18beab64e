import Engine
import Patches
import TestSupport
import Testing

/// Every sound here starts and ends in silence, so that anything above 2 kHz in a tone of 200 Hz comes from its changes.
@Suite("Nothing clicks: at most -100 dB above 2 kHz for a tone of 200 Hz")
struct ClickTests {
    private let tone = Patch.single(.tone, [.carrier: 200, .gain: -20])

    private func expectNoClick(_ engine: TestEngine, sourceLocation: SourceLocation = #_sourceLocation) {
        let level = peakAbove(2000, in: engine.spectrumInput, sampleRate: 48_000)
        #expect(level < -100, sourceLocation: sourceLocation)
        #expect(engine.left.contains { abs($0) > 0.05 }, "there was a sound", sourceLocation: sourceLocation)
    }

    @Test("Starting, stopping, and stopping during the fade-in do not click")
    func startAndStop() {
        for length in [100, 500, 900, 6000] {
            let engine = TestEngine(kernel: .best)
            engine.run(640)
            engine.control.start(engine.compile(tone), at: 12_345)
            engine.run(length)
            engine.control.stop()
            engine.run(4000)
            if length < 900 {
                #expect(peakAbove(2000, in: engine.spectrumInput, sampleRate: 48_000) < -100)
            } else {
                expectNoClick(engine)
            }
            #expect(!engine.control.status.isSounding)
        }
    }

    @Test("Consecutive seeks, and a panic during them, do not click")
    func seeks() {
        let engine = TestEngine(kernel: .best)
        let plan = engine.compile(tone)
        engine.run(640)
        engine.control.start(plan)
        engine.run(3000)
        for position in [40_001, 90_077, 7, 123_456] {
            engine.control.start(plan, at: PlanFrame(Int64(position)))
            engine.run(500)
        }
        engine.control.stop(fade: 0.03, isPanic: true)
        engine.run(4000)
        expectNoClick(engine)
        #expect(!engine.control.status.isSounding)
    }

    @Test("Sudden changes of level and frequency, and muting and unmuting layers, do not click")
    func jumps() {
        let engine = TestEngine(kernel: .best)
        engine.run(640)
        engine.control.start(engine.compile(tone))
        engine.run(3000)
        for (parameter, value) in [
            (Parameter.carrier, 300.0), (.gain, -60), (.gain, -14), (.carrier, 200), (.gain, -120), (.gain, -20), (.carrier, 250),
            (.pan, 0.9),
            (.pan, -1), (.phase, 180),
        ] {
            engine.control.edit([Setting(layer: 0, parameter: parameter, value: value)])
            engine.run(1700)
        }
        engine.control.mute([0])
        engine.run(500)
        engine.control.mute([])
        engine.run(3000)
        engine.control.setMaster(-30)
        engine.run(500)
        engine.control.setMaster(0)
        engine.run(2000)
        engine.control.stop()
        engine.run(4000)
        expectNoClick(engine)
    }

    @Test("A fader that moves a hundred or a thousand times a second does not click")
    func faderStreams() {
        var generator = SeededGenerator(seed: 3)
        for interval in [48, 480] {
            let engine = TestEngine(cycle: 48, kernel: .best)
            engine.run(960)
            engine.control.start(engine.compile(tone))
            engine.run(3000)
            var gain = -20.0
            var carrier = 200.0
            for _ in 0..<(24_000 / interval) {
                gain = min(max(gain + .random(in: -4...4, using: &generator), -60), -12)
                carrier = min(max(carrier + .random(in: -10...10, using: &generator), 150), 300)
                engine.control.edit([
                    Setting(layer: 0, parameter: .gain, value: gain), Setting(layer: 0, parameter: .carrier, value: carrier),
                ])
                engine.run(interval)
            }
            engine.run(3000)
            engine.control.stop()
            engine.run(4000)
            expectNoClick(engine)
        }
    }

    @Test("Chapters with and without a length, interrupted by other chapters and by edits, do not click")
    func chapters() {
        var patch = Patch.single(.tone, [.carrier: 200, .gain: -20], duration: 1.5)
        patch.chapters = [
            Chapter(start: 0.2, settings: [Setting(layer: 0, parameter: .carrier, value: 300)]),
            Chapter(start: 0.3, settings: [Setting(layer: 0, parameter: .gain, value: -40)]),
            Chapter(start: 0.4, over: 0.2, ease: .linear, settings: [Setting(layer: 0, parameter: .gain, value: -15)]),
            Chapter(start: 0.5, over: 0.001, ease: .expoIn, settings: [Setting(layer: 0, parameter: .carrier, value: 200)]),
            Chapter(start: 0.55, over: 0.3, ease: .sineInOut, settings: [Setting(layer: 0, parameter: .gain, value: -30)]),
            Chapter(start: 0.9, over: 0.2, ease: .cubicOut, settings: [Setting(layer: 0, parameter: .gain, value: -20)]),
        ]
        let engine = TestEngine(kernel: .best)
        engine.control.start(engine.compile(patch))
        engine.run(29_000)
        engine.control.edit([Setting(layer: 0, parameter: .gain, value: -18)])
        engine.run(60_000)
        expectNoClick(engine)
    }

    @Test("A crossfade into the next item, and a gap in the callbacks, do not click")
    func nextAndGap() {
        var patch = tone
        patch.duration = 0.5
        let engine = TestEngine(kernel: .best)
        engine.control.start(engine.compile(patch))
        engine.control.setNext(engine.compile(tone), crossfade: 0.2)
        engine.run(48_000)
        engine.control.stop()
        engine.run(4000)
        expectNoClick(engine)
    }
}
