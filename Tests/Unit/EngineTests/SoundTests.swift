import Foundation
import Patches
import TestSupport
import Testing

@testable import Engine

@Suite("Layers that play files", .timeLimit(.minutes(10)))
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
        let rig = TestEngine(cycle: 256)
        let plan = rig.compile(TestSound.patch(others: [Layer(name: "tone", kind: .tone)]))
        rig.run(1000)
        for position in [0, 100_000, 24_570, 8192] as [Int64] {
            let serial = rig.control.start(plan, at: PlanFrame(position))
            rig.run(20_000)
            let landing = try #require(rig.landing(of: serial))
            let fade = 960
            let expected = render(plan, from: position + Int64(fade), count: 15_000)
            let from = Int(landing.engineFrame) + fade
            #expect(Array(rig.left[from..<from + 15_000]) == expected.left)
            #expect(Array(rig.right[from..<from + 15_000]) == expected.right)
        }
        #expect(rig.control.takeSoundNotices().isEmpty)
    }

    @Test("An item that restarts, or follows another, starts with the file's first frame")
    func again() throws {
        let rig = TestEngine(cycle: 64)
        let plan = rig.compile(TestSound.patch(duration: 0.5))
        let start = rig.control.start(plan)
        rig.control.setNext(plan)
        rig.run(60_000)
        let first = Int(try #require(rig.landing(of: start)).engineFrame)
        let whole = render(plan, count: 24_000)
        #expect(Array(rig.left[first..<first + 24_000]) == whole.left)
        #expect(Array(rig.left[first + 24_000..<first + 48_000]) == whole.left)
    }

    @Test(
        "A file that is not decoded in time is silent and comes back without a click; that is counted and reported, and the other layers play"
    )
    func late() throws {
        let log = TestSound.Log()
        let rig = TestEngine(cycle: 64, sounds: TestSound.open(log))
        rig.waits = false
        log.hold(from: 4)
        // Waits for its start, if there is one.
        let plan = rig.compile(TestSound.patch([.gain: -6]))
        let start = rig.control.start(plan)
        while log.asked < 4 { usleep(1000) }
        while rig.left.count < 60_000 { rig.runCycle() }
        let begin = Int(try #require(rig.landing(of: start)).engineFrame)
        #expect(rig.control.takeSoundNotices() == [.late(path: "/sound", count: 1)])
        #expect(rig.control.takeSoundNotices().isEmpty)
        // Four chunks were there.
        let last = try #require(rig.left.lastIndex { $0 != 0 }) - begin
        #expect((4 * 8192 - 1100...4 * 8192).contains(last), "\(last)")
        log.hold(from: .max)
        // Missed samples are skipped: it continues at its normal position.
        while log.chunks.last ?? 0 < 9 { usleep(1000) }
        rig.waits = true
        rig.run(30_000)
        rig.control.stop()
        rig.run(4000)
        let whole = render(plan, count: 95_000)
        let place = 85_000
        #expect(Array(rig.left[begin + place..<begin + place + 2000]) == Array(whole.left[place..<place + 2000]))
        #expect(rig.control.takeSoundNotices().isEmpty)
        let click = peakAbove(3000, in: rig.spectrumInput, sampleRate: sampleRate)
        #expect(click < -95, "\(click) dB")
    }

    @Test("A file that becomes unreadable fades out and is reported once, and the other layers play")
    func failing() throws {
        let log = TestSound.Log()
        log.fail(from: 2)
        let rig = TestEngine(cycle: 64, sounds: TestSound.open(log))
        let tone = Layer(name: "tone", kind: .tone, values: [.carrier: 200, .gain: -20])
        rig.control.start(rig.compile(TestSound.patch([.gain: -20, .pan: -1], others: [tone])))
        rig.run(40_000)
        rig.control.stop()
        rig.run(4000)
        #expect(rig.control.takeSoundNotices() == [.failed(SoundFailure("Chunk 2 is damaged."))])
        let click = peakAbove(3000, in: rig.spectrumInput, sampleRate: sampleRate)
        #expect(click < -95, "\(click) dB")
        // Both ears hear the tone alone.
        #expect(Array(rig.left[30_000..<31_000]) == Array(rig.right[30_000..<31_000]))
        #expect(rig.left[30_000..<31_000].contains { abs($0) > 0.09 })
    }

    @Test("A file that several playheads play is decoded once, and released with the last of them")
    func shared() throws {
        let log = TestSound.Log()
        let rig = TestEngine(cycle: 64, sounds: TestSound.open(log))
        let plan = rig.compile(TestSound.patch())
        rig.control.start(plan)
        rig.run(1000)
        for _ in 0..<20 {
            rig.control.setNext(plan)
            rig.run(64)
        }
        rig.run(1000)
        #expect(log.openings == 1)
        #expect(Set(log.chunks).count == log.chunks.count, "\(log.chunks)")
        rig.control.stop(isPanic: true)
        rig.run(4000)
        rig.control.start(plan)
        rig.run(1000)
        #expect(log.openings == 2)
    }

    @Test("A muted, silent or unheard file keeps its position, and is in time when it is heard again")
    func silent() throws {
        let rig = TestEngine(cycle: 256)
        let plan = rig.compile(TestSound.patch([.gain: -20]))
        let start = rig.control.start(plan)
        rig.run(1000)
        rig.control.mute([0])
        rig.run(300_000)
        #expect(rig.left[200_000...].allSatisfy { $0 == 0 })
        rig.control.mute([])
        rig.run(20_000)
        let begin = Int(try #require(rig.landing(of: start)).engineFrame)
        let from = rig.left.count - 5000
        let expected = render(plan, from: Int64(from - begin), count: 5000)
        #expect(Array(rig.left[from...]) == expected.left)
        #expect(rig.control.takeSoundNotices().isEmpty)
    }

    @Test("A cycle that waits for a file continues when the file has failed")
    func waitingForNothing() {
        let rig = TestEngine(cycle: 64) { _, _ throws(SoundFailure) in throw SoundFailure("There is no such file.") }
        let begin = ContinuousClock.now
        rig.control.start(rig.compile(TestSound.patch()))
        rig.run(48_000)
        #expect(ContinuousClock.now - begin < .seconds(60))
        #expect(rig.control.takeSoundNotices() == [.failed(SoundFailure("There is no such file."))])
        #expect(rig.left.allSatisfy { $0 == 0 })
    }
}
