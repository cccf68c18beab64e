import Engine
import Patches
import Playback
import TestSupport
import Testing

/// Silence comes at once, whatever sounds and whatever was requested before.
@Suite struct SilenceTests {
    private func stage(_ count: Int, seconds: Double? = nil) -> TestPerformance {
        TestPerformance((1...count).map { PlayingTests.item("\($0)", carrier: 200 + 10 * Double($0), seconds: seconds) })
    }

    private static let fade = 960
    private static let silences: [Command] = [.pause, .stop, .toggle, .panic]

    @Test("In a crossfade pause, stop and panic silence both items within their fade", arguments: silences)
    func crossfade(silence: Command) {
        for crossfade in [0.1, 1, 30.0] {
            for isByItself in [false, true] {
                let stage = stage(2, seconds: isByItself ? 70 : nil)
                stage.performance.crossfade = crossfade
                stage.send(isByItself ? .changePosition(to: 70 - crossfade) : .play)
                stage.send(.play)
                stage.cycles(4)
                if !isByItself { stage.send(.nextItem) }
                stage.cycles(8)
                #expect(stage.player.state.currentIndex == 1)
                #expect(stage.level(ofLast: 1) > 0)
                let mark = stage.left.count
                stage.send(silence)
                stage.cycles(12)
                #expect(stage.isSilent(from: mark + Self.fade + 960), "crossfade of \(crossfade) s, by itself: \(isByItself)")
                let heard = [Double](repeating: 0, count: 100) + stage.left.map(Double.init)
                #expect(peakAbove(2000, in: heard[...], sampleRate: 48_000) < -100)
            }
        }
    }

    @Test("Pressed repeatedly, pause and play never click")
    func again() {
        let stage = stage(2)
        stage.performance.crossfade = 5
        stage.send(.play)
        stage.cycles(10)
        stage.send(.nextItem)
        for press in 0..<60 {
            stage.cycles(1 + press % 5)
            stage.send(.toggle)
        }
        stage.send(.panic)
        stage.cycles(20)
        let heard = [Double](repeating: 0, count: 100) + stage.left.map(Double.init)
        #expect(peakAbove(2000, in: heard[...], sampleRate: 48_000) < -100)
        #expect(stage.isSilent(from: stage.left.count - 10 * TestPerformance.period))
    }

    @Test("After a position fader at 60 a second under long fades, a pause is silent within the fade", arguments: [0.02, 0.5, 1.0])
    func fader(shortFade: Double) {
        let stage = stage(1)
        stage.performance.shortFade = shortFade
        stage.send(.play)
        for step in 0..<300 {
            stage.send(.changePosition(to: Double(step)))
            stage.cycles(3)
        }
        #expect(
            abs(stage.position - (299 * 48_000 + 3 * Int64(TestPerformance.period))) <= 2 * Int64(TestPerformance.period),
            "heard where it was put")
        #expect(stage.performance.position == stage.position)
        let mark = stage.left.count
        stage.send(.pause)
        stage.cycles(Int(shortFade * 48_000) / TestPerformance.period + 20)
        #expect(stage.isSilent(from: mark + Int(shortFade * 48_000) + 2 * TestPerformance.period))
    }

    @Test("Twenty times next in a crossfade of 20 s are heard at once, and so is a stop after them")
    func nexts() {
        let stage = stage(30)
        stage.performance.crossfade = 20
        stage.send(.play)
        stage.cycles(10)
        for _ in 0..<20 { stage.send(.nextItem) }
        stage.cycles(6)
        #expect(stage.player.state.currentIndex == 20)
        #expect(!stage.performance.isSettling)
        #expect(stage.performance.position == stage.position)
        for press in 0..<40 {
            stage.send(press % 2 == 0 ? .previousItem : .nextItem)
            stage.cycles(2)
        }
        stage.cycles(4)
        #expect(!stage.performance.isSettling)
        #expect(stage.performance.position == stage.position)
        let mark = stage.left.count
        stage.send(.stop)
        stage.cycles(20)
        #expect(stage.isSilent(from: mark + Self.fade + 2 * TestPerformance.period))
    }

    @Test("However many items crossfade, one that has to end early for the next does not click")
    func stolen() {
        let stage = stage(30)
        stage.performance.crossfade = 20
        stage.send(.play)
        stage.cycles(10)
        for _ in 0..<28 {
            stage.send(.nextItem)
            stage.cycles(6)
            #expect(!stage.performance.isSettling)
        }
        stage.send(.stop)
        stage.cycles(30)
        let heard = [Double](repeating: 0, count: 100) + stage.left.map(Double.init)
        // A fade of 5 ms has a wider spectrum than one of 20 ms.
        #expect(peakAbove(2000, in: heard[...], sampleRate: 48_000) < -70)
    }
}
