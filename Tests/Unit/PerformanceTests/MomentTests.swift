import Patches
import Playback
import Testing

@testable import Engine

/// Commands for a future moment take effect on its frame.
@Suite struct MomentTests {
    /// Noise, so that every frame differs from any other; each layer has its own ear.
    private static func item(_ name: String = "one", seconds: Double? = nil) -> QueueItem {
        QueueItem(
            reference: name,
            patch: Patch(
                duration: seconds,
                layers: [
                    Layer(name: "left", kind: .noise, values: [.gain: -20, .pan: -1]),
                    Layer(name: "right", kind: .noise, values: [.gain: -20, .pan: 1]),
                ]))
    }

    private static func setting(_ layer: Int, _ gain: Double) -> Setting { Setting(layer: layer, parameter: .gain, value: gain) }

    private static func plan(_ item: QueueItem) -> Plan {
        PlanCompiler.compile(item.patch.unsafelyUnwrapped, sampleRate: 48_000)
    }

    private static func render(_ plan: Plan, from start: Int64 = 0, count: Int) -> (left: [Float], right: [Float]) {
        let renderer = OfflineRenderer(plan, from: start, kernel: .baseline)
        var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
        left.withUnsafeMutableBufferPointer { left in
            right.withUnsafeMutableBufferPointer { right in _ = renderer.render(left: left, right: right) }
        }
        return (left, right)
    }

    @Test("a start and ramps for one moment are in the sound from that frame on, bit for bit as rendered with the ramps from there")
    func start() {
        let item = Self.item()
        let performance = TestPerformance([item])
        performance.cycles(5)
        let frame = 2777
        performance.performance.simultaneously(at: Moment(frame: Int64(frame))) {
            #expect(performance.performance.moment.frame == Int64(frame))
            performance.send(.play)
            performance.send(.set(Self.setting(0, -30), ramp: Ramp(seconds: 0.1)))
            performance.send(.set(Self.setting(1, -40), ramp: Ramp(seconds: 0.1)))
        }
        performance.cycles(40)
        let plan = Self.plan(item).edited { $0.apply([Self.setting(0, -30), Self.setting(1, -40)], at: 0, ramp: 0.1) }
        let expected = Self.render(plan, count: 6000)
        #expect(performance.left[..<frame].allSatisfy { $0 == 0 })
        #expect(Array(performance.left[frame..<frame + 6000]) == expected.left)
        #expect(Array(performance.right[frame..<frame + 6000]) == expected.right)
        let anchor = performance.player.state.anchor
        #expect(anchor.position == 0)
        #expect(anchor.moment.frame == Int64(frame))
    }

    @Test("after a pause and edits for one moment, the position is that of the frame at which the fade starts")
    func pause() {
        let item = Self.item()
        let performance = TestPerformance([item])
        performance.send(.play)
        performance.cycles(10)
        let frame = Int64(performance.left.count) + 1001
        performance.performance.simultaneously(at: Moment(frame: frame)) {
            performance.send(.set(Self.setting(1, -40), ramp: nil))
            performance.send(.pause)
        }
        performance.cycles(20)
        #expect(performance.player.state.anchor.position == frame)
        let expected = Self.render(Self.plan(item), count: Int(frame) + 1)
        #expect(Array(performance.left[...Int(frame)]) == expected.left)
        #expect(Array(performance.right[...Int(frame)]) == expected.right)
        #expect(performance.left[Int(frame) + 960] == 0)
        #expect(performance.left[Int(frame) + 900] != 0)
        // A few frames later both the fade and the edit differ from the previous sound.
        let later = Self.render(Self.plan(item), from: frame + 100, count: 1)
        #expect(performance.left[Int(frame) + 100] != later.left[0])
    }

    @Test("bundles sent in sequence before the first has started each take effect on their own frame")
    func stream() {
        let item = Self.item()
        let performance = TestPerformance([item])
        performance.cycles(2)
        let first = 2000
        performance.performance.simultaneously(at: Moment(frame: Int64(first))) { performance.send(.play) }
        performance.performance.simultaneously(at: Moment(frame: Int64(first))) { performance.send(.set(Self.setting(0, -30), ramp: nil)) }
        performance.performance.simultaneously(at: Moment(frame: Int64(first) + 333)) {
            performance.send(.set(Self.setting(1, -30), ramp: nil))
        }
        performance.cycles(30)
        let plan = Self.plan(item).edited {
            $0.apply([Self.setting(0, -30)], at: 0)
            $0.apply([Self.setting(1, -30)], at: 333)
        }
        let expected = Self.render(plan, count: 4000)
        #expect(Array(performance.left[first..<first + 4000]) == expected.left)
        #expect(Array(performance.right[first..<first + 4000]) == expected.right)
    }

    @Test("later requests do not overtake a bundle that has been handed over")
    func order() {
        let performance = TestPerformance([Self.item()])
        performance.cycles(2)
        performance.performance.simultaneously(at: Moment(frame: 3000)) { performance.send(.play) }
        #expect(performance.performance.moment.frame == 3000)
        #expect(performance.performance.now.frame == 512)
        performance.send(.pause)
        performance.cycles(30)
        #expect(performance.player.state.playback == .paused)
        #expect(!(performance.performance.status?.isSounding ?? true))
        #expect(performance.performance.moment == performance.performance.now)
    }

    @Test("a moment that has passed means as soon as possible, and is reported as missed")
    func late() {
        let performance = TestPerformance([Self.item()])
        performance.cycles(10)
        let isMet = performance.performance.simultaneously(at: Moment(frame: 100)) {
            performance.send(.play)
            performance.send(.setMasterGain(-6, ramp: nil))
        }
        #expect(!isMet)
        performance.cycles(3)
        #expect(performance.player.state.anchor.moment.frame == 11 * Int64(TestPerformance.period))
    }

    @Test("a moment that passed while its start was prepared is reported as missed")
    func lateByItself() {
        let performance = TestPerformance([Self.item()])
        performance.cycles(10)
        let isMet = performance.performance.simultaneously(at: Moment(frame: 20 * Int64(TestPerformance.period))) {
            performance.send(.play)
            // As long as a slow disk takes to open a sound file.
            performance.cycles(15)
        }
        #expect(!isMet)
        performance.cycles(3)
        #expect(performance.player.state.anchor.moment.frame == 25 * Int64(TestPerformance.period))
    }

    @Test("panic does not wait for a bundle, and nothing starts afterwards")
    func panic() {
        let performance = TestPerformance([Self.item()])
        performance.send(.play)
        performance.cycles(10)
        let frame = performance.left.count
        performance.performance.simultaneously(at: Moment(frame: Int64(frame) + 3000)) { performance.send(.changePosition(to: 20)) }
        performance.send(.panic)
        performance.cycles(30)
        // 30 ms of fade.
        #expect(performance.left[(frame + 1441)...].allSatisfy { $0 == 0 })
        #expect(performance.player.state.playback == .stopped)
        performance.send(.play)
        performance.cycles(5)
        #expect(performance.player.state.anchor.position == 0)
        #expect(performance.performance.position != nil)
    }

    @Test("an item started in a bundle is followed by the next item on the sample after its last")
    func next() {
        let performance = TestPerformance([Self.item("one", seconds: 0.1), Self.item("two", seconds: 1)])
        performance.cycles(2)
        performance.performance.simultaneously(at: Moment(frame: 1111)) { performance.send(.play) }
        performance.cycles(30)
        #expect(performance.player.state.currentIndex == 1)
        let anchor = performance.player.state.anchor
        #expect(anchor.position == 0)
        #expect(anchor.moment.frame == 1111 + 4800)
    }

    @Test("a hundred edits at one frame are one change of the sound")
    func many() {
        let item = Self.item()
        let performance = TestPerformance([item])
        performance.send(.play)
        performance.cycles(4)
        let frame = Int64(performance.left.count) + 700
        performance.performance.simultaneously(at: Moment(frame: frame)) {
            for step in 0..<100 {
                performance.send(.set(Self.setting(step % 2, -20 - Double(step % 10)), ramp: nil))
                performance.send(.setMasterGain(-Double(step % 3), ramp: nil))
            }
        }
        #expect(performance.performance.isInTheSound(performance.performance.mark) == false)
        performance.cycles(1)
        #expect(performance.performance.isInTheSound(performance.performance.mark))
        performance.cycles(10)
        let quiet = Self.render(Self.plan(item), count: Int(frame) + 1)
        #expect(Array(performance.left[...Int(frame)]) == quiet.left)
        #expect(performance.left[Int(frame) + 100] != Self.render(Self.plan(item), from: frame + 100, count: 1).left[0])
    }
}

extension Plan {
    fileprivate func edited(_ change: (inout PlanDraft) -> Void) -> Plan {
        var draft = PlanDraft(self)
        change(&draft)
        return Plan(draft)
    }
}
