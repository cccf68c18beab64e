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
        let host = RenderedHost(Self.items(0.5, 0.5, nil))
        host.send(.play)
        host.cycles(10)
        #expect(host.performance.shortage.takeNotices().isEmpty)
        host.memory.isEnough = false
        host.cycles(140)
        #expect(host.player.state.currentIndex == 1)
        #expect(host.player.state.playback == .playing)
        #expect(host.level(ofLast: 10) > 0.04)
        host.cycles(100)
        #expect(host.player.state.currentIndex == 2)
        #expect(host.player.state.playback == .paused)
        #expect(host.position == 0)
        #expect(!host.performance.isSettling)
        #expect(host.level(ofLast: 20) == 0)
        #expect(host.performance.shortage.takeNotices() == [.paused])
        host.cycles(40)
        #expect(host.performance.shortage.takeNotices().isEmpty)
        host.memory.isEnough = true
        host.send(.play)
        host.cycles(20)
        #expect(host.player.state.playback == .playing)
        #expect(host.performance.position == host.position)
        #expect(host.position == 20 * Int64(RenderedHost.period))
        #expect(host.level(ofLast: 10) > 0.04)
    }

    @Test("the next item follows on the frame if there is memory for it before the present one ends; the shortage is reported once")
    func later() {
        let host = RenderedHost(Self.items(0.5, 1, nil))
        host.send(.play)
        host.cycles(10)
        host.memory.isEnough = false
        host.cycles(120)
        #expect(host.player.state.currentIndex == 1)
        #expect(host.performance.shortage.takeNotices() == [.waiting])
        host.memory.isEnough = true
        host.cycles(180)
        #expect(host.player.state.currentIndex == 2)
        #expect(host.player.state.playback == .playing)
        #expect(host.position == 310 * Int64(RenderedHost.period) - 72_000)
        #expect(host.performance.position == host.position)
        #expect(host.performance.shortage.takeNotices().isEmpty)
    }

    @Test("the repetition of an item that was made softer since does not begin at its old level")
    func repetition() {
        let host = RenderedHost(Self.items(4))
        host.send(.changeRepeatMode(to: .one))
        host.send(.play)
        host.cycles(10)
        host.send(.set(Setting(layer: 0, parameter: .gain, value: -60), ramp: nil))
        host.memory.isEnough = false
        host.cycles(800)
        #expect(host.player.state.playback == .paused)
        #expect(host.left.suffix(700 * RenderedHost.period).map(abs).max() ?? 0 < 0.0011)
    }

    @Test("a patch that was saved again sounds as before until there is memory, and then crossfades without a click")
    func crossfadeInPlace() {
        let host = RenderedHost(Self.items(nil))
        host.send(.play)
        host.cycles(20)
        host.memory.isEnough = false
        let patch = PlayingTests.item("0", carrier: 350, seconds: nil).patch
        _ = patch.map { host.player.replacePatch(ofItem: 0, with: $0, restored: nil, at: host.performance.moment) }
        host.carryOut()
        host.cycles(64)
        func frequency() -> Double? { strongestFrequency(host.left.suffix(16_384).map(Double.init), sampleRate: 48_000) }
        #expect(frequency().map { abs($0 - 200) < 1 } == true)
        #expect(host.performance.position == host.position)
        #expect(host.performance.shortage.takeNotices() == [.waiting])
        host.memory.isEnough = true
        host.cycles(100)
        #expect(frequency().map { abs($0 - 350) < 1 } == true)
        #expect(host.performance.position == host.position)
        host.send(.stop)
        host.cycles(10)
        #expect(peakAbove(2000, in: host.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }

    @Test("a control that is released with too little memory returns at once, so that its level is the one that the player knows")
    func release() {
        let host = RenderedHost(Self.items(nil))
        let gain = Fader.parameter(.gain, layer: 0)
        host.send(.changeTouchMode(to: .return))
        host.send(.play)
        host.cycles(20)
        host.send(.touch(gain, true))
        host.send(.set(Setting(layer: 0, parameter: .gain, value: -40), ramp: nil))
        host.cycles(40)
        host.memory.isEnough = false
        host.send(.touch(gain, false))
        host.cycles(600)
        #expect(host.level(ofLast: 10) > 0.04)
    }

    @Test("a start for which there is no memory leaves the player paused at its position, also after JACK's return")
    func start() {
        let host = RenderedHost(Self.items(nil))
        host.send(.play)
        host.cycles(40)
        let position = host.position
        host.audioGoes()
        host.memory.isEnough = false
        host.audioComes()
        host.cycles(20)
        #expect(host.player.state.playback == .paused)
        #expect(abs(host.position - position) <= Int64(RenderedHost.period))
        #expect(host.level(ofLast: 20) == 0)
        #expect(!host.performance.isSettling)
    }
}
