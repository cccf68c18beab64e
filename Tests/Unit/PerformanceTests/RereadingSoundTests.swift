import Engine
import Patches
import Playback
import TestSupport
import Testing

/// The sound when a patch is saved again.
@Suite struct RereadingSoundTests {
    private static func replace(_ host: RenderedHost, _ carrier: Double, seconds: Double? = nil, item: Int = 0) {
        let patch = PlayingTests.item("one", carrier: carrier, seconds: seconds).patch
        guard let patch else { return }
        _ = host.player.replacePatch(ofItem: item, with: patch, restored: nil, at: host.performance.moment)
        host.carryOut()
    }

    @Test("a patch that is read again is crossfaded without a click, at the position where it would have been")
    func crossfade() {
        let host = RenderedHost([PlayingTests.item("one", carrier: 200, seconds: nil)])
        host.send(.play)
        host.cycles(40)
        Self.replace(host, 300)
        host.cycles(40)
        #expect(host.position == 80 * Int64(RenderedHost.period))
        #expect(host.performance.position == host.position)
        let other = RenderedHost([PlayingTests.item("one", carrier: 300, seconds: nil)])
        other.send(.play)
        other.cycles(80)
        let last = 20 * RenderedHost.period
        #expect(Array(host.left.suffix(last)) == Array(other.left.suffix(last)))
        host.send(.stop)
        host.cycles(10)
        #expect(peakAbove(2000, in: host.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }

    @Test("the newest of many saves in a row is heard, and the sound does not click")
    func burst() {
        let host = RenderedHost([PlayingTests.item("one", carrier: 200, seconds: nil)])
        host.send(.play)
        host.cycles(20)
        for number in 1...30 {
            Self.replace(host, 200 + 5 * Double(number))
            if number % 7 == 0 { host.cycles(1) }
        }
        host.cycles(60)
        #expect(host.performance.currentPlan(host.player.state) != nil)
        #expect(strongestFrequency(host.left.suffix(16_384).map(Double.init), sampleRate: 48_000).map { abs($0 - 350) < 1 } == true)
        #expect(host.performance.position == host.position)
        host.send(.stop)
        host.cycles(10)
        #expect(peakAbove(2000, in: host.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }

    @Test("of saves that follow each other closely, one is crossfaded at a time, and the newest is heard")
    func oneAtATime() {
        let host = RenderedHost([PlayingTests.item("one", carrier: 200, seconds: nil)])
        host.send(.play)
        host.cycles(20)
        var starts: Set<UInt64> = []
        // 60 periods of 256 frames are 0.32 s, which has room for six crossfades of 50 ms and the one that begins at once.
        for number in 1...60 {
            Self.replace(host, 200 + Double(number))
            host.cycles(1)
            if let serial = host.performance.status?.playheadSerial { starts.insert(serial) }
        }
        // The first is the start of the item.
        #expect((4...8).contains(starts.count))
        host.cycles(60)
        #expect(strongestFrequency(host.left.suffix(16_384).map(Double.init), sampleRate: 48_000).map { abs($0 - 260) < 1 } == true)
    }

    @Test("one that is now shorter than the position starts again, without a click")
    func shorter() {
        let host = RenderedHost([PlayingTests.item("one", carrier: 200, seconds: 60)])
        host.send(.play)
        host.cycles(100)
        Self.replace(host, 300, seconds: 0.4)
        host.cycles(20)
        #expect(host.player.state.playback == .playing)
        #expect(host.position < 20 * Int64(RenderedHost.period) + 1)
        host.send(.stop)
        host.cycles(10)
        #expect(peakAbove(2000, in: host.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }

    @Test("the item that follows is the version saved last")
    func following() {
        let host = RenderedHost([
            PlayingTests.item("one", carrier: 200, seconds: 0.3), PlayingTests.item("two", carrier: 200, seconds: nil),
        ])
        host.send(.play)
        host.cycles(10)
        Self.replace(host, 400, item: 1)
        host.cycles(150)
        #expect(host.player.state.currentIndex == 1)
        #expect(strongestFrequency(host.left.suffix(16_384).map(Double.init), sampleRate: 48_000).map { abs($0 - 400) < 1 } == true)
    }

    @Test("one that is read again after the engine has begun it, and before that is known, is heard as it was saved", arguments: 1...8)
    func beginning(late: Int) {
        let host = RenderedHost([
            PlayingTests.item("one", carrier: 200, seconds: 0.3), PlayingTests.item("two", carrier: 200, seconds: nil),
        ])
        host.send(.play)
        let last = Int(0.3 * 48_000) / RenderedHost.period
        host.cycles(last - 4)
        host.cycles(late, polls: false)
        Self.replace(host, 400, item: 1)
        host.cycles(150)
        #expect(host.player.state.currentIndex == 1)
        #expect(strongestFrequency(host.left.suffix(16_384).map(Double.init), sampleRate: 48_000).map { abs($0 - 400) < 1 } == true)
        host.send(.stop)
        host.cycles(10)
        #expect(peakAbove(2000, in: host.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }

    @Test("one that is read again while paused is heard after resuming, and an edit of a new layer at once")
    func paused() {
        let host = RenderedHost([PlayingTests.item("one", carrier: 200, seconds: nil)])
        host.send(.play)
        host.cycles(20)
        host.send(.pause)
        host.cycles(10)
        Self.replace(host, 300)
        host.cycles(10)
        #expect(host.level(ofLast: 5) == 0)
        host.send(.play)
        host.cycles(100)
        #expect(strongestFrequency(host.left.suffix(16_384).map(Double.init), sampleRate: 48_000).map { abs($0 - 300) < 1 } == true)
        var patch = PlayingTests.item("one", carrier: 300, seconds: nil).patch
        patch?.layers.insert(Layer(name: "new", kind: .tone, values: [.carrier: 500, .gain: Parameter.off]), at: 0)
        _ = host.player.replacePatch(ofItem: 0, with: patch!, restored: nil, at: host.performance.moment)
        host.carryOut()
        host.send(.set(Setting(layer: 1, parameter: .gain, value: Parameter.off), ramp: nil))
        host.cycles(60)
        #expect(host.level(ofLast: 10) == 0)
    }
}
