import Engine
import Patches
import Playback
import TestSupport
import Testing

/// Silence comes at once, whatever sounds and whatever was requested before.
@Suite struct SilenceTests {
    private func performance(_ count: Int, seconds: Double? = nil) -> TestPerformance {
        TestPerformance((1...count).map { PlayingTests.item("\($0)", carrier: 200 + 10 * Double($0), seconds: seconds) })
    }

    private static let fade = 960
    private static let silences: [Command] = [.pause, .stop, .toggle, .panic]

    @Test("In a crossfade pause, stop and panic silence both items within their fade", arguments: silences)
    func crossfade(silence: Command) {
        for crossfade in [0.1, 1, 30.0] {
            for isByItself in [false, true] {
                let performance = performance(2, seconds: isByItself ? 70 : nil)
                performance.performance.crossfade = crossfade
                performance.send(isByItself ? .changePosition(to: 70 - crossfade) : .play)
                performance.send(.play)
                performance.cycles(4)
                if !isByItself { performance.send(.nextItem) }
                performance.cycles(8)
                #expect(performance.player.state.currentIndex == 1)
                #expect(performance.level(ofLast: 1) > 0)
                let mark = performance.left.count
                performance.send(silence)
                performance.cycles(12)
                #expect(performance.isSilent(from: mark + Self.fade + 960), "crossfade of \(crossfade) s, by itself: \(isByItself)")
                let heard = [Double](repeating: 0, count: 100) + performance.left.map(Double.init)
                #expect(peakAbove(2000, in: heard[...], sampleRate: 48_000) < -100)
            }
        }
    }

    @Test("Pressed repeatedly, pause and play never click")
    func again() {
        let performance = performance(2)
        performance.performance.crossfade = 5
        performance.send(.play)
        performance.cycles(10)
        performance.send(.nextItem)
        for press in 0..<60 {
            performance.cycles(1 + press % 5)
            performance.send(.toggle)
        }
        performance.send(.panic)
        performance.cycles(20)
        let heard = [Double](repeating: 0, count: 100) + performance.left.map(Double.init)
        #expect(peakAbove(2000, in: heard[...], sampleRate: 48_000) < -100)
        #expect(performance.isSilent(from: performance.left.count - 10 * TestPerformance.period))
    }

    @Test("After a position fader at 60 a second under long fades, a pause is silent within the fade", arguments: [0.02, 0.5, 1.0])
    func fader(shortFade: Double) {
        let performance = performance(1)
        performance.performance.shortFade = shortFade
        performance.send(.play)
        for step in 0..<300 {
            performance.send(.changePosition(to: Double(step)))
            performance.cycles(3)
        }
        #expect(
            abs(performance.position - (299 * 48_000 + 3 * Int64(TestPerformance.period))) <= 2 * Int64(TestPerformance.period),
            "heard where it was put")
        #expect(performance.performance.position == performance.position)
        let mark = performance.left.count
        performance.send(.pause)
        performance.cycles(Int(shortFade * 48_000) / TestPerformance.period + 20)
        #expect(performance.isSilent(from: mark + Int(shortFade * 48_000) + 2 * TestPerformance.period))
    }

    @Test("Twenty times next in a crossfade of 20 s are heard at once, and so is a stop after them")
    func nexts() {
        let performance = performance(30)
        performance.performance.crossfade = 20
        performance.send(.play)
        performance.cycles(10)
        for _ in 0..<20 { performance.send(.nextItem) }
        performance.cycles(6)
        #expect(performance.player.state.currentIndex == 20)
        #expect(!performance.performance.isSettling)
        #expect(performance.performance.position == performance.position)
        for press in 0..<40 {
            performance.send(press % 2 == 0 ? .previousItem : .nextItem)
            performance.cycles(2)
        }
        performance.cycles(4)
        #expect(!performance.performance.isSettling)
        #expect(performance.performance.position == performance.position)
        let mark = performance.left.count
        performance.send(.stop)
        performance.cycles(20)
        #expect(performance.isSilent(from: mark + Self.fade + 2 * TestPerformance.period))
    }

    @Test("However many items crossfade, one that has to end early for the next does not click")
    func stolen() {
        let performance = performance(30)
        performance.performance.crossfade = 20
        performance.send(.play)
        performance.cycles(10)
        for _ in 0..<28 {
            performance.send(.nextItem)
            performance.cycles(6)
            #expect(!performance.performance.isSettling)
        }
        performance.send(.stop)
        performance.cycles(30)
        let heard = [Double](repeating: 0, count: 100) + performance.left.map(Double.init)
        // A fade of 5 ms has a wider spectrum than one of 20 ms.
        #expect(peakAbove(2000, in: heard[...], sampleRate: 48_000) < -70)
    }
}
