import Foundation
import Patches
import TestSupport
import Testing

@testable import Engine

@Suite("Layers that play files", .ownThread)
struct SoundTests {
    private let sampleRate = 48_000.0

    private func plan(_ patch: Patch = TestSound.patch()) -> Plan { PlanCompiler.compile(patch, sampleRate: sampleRate) }

    @Test("A file is heard unchanged, at the layer's gain, in its two ears")
    func plain() {
        let samples = render(plan(TestSound.patch([.gain: -20])), count: 96_000)
        let frequency = 150 + 10 * 6.0
        for frame in stride(from: 2000, to: 96_000, by: 997) {
            let phase = 2 * Double.pi * frequency / sampleRate * Double(frame)
            #expect(abs(Double(samples.left[frame]) - 0.1 * sin(phase)) < 1e-6)
            #expect(abs(Double(samples.right[frame]) - 0.1 * sin(phase / 2)) < 1e-6)
        }
    }

    @Test("Any blocks and any start give the samples of the whole, also across the ends of chunks")
    func oneSound() {
        let patch = TestSound.patch([.gain: -12, .pan: 0.2])
        let whole = render(plan(patch), count: 60_000)
        for blocks in [[1], [7, 300, 64], [256], [8192], [30_000]] {
            let isSame = render(plan(patch), count: 60_000, blocks: blocks) == whole
            #expect(isSame, "\(blocks)")
        }
        for start in [1, 8191, 8192, 8193, 16_000, 40_001] {
            let part = render(plan(patch), from: Int64(start), count: 12_000, blocks: [64])
            let isSame = part == Samples(left: Array(whole.left[start..<start + 12_000]), right: Array(whole.right[start..<start + 12_000]))
            #expect(isSame, "from \(start)")
        }
    }

    @Test("Live playback from the start, and after seeks once their fade is over, equals the offline render, with nothing late")
    func liveIsOffline() throws {
        let engine = TestEngine(cycle: 256)
        let plan = engine.compile(TestSound.patch(others: [Layer(name: "tone", kind: .tone)]))
        engine.run(1000)
        for position in [0, 100_000, 24_570, 8192] as [Int64] {
            let serial = engine.control.start(plan, at: PlanFrame(position))
            engine.run(20_000)
            let landing = try #require(engine.landing(of: serial))
            let fade = 960
            let expected = render(plan, from: position + Int64(fade), count: 15_000)
            let from = Int(landing.engineFrame) + fade
            #expect(Array(engine.left[from..<from + 15_000]) == expected.left)
            #expect(Array(engine.right[from..<from + 15_000]) == expected.right)
        }
        #expect(engine.control.takeSoundNotices().isEmpty)
    }

    @Test("An item that restarts, or follows another, starts with the file's first frame")
    func again() throws {
        let engine = TestEngine(cycle: 64)
        let plan = engine.compile(TestSound.patch(duration: 0.5))
        let start = engine.control.start(plan)
        engine.control.setNext(plan)
        engine.run(60_000)
        let first = Int(try #require(engine.landing(of: start)).engineFrame)
        let whole = render(plan, count: 24_000)
        #expect(Array(engine.left[first..<first + 24_000]) == whole.left)
        #expect(Array(engine.left[first + 24_000..<first + 48_000]) == whole.left)
    }

    @Test(
        "A file that is not decoded in time is silent and comes back without a click; that is counted and reported, and the other layers play"
    )
    func late() throws {
        let log = TestSound.Log()
        let engine = TestEngine(cycle: 64, sounds: TestSound.open(log))
        engine.waits = false
        log.hold(from: 4)
        // Waits for its start, if there is one.
        let plan = engine.compile(TestSound.patch([.gain: -6]))
        let start = engine.control.start(plan)
        try #require(eventually { log.asked >= 4 })
        while engine.left.count < 60_000 { engine.runCycle() }
        let begin = Int(try #require(engine.landing(of: start)).engineFrame)
        #expect(engine.control.takeSoundNotices() == [.late(path: "/sound", count: 1)])
        #expect(engine.control.takeSoundNotices().isEmpty)
        // Four chunks were there.
        let last = try #require(engine.left.lastIndex { $0 != 0 }) - begin
        #expect((4 * 8192 - 1100...4 * 8192).contains(last), "\(last)")
        log.hold(from: .max)
        // Missed samples are skipped: it continues at its normal position.
        try #require(eventually { log.chunks.last ?? 0 >= 9 })
        engine.waits = true
        engine.run(30_000)
        engine.control.stop()
        engine.run(4000)
        let whole = render(plan, count: 95_000)
        let place = 85_000
        #expect(Array(engine.left[begin + place..<begin + place + 2000]) == Array(whole.left[place..<place + 2000]))
        #expect(engine.control.takeSoundNotices().isEmpty)
        let click = peakAbove(3000, in: engine.spectrumInput, sampleRate: sampleRate)
        #expect(click < -95, "\(click) dB")
    }

    @Test("A file that becomes unreadable fades out and is reported once, and the other layers play")
    func failing() throws {
        let log = TestSound.Log()
        log.fail(from: 2)
        let engine = TestEngine(cycle: 64, sounds: TestSound.open(log))
        let tone = Layer(name: "tone", kind: .tone, values: [.carrier: 200, .gain: -20])
        engine.control.start(engine.compile(TestSound.patch([.gain: -20, .pan: -1], others: [tone])))
        engine.run(40_000)
        engine.control.stop()
        engine.run(4000)
        #expect(engine.control.takeSoundNotices() == [.failed(SoundFailure("Chunk 2 is damaged."))])
        let click = peakAbove(3000, in: engine.spectrumInput, sampleRate: sampleRate)
        #expect(click < -95, "\(click) dB")
        // Both ears hear the tone alone.
        #expect(Array(engine.left[30_000..<31_000]) == Array(engine.right[30_000..<31_000]))
        #expect(engine.left[30_000..<31_000].contains { abs($0) > 0.09 })
    }

    @Test("A file that several playheads play is decoded once, and released with the last of them")
    func shared() throws {
        let log = TestSound.Log()
        let engine = TestEngine(cycle: 64, sounds: TestSound.open(log))
        let plan = engine.compile(TestSound.patch())
        engine.control.start(plan)
        engine.run(1000)
        for _ in 0..<20 {
            engine.control.setNext(plan)
            engine.run(64)
        }
        engine.run(1000)
        #expect(log.openings == 1)
        #expect(Set(log.chunks).count == log.chunks.count, "\(log.chunks)")
        engine.control.stop(isPanic: true)
        engine.run(4000)
        engine.control.start(plan)
        engine.run(1000)
        #expect(log.openings == 2)
    }

    @Test("A muted, silent or unheard file keeps its position, and is in time when it is heard again")
    func silent() throws {
        let engine = TestEngine(cycle: 256)
        let plan = engine.compile(TestSound.patch([.gain: -20]))
        let start = engine.control.start(plan)
        engine.run(1000)
        engine.control.mute([0])
        engine.run(300_000)
        #expect(engine.left[200_000...].allSatisfy { $0 == 0 })
        engine.control.mute([])
        engine.run(20_000)
        let begin = Int(try #require(engine.landing(of: start)).engineFrame)
        let from = engine.left.count - 5000
        let expected = render(plan, from: Int64(from - begin), count: 5000)
        #expect(Array(engine.left[from...]) == expected.left)
        #expect(engine.control.takeSoundNotices().isEmpty)
    }

    @Test("A cycle that waits for a file continues when the file has failed")
    func waitingForNothing() {
        let engine = TestEngine(cycle: 64) { _, _ throws(SoundFailure) in throw SoundFailure("There is no such file.") }
        engine.control.start(engine.compile(TestSound.patch()))
        engine.run(48_000)
        #expect(engine.control.takeSoundNotices() == [.failed(SoundFailure("There is no such file."))])
        #expect(engine.left.allSatisfy { $0 == 0 })
    }
}
