import Engine
import Patches
import Playback
import TestSupport
import Testing

/// The sound when a patch is saved again.
@Suite struct RereadingSoundTests {
    private static func replace(_ performance: TestPerformance, _ carrier: Double, seconds: Double? = nil, item: Int = 0) {
        let patch = PlayingTests.item("one", carrier: carrier, seconds: seconds).patch
        guard let patch else { return }
        _ = performance.player.replacePatch(ofItem: item, with: patch, restored: nil, at: performance.performance.moment)
        performance.carryOut()
    }

    @Test("a patch that is read again is crossfaded without a click, at the position where it would have been")
    func crossfade() {
        let performance = TestPerformance([PlayingTests.item("one", carrier: 200, seconds: nil)])
        performance.send(.play)
        performance.cycles(40)
        Self.replace(performance, 300)
        performance.cycles(40)
        #expect(performance.position == 80 * Int64(TestPerformance.period))
        #expect(performance.performance.position == performance.position)
        let other = TestPerformance([PlayingTests.item("one", carrier: 300, seconds: nil)])
        other.send(.play)
        other.cycles(80)
        let last = 20 * TestPerformance.period
        #expect(Array(performance.left.suffix(last)) == Array(other.left.suffix(last)))
        performance.send(.stop)
        performance.cycles(10)
        #expect(peakAbove(2000, in: performance.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }

    @Test("the newest of many saves in a row is heard, and the sound does not click")
    func burst() {
        let performance = TestPerformance([PlayingTests.item("one", carrier: 200, seconds: nil)])
        performance.send(.play)
        performance.cycles(20)
        for number in 1...30 {
            Self.replace(performance, 200 + 5 * Double(number))
            if number % 7 == 0 { performance.cycles(1) }
        }
        performance.cycles(60)
        #expect(performance.performance.currentPlan(performance.player.state) != nil)
        #expect(strongestFrequency(performance.left.suffix(16_384).map(Double.init), sampleRate: 48_000).map { abs($0 - 350) < 1 } == true)
        #expect(performance.performance.position == performance.position)
        performance.send(.stop)
        performance.cycles(10)
        #expect(peakAbove(2000, in: performance.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }

    @Test("of saves that follow each other closely, one is crossfaded at a time, and the newest is heard")
    func oneAtATime() {
        let performance = TestPerformance([PlayingTests.item("one", carrier: 200, seconds: nil)])
        performance.send(.play)
        performance.cycles(20)
        var starts: Set<UInt64> = []
        // 60 periods of 256 frames are 0.32 s, which has room for six crossfades of 50 ms and the one that begins at once.
        for number in 1...60 {
            Self.replace(performance, 200 + Double(number))
            performance.cycles(1)
            if let serial = performance.performance.status?.playheadSerial { starts.insert(serial) }
        }
        // The first is the start of the item.
        #expect((4...8).contains(starts.count))
        performance.cycles(60)
        #expect(strongestFrequency(performance.left.suffix(16_384).map(Double.init), sampleRate: 48_000).map { abs($0 - 260) < 1 } == true)
    }

    @Test("one that is now shorter than the position starts again, without a click")
    func shorter() {
        let performance = TestPerformance([PlayingTests.item("one", carrier: 200, seconds: 60)])
        performance.send(.play)
        performance.cycles(100)
        Self.replace(performance, 300, seconds: 0.4)
        performance.cycles(20)
        #expect(performance.player.state.playback == .playing)
        #expect(performance.position < 20 * Int64(TestPerformance.period) + 1)
        performance.send(.stop)
        performance.cycles(10)
        #expect(peakAbove(2000, in: performance.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }

    @Test("the item that follows is the version saved last")
    func following() {
        let performance = TestPerformance([
            PlayingTests.item("one", carrier: 200, seconds: 0.3), PlayingTests.item("two", carrier: 200, seconds: nil),
        ])
        performance.send(.play)
        performance.cycles(10)
        Self.replace(performance, 400, item: 1)
        performance.cycles(150)
        #expect(performance.player.state.currentIndex == 1)
        #expect(strongestFrequency(performance.left.suffix(16_384).map(Double.init), sampleRate: 48_000).map { abs($0 - 400) < 1 } == true)
    }

    @Test("one that is read again after the engine has begun it, and before that is known, is heard as it was saved", arguments: 1...8)
    func beginning(late: Int) {
        let performance = TestPerformance([
            PlayingTests.item("one", carrier: 200, seconds: 0.3), PlayingTests.item("two", carrier: 200, seconds: nil),
        ])
        performance.send(.play)
        let last = Int(0.3 * 48_000) / TestPerformance.period
        performance.cycles(last - 4)
        performance.cycles(late, polls: false)
        Self.replace(performance, 400, item: 1)
        performance.cycles(150)
        #expect(performance.player.state.currentIndex == 1)
        #expect(strongestFrequency(performance.left.suffix(16_384).map(Double.init), sampleRate: 48_000).map { abs($0 - 400) < 1 } == true)
        performance.send(.stop)
        performance.cycles(10)
        #expect(peakAbove(2000, in: performance.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }

    @Test("one that is read again while paused is heard after resuming, and an edit of a new layer at once")
    func paused() {
        let performance = TestPerformance([PlayingTests.item("one", carrier: 200, seconds: nil)])
        performance.send(.play)
        performance.cycles(20)
        performance.send(.pause)
        performance.cycles(10)
        Self.replace(performance, 300)
        performance.cycles(10)
        #expect(performance.level(ofLast: 5) == 0)
        performance.send(.play)
        performance.cycles(100)
        #expect(strongestFrequency(performance.left.suffix(16_384).map(Double.init), sampleRate: 48_000).map { abs($0 - 300) < 1 } == true)
        var patch = PlayingTests.item("one", carrier: 300, seconds: nil).patch
        patch?.layers.insert(Layer(name: "new", kind: .tone, values: [.carrier: 500, .gain: Parameter.off]), at: 0)
        _ = performance.player.replacePatch(ofItem: 0, with: patch!, restored: nil, at: performance.performance.moment)
        performance.carryOut()
        performance.send(.set(Setting(layer: 1, parameter: .gain, value: Parameter.off), ramp: nil))
        performance.cycles(60)
        #expect(performance.level(ofLast: 10) == 0)
    }
}
