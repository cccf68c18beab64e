import Engine
import Patches
import Playback
import TestSupport
import Testing

/// Silence comes at once, whatever sounds and whatever was requested before.
@Suite struct SilenceTests {
    private func host(_ count: Int, seconds: Double? = nil) -> RenderedHost {
        RenderedHost((1...count).map { PlayingTests.item("\($0)", carrier: 200 + 10 * Double($0), seconds: seconds) })
    }

    private static let fade = 960
    nonisolated private static let silences: [Command] = [.pause, .stop, .toggle, .panic]

    @Test("In a crossfade pause, stop and panic silence both items within their fade", arguments: silences)
    func crossfade(silence: Command) {
        for crossfade in [0.1, 1, 30.0] {
            for isByItself in [false, true] {
                let host = host(2, seconds: isByItself ? 70 : nil)
                host.performance.crossfade = crossfade
                host.send(isByItself ? .changePosition(to: 70 - crossfade) : .play)
                host.send(.play)
                host.cycles(4)
                if !isByItself { host.send(.nextItem) }
                host.cycles(8)
                #expect(host.player.state.currentIndex == 1)
                #expect(host.level(ofLast: 1) > 0)
                let mark = host.left.count
                host.send(silence)
                host.cycles(12)
                #expect(host.isSilent(from: mark + Self.fade + 960), "crossfade of \(crossfade) s, by itself: \(isByItself)")
                let heard = [Double](repeating: 0, count: 100) + host.left.map(Double.init)
                #expect(peakAbove(2000, in: heard[...], sampleRate: 48_000) < -100)
            }
        }
    }

    @Test("Pressed repeatedly, pause and play never click")
    func again() {
        let host = host(2)
        host.performance.crossfade = 5
        host.send(.play)
        host.cycles(10)
        host.send(.nextItem)
        for press in 0..<60 {
            host.cycles(1 + press % 5)
            host.send(.toggle)
        }
        host.send(.panic)
        host.cycles(20)
        let heard = [Double](repeating: 0, count: 100) + host.left.map(Double.init)
        #expect(peakAbove(2000, in: heard[...], sampleRate: 48_000) < -100)
        #expect(host.isSilent(from: host.left.count - 10 * RenderedHost.period))
    }

    @Test("After a position fader at 60 a second under long fades, a pause is silent within the fade", arguments: [0.02, 0.5, 1.0])
    func fader(shortFade: Double) {
        let host = host(1)
        host.performance.shortFade = shortFade
        host.send(.play)
        for step in 0..<300 {
            host.send(.changePosition(to: Double(step)))
            host.cycles(3)
        }
        #expect(
            abs(host.position - (299 * 48_000 + 3 * Int64(RenderedHost.period))) <= 2 * Int64(RenderedHost.period),
            "heard where it was put")
        #expect(host.performance.position == host.position)
        let mark = host.left.count
        host.send(.pause)
        host.cycles(Int(shortFade * 48_000) / RenderedHost.period + 20)
        #expect(host.isSilent(from: mark + Int(shortFade * 48_000) + 2 * RenderedHost.period))
    }

    @Test("Twenty times next in a crossfade of 20 s are heard at once, and so is a stop after them")
    func nexts() {
        let host = host(30)
        host.performance.crossfade = 20
        host.send(.play)
        host.cycles(10)
        for _ in 0..<20 { host.send(.nextItem) }
        host.cycles(6)
        #expect(host.player.state.currentIndex == 20)
        #expect(!host.performance.isSettling)
        #expect(host.performance.position == host.position)
        for press in 0..<40 {
            host.send(press % 2 == 0 ? .previousItem : .nextItem)
            host.cycles(2)
        }
        host.cycles(4)
        #expect(!host.performance.isSettling)
        #expect(host.performance.position == host.position)
        let mark = host.left.count
        host.send(.stop)
        host.cycles(20)
        #expect(host.isSilent(from: mark + Self.fade + 2 * RenderedHost.period))
    }

    @Test("However many items crossfade, one that has to end early for the next does not click")
    func stolen() {
        let host = host(30)
        host.performance.crossfade = 20
        host.send(.play)
        host.cycles(10)
        for _ in 0..<28 {
            host.send(.nextItem)
            host.cycles(6)
            #expect(!host.performance.isSettling)
        }
        host.send(.stop)
        host.cycles(30)
        let heard = [Double](repeating: 0, count: 100) + host.left.map(Double.init)
        // A fade of 5 ms has a wider spectrum than one of 20 ms.
        #expect(peakAbove(2000, in: heard[...], sampleRate: 48_000) < -70)
    }
}
