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
        let host = RenderedHost([item])
        host.cycles(5)
        let frame = 2777
        host.performance.simultaneously(at: Moment(frame: Int64(frame))) {
            #expect(host.performance.moment.frame == Int64(frame))
            host.send(.play)
            host.send(.set(Self.setting(0, -30), ramp: Ramp(seconds: 0.1)))
            host.send(.set(Self.setting(1, -40), ramp: Ramp(seconds: 0.1)))
        }
        host.cycles(40)
        let plan = Self.plan(item).edited { $0.apply([Self.setting(0, -30), Self.setting(1, -40)], at: 0, ramp: 0.1) }
        let expected = Self.render(plan, count: 6000)
        #expect(host.left[..<frame].allSatisfy { $0 == 0 })
        #expect(Array(host.left[frame..<frame + 6000]) == expected.left)
        #expect(Array(host.right[frame..<frame + 6000]) == expected.right)
        let anchor = host.player.state.anchor
        #expect(anchor.position == 0)
        #expect(anchor.moment.frame == Int64(frame))
    }

    @Test("after a pause and edits for one moment, the position is that of the frame at which the fade starts")
    func pause() {
        let item = Self.item()
        let host = RenderedHost([item])
        host.send(.play)
        host.cycles(10)
        let frame = Int64(host.left.count) + 1001
        host.performance.simultaneously(at: Moment(frame: frame)) {
            host.send(.set(Self.setting(1, -40), ramp: nil))
            host.send(.pause)
        }
        host.cycles(20)
        #expect(host.player.state.anchor.position == frame)
        let expected = Self.render(Self.plan(item), count: Int(frame) + 1)
        #expect(Array(host.left[...Int(frame)]) == expected.left)
        #expect(Array(host.right[...Int(frame)]) == expected.right)
        #expect(host.left[Int(frame) + 960] == 0)
        #expect(host.left[Int(frame) + 900] != 0)
        // A few frames later both the fade and the edit differ from the previous sound.
        let later = Self.render(Self.plan(item), from: frame + 100, count: 1)
        #expect(host.left[Int(frame) + 100] != later.left[0])
    }

    @Test("bundles sent in sequence before the first has started each take effect on their own frame")
    func stream() {
        let item = Self.item()
        let host = RenderedHost([item])
        host.cycles(2)
        let first = 2000
        host.performance.simultaneously(at: Moment(frame: Int64(first))) { host.send(.play) }
        host.performance.simultaneously(at: Moment(frame: Int64(first))) { host.send(.set(Self.setting(0, -30), ramp: nil)) }
        host.performance.simultaneously(at: Moment(frame: Int64(first) + 333)) {
            host.send(.set(Self.setting(1, -30), ramp: nil))
        }
        host.cycles(30)
        let plan = Self.plan(item).edited {
            $0.apply([Self.setting(0, -30)], at: 0)
            $0.apply([Self.setting(1, -30)], at: 333)
        }
        let expected = Self.render(plan, count: 4000)
        #expect(Array(host.left[first..<first + 4000]) == expected.left)
        #expect(Array(host.right[first..<first + 4000]) == expected.right)
    }

    @Test("later requests do not overtake a bundle that has been handed over")
    func order() {
        let host = RenderedHost([Self.item()])
        host.cycles(2)
        host.performance.simultaneously(at: Moment(frame: 3000)) { host.send(.play) }
        #expect(host.performance.moment.frame == 3000)
        #expect(host.performance.now.frame == 512)
        host.send(.pause)
        host.cycles(30)
        #expect(host.player.state.playback == .paused)
        #expect(!(host.performance.status?.isSounding ?? true))
        #expect(host.performance.moment == host.performance.now)
    }

    @Test("a moment that has passed means as soon as possible, and is reported as missed")
    func late() {
        let host = RenderedHost([Self.item()])
        host.cycles(10)
        let isMet = host.performance.simultaneously(at: Moment(frame: 100)) {
            host.send(.play)
            host.send(.setMasterGain(-6, ramp: nil))
        }
        #expect(!isMet)
        host.cycles(3)
        #expect(host.player.state.anchor.moment.frame == 11 * Int64(RenderedHost.period))
    }

    @Test("a moment that passed while its start was prepared is reported as missed")
    func lateByItself() {
        let host = RenderedHost([Self.item()])
        host.cycles(10)
        let isMet = host.performance.simultaneously(at: Moment(frame: 20 * Int64(RenderedHost.period))) {
            host.send(.play)
            // As long as a slow disk takes to open a sound file.
            host.cycles(15)
        }
        #expect(!isMet)
        host.cycles(3)
        #expect(host.player.state.anchor.moment.frame == 25 * Int64(RenderedHost.period))
    }

    @Test("panic does not wait for a bundle, and nothing starts afterwards")
    func panic() {
        let host = RenderedHost([Self.item()])
        host.send(.play)
        host.cycles(10)
        let frame = host.left.count
        host.performance.simultaneously(at: Moment(frame: Int64(frame) + 3000)) { host.send(.changePosition(to: 20)) }
        host.send(.panic)
        host.cycles(30)
        // 30 ms of fade.
        #expect(host.left[(frame + 1441)...].allSatisfy { $0 == 0 })
        #expect(host.player.state.playback == .stopped)
        host.send(.play)
        host.cycles(5)
        #expect(host.player.state.anchor.position == 0)
        #expect(host.performance.position != nil)
    }

    @Test("an item started in a bundle is followed by the next item on the sample after its last")
    func next() {
        let host = RenderedHost([Self.item("one", seconds: 0.1), Self.item("two", seconds: 1)])
        host.cycles(2)
        host.performance.simultaneously(at: Moment(frame: 1111)) { host.send(.play) }
        host.cycles(30)
        #expect(host.player.state.currentIndex == 1)
        let anchor = host.player.state.anchor
        #expect(anchor.position == 0)
        #expect(anchor.moment.frame == 1111 + 4800)
    }

    @Test("a hundred edits at one frame are one change of the sound")
    func many() {
        let item = Self.item()
        let host = RenderedHost([item])
        host.send(.play)
        host.cycles(4)
        let frame = Int64(host.left.count) + 700
        host.performance.simultaneously(at: Moment(frame: frame)) {
            for step in 0..<100 {
                host.send(.set(Self.setting(step % 2, -20 - Double(step % 10)), ramp: nil))
                host.send(.setMasterGain(-Double(step % 3), ramp: nil))
            }
        }
        #expect(host.performance.isInTheSound(host.performance.mark) == false)
        host.cycles(1)
        #expect(host.performance.isInTheSound(host.performance.mark))
        host.cycles(10)
        let quiet = Self.render(Self.plan(item), count: Int(frame) + 1)
        #expect(Array(host.left[...Int(frame)]) == quiet.left)
        #expect(host.left[Int(frame) + 100] != Self.render(Self.plan(item), from: frame + 100, count: 1).left[0])
    }
}

extension Plan {
    fileprivate func edited(_ change: (inout PlanDraft) -> Void) -> Plan {
        var draft = PlanDraft(self)
        change(&draft)
        return Plan(draft)
    }
}
