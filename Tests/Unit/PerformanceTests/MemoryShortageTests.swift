import Engine
import Patches
import Performance
import Playback
import TestSupport
import Testing

/// Next items, changes and starts that no command asks for, while there is too little memory for a plan.
@Suite struct MemoryShortageTests {
    private static func items(_ seconds: Double?...) -> [QueueItem] {
        seconds.enumerated().map { PlayingTests.item("\($0)", carrier: 200 + 100 * Double($0), seconds: $1) }
    }

    @Test("the item that the engine has plays to its end; then the player is paused at the next one, says so, and resumes from there")
    func nextItem() {
        let performance = TestPerformance(Self.items(0.5, 0.5, nil))
        performance.send(.play)
        performance.cycles(10)
        #expect(performance.performance.shortage.takeNotices().isEmpty)
        performance.memory.isEnough = false
        performance.cycles(140)
        #expect(performance.player.state.currentIndex == 1)
        #expect(performance.player.state.playback == .playing)
        #expect(performance.level(ofLast: 10) > 0.04)
        performance.cycles(100)
        #expect(performance.player.state.currentIndex == 2)
        #expect(performance.player.state.playback == .paused)
        #expect(performance.position == 0)
        #expect(!performance.performance.isSettling)
        #expect(performance.level(ofLast: 20) == 0)
        #expect(performance.performance.shortage.takeNotices() == [.paused])
        performance.cycles(40)
        #expect(performance.performance.shortage.takeNotices().isEmpty)
        performance.memory.isEnough = true
        performance.send(.play)
        performance.cycles(20)
        #expect(performance.player.state.playback == .playing)
        #expect(performance.performance.position == performance.position)
        #expect(performance.position == 20 * Int64(TestPerformance.period))
        #expect(performance.level(ofLast: 10) > 0.04)
    }

    @Test("the next item follows on the frame if there is memory for it before the present one ends; the shortage is reported once")
    func later() {
        let performance = TestPerformance(Self.items(0.5, 1, nil))
        performance.send(.play)
        performance.cycles(10)
        performance.memory.isEnough = false
        performance.cycles(120)
        #expect(performance.player.state.currentIndex == 1)
        #expect(performance.performance.shortage.takeNotices() == [.waiting])
        performance.memory.isEnough = true
        performance.cycles(180)
        #expect(performance.player.state.currentIndex == 2)
        #expect(performance.player.state.playback == .playing)
        #expect(performance.position == 310 * Int64(TestPerformance.period) - 72_000)
        #expect(performance.performance.position == performance.position)
        #expect(performance.performance.shortage.takeNotices().isEmpty)
    }

    @Test("the repetition of an item that was made softer since does not begin at its old level")
    func repetition() {
        let performance = TestPerformance(Self.items(4))
        performance.send(.changeRepeatMode(to: .one))
        performance.send(.play)
        performance.cycles(10)
        performance.send(.set(Setting(layer: 0, parameter: .gain, value: -60), ramp: nil))
        performance.memory.isEnough = false
        performance.cycles(800)
        #expect(performance.player.state.playback == .paused)
        #expect(performance.left.suffix(700 * TestPerformance.period).map(abs).max() ?? 0 < 0.0011)
    }

    @Test("a patch that was saved again sounds as before until there is memory, and then crossfades without a click")
    func glide() {
        let performance = TestPerformance(Self.items(nil))
        performance.send(.play)
        performance.cycles(20)
        performance.memory.isEnough = false
        let patch = PlayingTests.item("0", carrier: 350, seconds: nil).patch
        _ = patch.map { performance.player.replacePatch(ofItem: 0, with: $0, restored: nil, at: performance.performance.moment) }
        performance.carryOut()
        performance.cycles(64)
        func frequency() -> Double? { strongestFrequency(performance.left.suffix(16_384).map(Double.init), sampleRate: 48_000) }
        #expect(frequency().map { abs($0 - 200) < 1 } == true)
        #expect(performance.performance.position == performance.position)
        #expect(performance.performance.shortage.takeNotices() == [.waiting])
        performance.memory.isEnough = true
        performance.cycles(100)
        #expect(frequency().map { abs($0 - 350) < 1 } == true)
        #expect(performance.performance.position == performance.position)
        performance.send(.stop)
        performance.cycles(10)
        #expect(peakAbove(2000, in: performance.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }

    @Test("a control that is released with too little memory returns at once, so that its level is the one that the player knows")
    func release() {
        let performance = TestPerformance(Self.items(nil))
        let gain = Fader.parameter(.gain, layer: 0)
        performance.send(.changeTouchMode(to: .return))
        performance.send(.play)
        performance.cycles(20)
        performance.send(.touch(gain, true))
        performance.send(.set(Setting(layer: 0, parameter: .gain, value: -40), ramp: nil))
        performance.cycles(40)
        performance.memory.isEnough = false
        performance.send(.touch(gain, false))
        performance.cycles(600)
        #expect(performance.level(ofLast: 10) > 0.04)
    }

    @Test("a start for which there is no memory leaves the player paused at its position, also after JACK's return")
    func start() {
        let performance = TestPerformance(Self.items(nil))
        performance.send(.play)
        performance.cycles(40)
        let position = performance.position
        performance.audioGoes()
        performance.memory.isEnough = false
        performance.audioComes()
        performance.cycles(20)
        #expect(performance.player.state.playback == .paused)
        #expect(abs(performance.position - position) <= Int64(TestPerformance.period))
        #expect(performance.level(ofLast: 20) == 0)
        #expect(!performance.performance.isSettling)
    }
}
