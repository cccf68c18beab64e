import Engine
import Foundation
import Patches
import TestSupport
import Testing

/// Layers of keys, played as JACK's callback plays them.
@Suite("Keys")
struct KeysTests {
    private struct Event {
        let frame: Int
        let bytes: [UInt8]

        init(_ frame: Int, _ bytes: UInt8...) { (self.frame, self.bytes) = (frame, bytes) }
    }

    private static func patch(
        _ values: [Parameter: Double] = [.gain: -12, .attack: 0.02, .release: 0.02], wave: Waveform = .sine, others: [Layer] = []
    ) -> Patch {
        Patch(layers: [Layer(name: "keys", kind: .keys, values: values, wave: wave)] + others)
    }

    /// Renders a patch while the events arrive, each on its frame.
    private func play(
        _ events: [Event], patch: Patch = Self.patch(), frames: Int = 24_000, cycle: Int = 64, kernel: Kernel = .baseline
    ) -> Samples {
        let control = EngineControl(sampleRate: 48_000, kernel: kernel, ceiling: 0)
        control.start(PlanCompiler.compile(patch, sampleRate: 48_000), fade: 0)
        var samples = Samples(left: .init(repeating: 0, count: frames), right: .init(repeating: 0, count: frames))
        var next = 0
        for start in stride(from: 0, to: frames, by: cycle) {
            let count = min(cycle, frames - start)
            while next < events.count, events[next].frame < start + count {
                let event = events[next]
                control.handle.play(
                    event.bytes[0], event.bytes[1], event.bytes.count > 2 ? event.bytes[2] : 0, atFrame: EngineFrame(Int64(event.frame)))
                next += 1
            }
            samples.left.withUnsafeMutableBufferPointer { left in
                samples.right.withUnsafeMutableBufferPointer { right in
                    control.handle.render(left: left.baseAddress! + start, right: right.baseAddress! + start, frames: count, hostTime: 0)
                }
            }
            _ = control.poll()
        }
        return samples
    }

    private func level(_ samples: [Float], _ range: Range<Int>) -> Double {
        20 * log10((samples[range].reduce(0) { $0 + Double($1 * $1) } / Double(range.count)).squareRoot() * 2.0.squareRoot())
    }

    private func frequency(_ samples: [Float], _ range: Range<Int>) throws -> Double {
        let measured = try #require(measureSine(samples[range].map(Double.init)[...], sampleRate: 48_000))
        #expect(measured.residualInDecibels < -90)
        return measured.frequency
    }

    @Test("A note starts on the frame of its event and ends with its release, with the key's pitch and the velocity's level")
    func note() throws {
        for frame in [4800, 4801, 4863, 5000] {
            let heard = play([Event(frame, 0x90, 69, 127), Event(frame + 9600, 0x80, 69, 0)])
            #expect(heard.left[...frame].allSatisfy { $0 == 0 })
            // A fade in is still 0 on its first frame, and the sine with it; by the tenth the Float sees it.
            #expect(heard.left[frame + 1...frame + 12].contains { $0 != 0 })
            #expect(heard.left == heard.right)
            #expect(abs(try frequency(heard.left, frame + 1000..<frame + 9600) - 440) < 1e-3)
            #expect(abs(level(heard.left, frame + 1000..<frame + 9600) + 12) < 0.1)
            let end = frame + 9600 + 960
            #expect(heard.left[end...].allSatisfy { $0 == 0 })
            #expect(heard.left[end - 400..<end].contains { $0 != 0 })
        }
        let soft = play([Event(4800, 0x90, 69, 64)])
        #expect(abs(level(soft.left, 6000..<20_000) - (-12 + 40 * log10(64.0 / 127))) < 0.1)
    }

    @Test("Notes sound the same in cycles of any length, bit for bit", arguments: Kernel.available)
    func cycles(kernel: Kernel) {
        var events: [Event] = []
        for number in 0..<40 {
            events.append(Event(100 + number * 477, 0x90, UInt8(40 + number), UInt8(20 + number * 2)))
            events.append(Event(300 + number * 477, 0xE0, 0, UInt8(number * 3)))
            if number % 3 == 0 { events.append(Event(310 + number * 477, 0x80, UInt8(40 + number), 0)) }
            if number % 7 == 0 { events.append(Event(320 + number * 477, 0xB0, 64, number % 2 == 0 ? 127 : 0)) }
        }
        let bed = Layer(name: "bed", kind: .binaural, values: [.carrier: 200, .beat: 7])
        for wave in [Waveform.sine, .sawtooth] {
            let patch = Self.patch([.gain: -30, .beat: 3], wave: wave, others: [bed])
            let first = play(events, patch: patch, cycle: 64, kernel: kernel)
            for cycle in [1, 100, 256, 1024, 8192] {
                #expect(play(events, patch: patch, cycle: cycle, kernel: kernel) == first, "\(cycle)")
            }
        }
    }

    @Test("Notes do not change any bit of the other layers")
    func others() {
        let bed = Layer(name: "bed", kind: .binaural, values: [.carrier: 200, .beat: 7, .gain: -30])
        let quiet = play([], patch: Self.patch([.gain: -120], others: [bed]))
        let played = play(
            (0..<2000).map { Event(100 + 11 * $0, 0x90, UInt8($0 % 128), 127) }, patch: Self.patch([.gain: -120], others: [bed]))
        #expect(quiet == played)
        #expect(quiet.left.contains { $0 != 0 })
    }

    @Test("Each ear is half the beat away from the key's pitch")
    func beat() throws {
        let heard = play([Event(480, 0x90, 57, 127)], patch: Self.patch([.gain: -12, .beat: 10]))
        #expect(abs(try frequency(heard.left, 2000..<24_000) - 225) < 1e-3)
        #expect(abs(try frequency(heard.right, 2000..<24_000) - 215) < 1e-3)
    }

    @Test("The pitch wheel bends sounding and later notes by up to two semitones either way, within 5 ms of its event")
    func bend() throws {
        let heard = play([Event(480, 0x90, 69, 127), Event(9600, 0xE0, 0x7F, 0x7F), Event(16_000, 0xE0, 0, 0)])
        #expect(abs(try frequency(heard.left, 2000..<9600) - 440) < 1e-3)
        #expect(abs(try frequency(heard.left, 9600 + 241..<16_000) - 440 * pow(2, 2.0 / 12)) < 1e-3)
        #expect(abs(try frequency(heard.left, 16_000 + 241..<24_000) - 440 * pow(2, -2.0 / 12)) < 1e-3)
        let before = play([Event(480, 0x90, 69, 127)])
        #expect(before.left[...9600] == heard.left[...9600])
        #expect(before.left[9603..<9610] != heard.left[9603..<9610], "it begins on its frame")
        let bent = play([Event(100, 0xE0, 0x7F, 0x7F), Event(480, 0x90, 69, 127)])
        #expect(abs(try frequency(bent.left, 2000..<20_000) - 440 * pow(2, 2.0 / 12)) < 1e-3)
    }

    @Test("The pedal holds released keys until it is lifted; all notes off ends the rest")
    func pedal() {
        let heard = play(
            [
                Event(480, 0x90, 69, 127), Event(960, 0xB0, 64, 127), Event(1440, 0x80, 69, 0), Event(9600, 0xB0, 64, 0),
                Event(14_400, 0x90, 60, 127), Event(19_200, 0xB0, 123, 0),
            ])
        #expect(level(heard.left, 8000..<9600) > -13)
        #expect(heard.left[9600 + 960..<14_400].allSatisfy { $0 == 0 })
        #expect(level(heard.left, 17_000..<19_000) > -13)
        #expect(heard.left[19_200 + 960..<24_000].allSatisfy { $0 == 0 })
    }

    @Test("Up to 32 keys sound at once; one more replaces the oldest, which fades")
    func polyphony() {
        let chord = (0..<33).map { Event(480 + 960 * $0, 0x90, UInt8(40 + $0), 127) }
        let patch = Self.patch([.gain: -50, .attack: 0.005, .release: 0.02])
        let heard = play(chord, patch: patch, frames: 48_000)
        let without = play(Array(chord.dropFirst()), patch: patch, frames: 48_000)
        // The first is in it up to the thirty-third, and 20 ms on.
        let last = 480 + 960 * 32
        #expect(zip(heard.left, without.left)[480 + 300..<last].contains { abs($0 - $1) > 1e-3 })
        #expect(zip(heard.left, without.left)[last + 960..<48_000].allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test("No note, release, bend, pedal or replaced note clicks: at most -100 dB above 2 kHz for keys around 200 Hz")
    func clicks() {
        var generator = SeededGenerator(seed: 11)
        for round in 0..<8 {
            var events: [Event] = []
            var frame = 600
            while frame < 40_000 {
                let key = UInt8.random(in: 50...57, using: &generator)
                switch Int.random(in: 0..<8, using: &generator) {
                case 0...2: events.append(Event(frame, 0x90, key, UInt8.random(in: 1...127, using: &generator)))
                case 3...5: events.append(Event(frame, 0x80, key, 0))
                case 6: events.append(Event(frame, 0xB0, 64, UInt8.random(in: 0...127, using: &generator)))
                default: events.append(Event(frame, 0xB0, 120, 0))
                }
                frame += Int.random(in: 0...(round < 4 ? 900 : 90), using: &generator)
            }
            events.append(Event(40_000, 0xB0, 120, 0))
            let heard = play(events, patch: Self.patch([.gain: -30, .attack: 0.02, .release: 0.02]), frames: 48_000)
            #expect(heard.left.contains { abs($0) > 0.01 })
            #expect(peakAbove(2000, in: heard.left.map(Double.init)[...], sampleRate: 48_000) < -100, "round \(round)")
        }
    }

    @Test("For any MIDI bytes at the highest rate, every sample is finite, and all notes end in silence")
    func anyBytes() {
        var generator = SeededGenerator(seed: 5)
        let events = (0..<50_000).map { number in
            Event(
                number / 5, UInt8.random(in: 0...255, using: &generator), UInt8.random(in: 0...255, using: &generator),
                UInt8.random(in: 0...255, using: &generator))
        }
        let off = (0..<16).flatMap { [Event(12_000, 0xB0 | UInt8($0), 121, 0), Event(12_000, 0xB0 | UInt8($0), 120, 0)] }
        let heard = play(events + off, patch: Self.patch([.gain: -40, .attack: 0.005, .release: 0.02]), frames: 48_000, cycle: 1024)
        #expect(heard.left.allSatisfy { $0.isFinite })
        #expect(heard.left.contains { $0 != 0 })
        // The last key may have had a longer release, but all have ended by then.
        #expect(heard.left[14_000...].allSatisfy { $0 == 0 })
    }

    @Test("A new tuning applies to keys that are struck later; a panic ends keys that were never released")
    func tuningAndPanic() throws {
        let engine = TestEngine()
        engine.control.start(engine.compile(Self.patch()), fade: 0)
        engine.run(640)
        engine.control.tune(a4: 432)
        engine.control.handle.play(0x90, 69, 127, atFrame: EngineFrame(Int64(engine.left.count)))
        engine.run(9600)
        #expect(abs(try frequency(engine.left, 2000..<9600) - 432) < 1e-3)
        engine.control.stop(fade: 0.03, isPanic: true)
        engine.run(4800)
        let end = engine.left.count
        engine.control.start(engine.compile(Self.patch()), fade: 0)
        engine.run(9600)
        #expect(engine.left[end...].allSatisfy { $0 == 0 })
    }
}

extension Zip2Sequence where Sequence1 == [Float], Sequence2 == [Float] {
    fileprivate subscript(range: Range<Int>) -> ArraySlice<(Float, Float)> { Array(self)[range] }
}
