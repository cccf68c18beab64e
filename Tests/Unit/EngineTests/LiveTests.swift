import Patches
import Synchronization
import Testing

@testable import Engine

@Suite("Playing live")
struct LiveTests {
    private let tone = Patch.single(.binaural, [.carrier: 200, .gain: -20])
    private let other = Patch.single(.binaural, [.carrier: 311, .gain: -20])

    private func isSame(_ engine: TestEngine, from frame: Int, _ samples: Samples) -> Bool {
        Array(engine.left[frame..<frame + samples.left.count]) == samples.left
            && Array(engine.right[frame..<frame + samples.right.count]) == samples.right
    }

    @Test(
        "Live playback from the start, and after a seek once its fade is over, is identical to the offline render",
        arguments: Kernel.available)
    func liveIsOffline(kernel: Kernel) throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<6 {
            let engine = TestEngine(cycle: 128, kernel: kernel)
            var patch = Patch.random(using: &generator)
            patch.duration = nil
            let plan = engine.compile(patch)
            engine.run(1000)
            let serial = engine.control.start(plan)
            engine.run(20_000)
            let start = try #require(engine.landing(of: serial))
            #expect(start.position == 0)
            #expect(isSame(engine, from: Int(start.engineFrame), render(plan, count: 15_000, kernel: kernel)))
            let seek = engine.control.start(plan, at: 5_001)
            engine.run(10_000)
            let landing = try #require(engine.landing(of: seek))
            #expect(landing.position == 5_001)
            // Both fades last 20 ms.
            #expect(isSame(engine, from: Int(landing.engineFrame) + 960, render(plan, from: 5_961, count: 8_000, kernel: kernel)))
        }
    }

    @Test("A request for a frame takes effect at that frame, also in the middle of a cycle")
    func atFrame() throws {
        let engine = TestEngine(cycle: 512)
        engine.run(512)
        let start = engine.control.start(engine.compile(tone), at: 100, fade: 0, atFrame: 1234)
        let stop = engine.control.stop(fade: 0, atFrame: 2345)
        engine.run(4096)
        #expect(engine.landing(of: start)?.engineFrame == 1234)
        #expect(engine.landing(of: stop)?.engineFrame == 2345)
        #expect(engine.landing(of: stop)?.position == Int64(100 + 2345 - 1234))
        #expect(engine.left[..<1234].allSatisfy { $0 == 0 })
        #expect(engine.left[2345...].allSatisfy { $0 == 0 })
        #expect(isSame(engine, from: 1234, render(engine.compile(tone), from: 100, count: 2345 - 1234)))
    }

    @Test("A later request never overtakes one that waits for its frame, and a waiting start does not drop the next item")
    func inOrder() throws {
        let engine = TestEngine(cycle: 64)
        engine.run(512)
        var short = tone
        short.duration = 0.05
        let early = engine.control.start(engine.compile(other), atFrame: 1000)
        let late = engine.control.start(engine.compile(short), atFrame: 900)
        engine.control.setNext(engine.compile(other))
        let mute = try #require(engine.control.mute([0]))
        engine.run(8192)
        #expect(engine.landing(of: early)?.engineFrame == 1000)
        #expect(engine.landing(of: late)?.engineFrame == 1000)
        #expect(engine.landing(of: mute) != nil)
        let advanced = engine.events.contains { if case .advanced(_, 1000 + 2400) = $0 { true } else { false } }
        #expect(advanced, "\(engine.events)")
    }

    @Test("Edits of an item that starts at a later frame are applied from that frame on")
    func editsOfALaterStart() throws {
        let engine = TestEngine(cycle: 128)
        engine.run(128)
        let plan = engine.compile(tone)
        let start = engine.control.start(plan, at: 4800, atFrame: 1500)
        func setting(_ value: Double) -> [Setting] { [Setting(layer: 0, parameter: .gain, value: value)] }
        let serials = try (1...20).map { step in
            if step % 5 == 0 { engine.runCycle() }
            return try #require(engine.control.edit(setting(-20 - Double(step) / 2), ramp: 0.2))
        }
        let later = try #require(engine.control.edit([Setting(layer: 0, parameter: .carrier, value: 300)], atFrame: 1777))
        engine.run(9000)
        #expect((serials + [start, later]).allSatisfy { engine.landing(of: $0) != nil })
        let edited = plan.applying(setting(-30), at: 4800, ramp: 0.2)
            .applying([Setting(layer: 0, parameter: .carrier, value: 300)], at: 5077)
        // Once the fade in is over.
        #expect(isSame(engine, from: 2460, render(edited, from: 5760, count: 6000)))
    }

    @Test("Requests made together take effect together, and stopping everything cancels those that wait for their frame")
    func stopOfEverything() {
        let engine = TestEngine(cycle: 128)
        engine.control.start(engine.compile(tone))
        engine.run(1024)
        let start = engine.control.start(engine.compile(other), at: 1, atFrame: 3000)
        engine.control.setNext(engine.compile(tone))
        engine.run(128)
        let stop = engine.control.stop(fade: 0.03, isPanic: true)
        engine.run(8000)
        #expect(engine.landing(of: start) == nil)
        #expect(engine.landing(of: stop) != nil)
        #expect(engine.left[(1152 + 1441)...].allSatisfy { $0 == 0 })
        // Only the track of the master gain.
        #expect(engine.control.link.held.count == 1)
    }

    @Test("The next item starts on the sample on which the current one ends, and after the last one there is silence")
    func next() throws {
        var first = tone
        first.duration = 0.1
        var second = other
        second.duration = 0.05
        let engine = TestEngine(cycle: 512)
        let (a, b) = (engine.compile(first), engine.compile(second))
        let start = engine.control.start(a)
        let next = engine.control.setNext(b)
        engine.run(12_000)
        let began = Int(try #require(engine.landing(of: start)).engineFrame)
        #expect(isSame(engine, from: began, render(a, count: 4800)))
        #expect(isSame(engine, from: began + 4800, render(b, count: 2400)))
        #expect(engine.left[(began + 7200)...].allSatisfy { $0 == 0 })
        let reported: [String] = engine.events.compactMap {
            switch $0 {
            case .advanced(let serial, let engineFrame): "advanced \(serial == next) \(Int(engineFrame.number) - began)"
            case .ended(let engineFrame): "ended \(Int(engineFrame.number) - began)"
            default: nil
            }
        }
        #expect(reported == ["advanced true 4800", "ended 7200"])
        #expect(engine.control.currentPlan == nil)
        #expect(engine.control.status.position == nil)
    }

    @Test("A crossfade keeps the power of two different sounds")
    func crossfade() throws {
        var first = tone
        first.duration = 1
        let engine = TestEngine()
        engine.control.start(engine.compile(first))
        engine.control.setNext(engine.compile(other), crossfade: 0.5)
        engine.run(60_000)
        let advanced = engine.events.contains { if case .advanced(_, 24_000) = $0 { true } else { false } }
        #expect(advanced)
        func power(_ range: Range<Int>) -> Double {
            engine.left[range].reduce(0) { $0 + Double($1) * Double($1) } / Double(range.count)
        }
        let before = power(14_400..<19_200)
        // The new item's own fade in is over after 20 ms; the old one's fade out begins 20 ms before its end.
        for start in stride(from: 25_000, to: 46_000, by: 4800) {
            #expect(abs(power(start..<start + 4800) / before - 1) < 0.1)
        }
    }

    @Test("An edit is heard within two cycles, like the plan with the edit, and is reported")
    func edit() throws {
        let engine = TestEngine(cycle: 256)
        engine.control.start(engine.compile(tone))
        let early = try #require(engine.control.edit([Setting(layer: 0, parameter: .gain, value: -14)]))
        engine.run(10_000)
        #expect(engine.landing(of: early) != nil)
        let asked = engine.left.count
        let serial = try #require(engine.control.edit([Setting(layer: 0, parameter: .carrier, value: 333)], ramp: 0.1))
        let scheduled = try #require(engine.control.edit([Setting(layer: 0, parameter: .pan, value: 1)], atFrame: 20_001))
        engine.run(20_000)
        #expect(engine.landing(of: serial) != nil)
        #expect(engine.landing(of: scheduled) != nil)
        let plan = try #require(engine.control.currentPlan)
        #expect(plan.value(of: .carrier, layer: 0, at: Int64(asked) + 256) == 200)
        #expect(plan.value(of: .carrier, layer: 0, at: Int64(asked) + 256 + 1)! > 200)
        #expect(plan.value(of: .pan, layer: 0, at: 20_001) == 0)
        #expect(plan.value(of: .pan, layer: 0, at: 20_002)! > 0)
        #expect(isSame(engine, from: 12_000, render(plan, from: 12_000, count: 18_000)))
    }

    @Test("Edits that come too late for their frame are repeated in order, and none is lost")
    func lateEdits() {
        let engine = TestEngine(cycle: 64)
        engine.control.start(engine.compile(tone))
        engine.run(1000)
        var serials: [UInt64] = []
        for step in 0..<40 {
            serials.append(engine.control.edit([Setting(layer: 0, parameter: .carrier, value: 200 + Double(step))])!)
            // A delayed control thread: the render thread continues before the next request, or before a poll.
            if step % 3 == 0 { for _ in 0..<5 { engine.runCycle(poll: false) } }
            if step % 7 == 0 { engine.runCycle() }
        }
        engine.run(10_000)
        let landed = engine.events.compactMap { event -> UInt64? in
            if case .landed(let serial, _, _) = event, serials.contains(serial) { serial } else { nil }
        }
        #expect(landed == serials)
        let plan = engine.control.currentPlan!
        #expect(plan.value(of: .carrier, layer: 0, at: Int64(engine.left.count)) == 239)
        let count = 4096
        #expect(isSame(engine, from: engine.left.count - count, render(plan, from: Int64(engine.left.count - count), count: count)))
    }

    @Test("An edit of an item that was replaced meanwhile is refused")
    func editOfThePast() throws {
        let engine = TestEngine()
        engine.control.start(engine.compile(tone))
        engine.run(1000)
        let serial = try #require(engine.control.edit([Setting(layer: 0, parameter: .carrier, value: 300)]))
        engine.control.start(engine.compile(other))
        engine.run(1000)
        let refused = engine.events.contains { if case .refused(serial) = $0 { true } else { false } }
        #expect(refused)
        #expect(engine.landing(of: serial) == nil)
        engine.control.stop()
        #expect(engine.control.edit([Setting(layer: 0, parameter: .carrier, value: 300)]) == nil)
    }

    @Test("Master gain changes only the output level, and is applied after seeks and changes of item")
    func master() {
        let engine = TestEngine()
        engine.control.start(engine.compile(tone))
        engine.control.setMaster(-6)
        engine.run(4000)
        let samples = render(engine.compile(tone), from: 2000, count: 1000)
        let gain = zip(samples.left, engine.left[2000..<3000]).map { Double($0 - $1 / 0.50118723) }.map(abs).max()!
        #expect(gain < 1e-7)
        engine.control.setMaster(-120)
        engine.run(2000)
        let from = engine.left.count
        engine.run(1000)
        #expect(engine.left[from...].allSatisfy { $0 == 0 })
        #expect(engine.control.masterGain == -120)
    }

    @Test("If all playheads are fading out, requests wait for a free one, and all of them are carried out in the end")
    func manySeeks() {
        let engine = TestEngine()
        let plan = engine.compile(tone)
        let serials = (0..<60).map { engine.control.start(plan, at: PlanFrame(Int64($0) * 1000 + 1)) }
        engine.run(6000)
        #expect(serials.allSatisfy { engine.landing(of: $0) != nil })
        #expect(engine.control.status.playingCount == 1)
        #expect(engine.control.status.playheadSerial == serials.last)
    }

    @Test("Status relates the clocks to each other, and its levels are those of the samples")
    func status() {
        let engine = TestEngine(cycle: 100)
        engine.control.start(engine.compile(tone), at: 777)
        for _ in 0..<50 { engine.runCycle() }
        let status = engine.control.status
        #expect(status.engineFrame == 5000)
        #expect(status.cycleStartFrame == 4900)
        #expect(status.hostTime == 4900)
        #expect(status.cycleFrames == 100)
        #expect(status.cycles == 50)
        #expect(status.position == PlanFrame(777 + 5000))
        let peaks = engine.control.handle.takePeaks()
        #expect(peaks.left == engine.left.map(abs).max())
        #expect(peaks.right == engine.right.map(abs).max())
        #expect(engine.control.handle.takePeaks() == (0, 0))
        let squares = engine.left.reduce(0) { $0 + Double($1) * Double($1) }
        #expect(abs(status.squareSumLeft / squares - 1) < 1e-5)
    }

    @Test("Every plan comes back: after thousands of requests in any order, only the current one is held")
    func reclaim() {
        var generator = SeededGenerator(seed: 6)
        weak var first: Plan?
        let engine = TestEngine(cycle: 64)
        do {
            let plan = engine.compile(.single(.noise, color: .pink)).under(engine.control.ceiling)
            first = plan
            engine.control.start(plan)
        }
        #expect(first != nil)
        var short = tone
        short.duration = 0.01
        let plans = [engine.compile(tone), engine.compile(other), engine.compile(short)]
        for _ in 0..<4000 {
            switch Int.random(in: 0...7, using: &generator) {
            case 0: engine.control.start(plans.randomElement(using: &generator)!, at: PlanFrame(.random(in: 0...400, using: &generator)))
            case 1: engine.control.setNext(plans.randomElement(using: &generator)!, crossfade: Bool.random(using: &generator) ? 0 : 0.005)
            case 2: engine.control.stop()
            case 3: engine.control.setMaster(.random(in: -60...0, using: &generator))
            case 4: engine.control.mute(Bool.random(using: &generator) ? [0] : [])
            case 5: engine.control.setNext(nil)
            default: engine.control.edit([Setting(layer: 0, parameter: .gain, value: .random(in: -60...0, using: &generator))])
            }
            if Bool.random(using: &generator) { engine.runCycle(poll: Bool.random(using: &generator)) }
        }
        engine.control.start(plans[0])
        engine.run(20_000)
        #expect(first == nil)
        // The current plan, its workspace and the track of the master gain.
        #expect(engine.control.link.held.count == 3)
        engine.control.stop()
        engine.run(2000)
        #expect(engine.control.link.held.count == 1)
    }

    @Test("With the callback on its own thread, every request is applied or refused, in order, and all plans come back")
    func threads() async {
        let control = EngineControl(sampleRate: 48_000, kernel: .baseline, ceiling: 0)
        let plans = [tone, other].map { PlanCompiler.compile($0, sampleRate: 48_000) }
        let isDone = Flag()
        let handle = control.handle
        let renderThread = Task.detached {
            var left = [Float](repeating: 0, count: 16)
            var right = left
            var isFinite = true
            while !isDone.isRaised {
                // Much faster than real time, so that most edits come too late at first.
                handle.render(left: &left, right: &right, frames: 16, hostTime: 0)
                isFinite = isFinite && left.allSatisfy(\.isFinite) && right.allSatisfy(\.isFinite)
                await Task.yield()
            }
            return isFinite
        }
        var generator = SeededGenerator(seed: 8)
        var asked: [UInt64] = []
        var answered: [UInt64] = []
        func poll() {
            for event in control.poll() {
                switch event {
                case .landed(let serial, _, _), .refused(let serial): answered.append(serial)
                case .advanced, .ended: break
                }
            }
        }
        for _ in 0..<1000 {
            switch Int.random(in: 0...9, using: &generator) {
            case 0:
                asked.append(control.start(plans.randomElement(using: &generator)!, at: PlanFrame(.random(in: 0...999, using: &generator))))
            case 1: asked.append(control.setMaster(.random(in: -20...0, using: &generator)))
            case 2: _ = control.status
            default:
                let edit = control.edit([Setting(layer: 0, parameter: .carrier, value: .random(in: 100...400, using: &generator))])
                if let edit { asked.append(edit) }
            }
            poll()
            await Task.yield()
        }
        asked.append(control.stop())
        while control.status.isSounding || answered.count < asked.count {
            poll()
            await Task.yield()
        }
        isDone.raise()
        #expect(await renderThread.value)
        #expect(Set(answered) == Set(asked))
        #expect(answered.count == asked.count)
        poll()
        #expect(control.link.held.count == 1)
    }

    @Test("A reset while no callback runs leaves silence, returns every plan, and keeps the master gain and the engine's frames")
    func reset() {
        let engine = TestEngine()
        engine.control.start(engine.compile(tone))
        engine.run(1000)
        engine.control.setNext(engine.compile(other))
        engine.control.setMaster(-6)
        engine.control.edit([Setting(layer: 0, parameter: .carrier, value: 300)])
        engine.control.reset()
        #expect(engine.control.link.held.count == 1)
        #expect(engine.control.masterGain == -6)
        #expect(!engine.control.status.isSounding)
        let from = engine.left.count
        #expect(engine.control.status.engineFrame.number == Int64(from))
        engine.run(500)
        #expect(engine.left[from...].allSatisfy { $0 == 0 })
        let serial = engine.control.start(engine.compile(other), at: 480)
        engine.run(2000)
        #expect(engine.landing(of: serial) != nil)
        #expect(engine.left[from...].contains { abs($0) > 0.02 })
    }
}

/// A value that one thread passes to another.
private final class Flag: Sendable {
    private let raised = Atomic(false)

    var isRaised: Bool { raised.load(ordering: .acquiring) }

    func raise() { raised.store(true, ordering: .releasing) }
}

extension EngineControl {
    /// The current item, with all edits made to it so far.
    var currentPlan: Plan? { live.map { Plan($0.plan.latest) } }

    /// The current or target level of the master gain in dB.
    fileprivate var masterGain: Double { master.track.timeline.end }
}
