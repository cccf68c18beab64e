import Foundation
import Patches
import Testing

@testable import Engine

@Suite("Denormal numbers, 1.2e-38 and less")
struct DenormalTests {
    /// A sound that passes through denormal numbers.
    struct Sound: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let patch: Patch
        var start: Int64 = 0
        /// dB.
        var masterGain = 0.0
    }

    /// A gain leaves the law of decibels between -119 and -120: just above off it is smaller by far than 1e-6.
    private static let nearlyOff = -119.999995
    private static let frames = 168_000

    private static let sounds: [Sound] = [
        Sound(testDescription: "a bell that dies away", patch: .single(.bell, [.carrier: 523.25, .decay: 0.5, .gain: nearlyOff])),
        Sound(
            testDescription: "two strikes of a bell, the first still ringing",
            patch: .single(
                .bell, [.carrier: 220, .decay: 0.3, .gain: nearlyOff],
                chapters: [Chapter(start: 1.78, settings: [Setting(layer: 0, parameter: .gain, value: nearlyOff)])])),
        Sound(
            testDescription: "a tone under a low master gain", patch: .single(.binaural, [.carrier: 200, .gain: nearlyOff]),
            masterGain: -119.995),
        Sound(
            testDescription: "the first frames of an hour's fade",
            patch: {
                var patch = Patch.single(.noise, [.gain: nearlyOff], color: .pink, duration: 7200)
                patch.fade = Patch.Fade(in: 3600, easeIn: .quintIn, out: 3600, easeOut: .quintOut)
                return patch
            }()),
        Sound(
            testDescription: "the last frames of an hour's fade",
            patch: {
                var patch = Patch.single(.isochronic, [.carrier: 140, .pulseRate: 7, .gain: nearlyOff], duration: 7200)
                patch.fade = Patch.Fade(in: 3600, easeIn: .sineIn, out: 3600, easeOut: .quintIn)
                return patch
            }(), start: 7_199 * 48_000, masterGain: -119.995),
        Sound(
            testDescription: "a gain on its way to off",
            patch: .single(
                .spin, [.beat: 3, .gain: -119.95], color: .white,
                chapters: [Chapter(start: 0.5, over: 2.5, settings: [Setting(layer: 0, parameter: .gain, value: Parameter.off)])]),
            masterGain: -119.99),
        Sound(
            testDescription: "pulses of an ordinary level, where each begins",
            patch: {
                // A pulse starts on a frame, except for the rounding of the phase.
                var patch = TestSound.patch([.gain: -18, .pulseRate: 2.4, .duty: 0.6])
                (patch.layers[0].effects, patch.layers[0].path) = ([.pulses], "/sounds")
                return patch
            }()),
        Sound(testDescription: "a recording", patch: TestSound.patch([.gain: nearlyOff]), masterGain: -119.995),
    ]

    private func played(_ sound: Sound, _ kernel: Kernel, flushesDenormals: Bool) -> TestEngine {
        let engine = TestEngine(cycle: 192, kernel: kernel)
        engine.flushesDenormals = flushesDenormals
        engine.control.setMasterAtOnce(sound.masterGain)
        engine.control.start(engine.compile(sound.patch), at: PlanFrame(sound.start), fade: 0)
        engine.run(Self.frames)
        return engine
    }

    private func rendered(_ sound: Sound, _ kernel: Kernel) -> Samples {
        let renderer = OfflineRenderer(
            PlanCompiler.compile(sound.patch, sampleRate: 48_000), from: sound.start, kernel: kernel, masterGain: sound.masterGain,
            ceiling: 0, sounds: TestSound.open)
        var samples = Samples(left: .init(repeating: .nan, count: Self.frames), right: .init(repeating: .nan, count: Self.frames))
        samples.left.withUnsafeMutableBufferPointer { left in
            samples.right.withUnsafeMutableBufferPointer { right in _ = renderer.render(left: left, right: right) }
        }
        return samples
    }

    private func differing(_ engine: TestEngine, _ samples: Samples) -> Int {
        zip(zip(engine.left, engine.right), zip(samples.left, samples.right)).count { $0.0 != $1.0 || $0.1 != $1.1 }
    }

    @Test("JACK's thread, which flushes them to zero, plays what any thread renders offline", arguments: sounds, Kernel.available)
    func liveIsOffline(sound: Sound, kernel: Kernel) {
        let offline = rendered(sound, kernel)
        #expect(offline.left.allSatisfy { $0.isFinite })
        #expect(differing(played(sound, kernel, flushesDenormals: true), offline) == 0)
        // Otherwise the test proves nothing.
        #expect(differing(played(sound, kernel, flushesDenormals: false), offline) > 0)
        let flushed = flushingDenormals { rendered(sound, kernel) }
        #expect(flushed == offline)
    }

    @Test("A thread that renders offline restores its own handling of them afterwards")
    func restores() {
        func keepsThem() -> Bool { Self.half(.leastNonzeroMagnitude * 4) != 0 }
        #expect(keepsThem())
        _ = rendered(Self.sounds[0], .baseline)
        #expect(keepsThem())
        let inside = flushingDenormals {
            let before = keepsThem()
            _ = rendered(Self.sounds[0], .baseline)
            return [before, keepsThem()]
        }
        #expect(inside == [false, false])
        #expect(keepsThem())
        struct Failure: Error {}
        #expect(throws: Failure.self) { try flushingDenormals { () throws(Failure) in throw Failure() } }
        #expect(keepsThem())
    }

    @Test("Recordings are decoded and resampled without them, on the engine's own thread and offline")
    func decoding() {
        let patch = TestSound.patch([.gain: 0])
        let open: SoundOpener = { _, _ in ModeSound() }
        let engine = TestEngine(sounds: open)
        engine.control.start(engine.compile(patch), fade: 0)
        engine.run(20_000)
        let renderer = OfflineRenderer(PlanCompiler.compile(patch, sampleRate: 48_000), ceiling: 0, sounds: open)
        var samples = Samples(left: .init(repeating: .nan, count: 20_000), right: .init(repeating: .nan, count: 20_000))
        samples.left.withUnsafeMutableBufferPointer { left in
            samples.right.withUnsafeMutableBufferPointer { right in _ = renderer.render(left: left, right: right) }
        }
        #expect(Array(engine.left[2000..<20_000]) == Array(samples.left[2000...]))
        #expect(samples.left[2000...].allSatisfy { $0 > 0.2 })
    }

    /// Prevents evaluation by the compiler, also of two calls at once.
    @_optimize(none)
    fileprivate static func half(_ number: Float) -> Float { number / 2 }
}

/// A steady 0.25 where its decoding thread takes denormal numbers for zero, else -0.25.
private final class ModeSound: SoundReader {
    let frameCount: Int64 = 1 << 40

    func read(from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) {
        let sample: Float = DenormalTests.half(.leastNonzeroMagnitude * 4) == 0 ? 0.25 : -0.25
        for index in 0..<count { (left[index], right[index]) = (sample, sample) }
    }
}
