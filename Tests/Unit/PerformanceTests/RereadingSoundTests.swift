import Patches
import Playback
import TestSupport
import Testing

/// The sound when a patch is saved again.
@Suite struct RereadingSoundTests {
    private static func replace(_ stage: TestPerformance, _ carrier: Double, seconds: Double? = nil, item: Int = 0) {
        let patch = PlayingTests.item("one", carrier: carrier, seconds: seconds).patch
        guard let patch else { return }
        _ = stage.player.replacePatch(ofItem: item, with: patch, restored: nil, at: stage.performance.moment)
        stage.carryOut()
    }

    @Test("a patch that is read again is crossfaded without a click, at the position where it would have been")
    func crossfade() {
        let stage = TestPerformance([PlayingTests.item("one", carrier: 200, seconds: nil)])
        stage.send(.play)
        stage.cycles(40)
        Self.replace(stage, 300)
        stage.cycles(40)
        #expect(stage.position == 80 * Int64(TestPerformance.period))
        #expect(stage.performance.position == stage.position)
        let other = TestPerformance([PlayingTests.item("one", carrier: 300, seconds: nil)])
        other.send(.play)
        other.cycles(80)
        let last = 20 * TestPerformance.period
        #expect(Array(stage.left.suffix(last)) == Array(other.left.suffix(last)))
        stage.send(.stop)
        stage.cycles(10)
        #expect(peakAbove(2000, in: stage.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }

    @Test("of many saves in a row the newest is heard, and the sound stays without a click")
    func burst() {
        let stage = TestPerformance([PlayingTests.item("one", carrier: 200, seconds: nil)])
        stage.send(.play)
        stage.cycles(20)
        for number in 1...30 {
            Self.replace(stage, 200 + 5 * Double(number))
            if number % 7 == 0 { stage.cycles(1) }
        }
        stage.cycles(60)
        #expect(stage.performance.currentPlan(stage.player.state) != nil)
        #expect(strongestFrequency(stage.left.suffix(16_384).map(Double.init), sampleRate: 48_000).map { abs($0 - 350) < 1 } == true)
        #expect(stage.performance.position == stage.position)
        stage.send(.stop)
        stage.cycles(10)
        #expect(peakAbove(2000, in: stage.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }

    @Test("one that is now shorter than the position starts again, without a click")
    func shorter() {
        let stage = TestPerformance([PlayingTests.item("one", carrier: 200, seconds: 60)])
        stage.send(.play)
        stage.cycles(100)
        Self.replace(stage, 300, seconds: 0.4)
        stage.cycles(20)
        #expect(stage.player.state.playback == .playing)
        #expect(stage.position < 20 * Int64(TestPerformance.period) + 1)
        stage.send(.stop)
        stage.cycles(10)
        #expect(peakAbove(2000, in: stage.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }

    @Test("the item that follows is the version saved last")
    func following() {
        let stage = TestPerformance([
            PlayingTests.item("one", carrier: 200, seconds: 0.3), PlayingTests.item("two", carrier: 200, seconds: nil),
        ])
        stage.send(.play)
        stage.cycles(10)
        Self.replace(stage, 400, item: 1)
        stage.cycles(150)
        #expect(stage.player.state.currentIndex == 1)
        #expect(strongestFrequency(stage.left.suffix(16_384).map(Double.init), sampleRate: 48_000).map { abs($0 - 400) < 1 } == true)
    }

    @Test("one that is read again after the engine has begun it, and before that is known, is heard as it was saved", arguments: 1...8)
    func beginning(late: Int) {
        let stage = TestPerformance([
            PlayingTests.item("one", carrier: 200, seconds: 0.3), PlayingTests.item("two", carrier: 200, seconds: nil),
        ])
        stage.send(.play)
        let last = Int(0.3 * 48_000) / TestPerformance.period
        stage.cycles(last - 4)
        stage.cycles(late, polls: false)
        Self.replace(stage, 400, item: 1)
        stage.cycles(150)
        #expect(stage.player.state.currentIndex == 1)
        #expect(strongestFrequency(stage.left.suffix(16_384).map(Double.init), sampleRate: 48_000).map { abs($0 - 400) < 1 } == true)
        stage.send(.stop)
        stage.cycles(10)
        #expect(peakAbove(2000, in: stage.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }

    @Test("one that is read again while paused is heard after resuming, and an edit of a new layer at once")
    func paused() {
        let stage = TestPerformance([PlayingTests.item("one", carrier: 200, seconds: nil)])
        stage.send(.play)
        stage.cycles(20)
        stage.send(.pause)
        stage.cycles(10)
        Self.replace(stage, 300)
        stage.cycles(10)
        #expect(stage.level(ofLast: 5) == 0)
        stage.send(.play)
        stage.cycles(100)
        #expect(strongestFrequency(stage.left.suffix(16_384).map(Double.init), sampleRate: 48_000).map { abs($0 - 300) < 1 } == true)
        var patch = PlayingTests.item("one", carrier: 300, seconds: nil).patch
        patch?.layers.insert(Layer(name: "new", kind: .tone, values: [.carrier: 500, .gain: Parameter.off]), at: 0)
        _ = stage.player.replacePatch(ofItem: 0, with: patch!, restored: nil, at: stage.performance.moment)
        stage.carryOut()
        stage.send(.set(Setting(layer: 1, parameter: .gain, value: Parameter.off), ramp: nil))
        stage.cycles(60)
        #expect(stage.level(ofLast: 10) == 0)
    }
}
