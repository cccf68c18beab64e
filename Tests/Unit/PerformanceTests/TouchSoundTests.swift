import Patches
import Playback
import Testing

/// The sound of touching a control.
@Suite struct TouchSoundTests {
    private static let gain = Fader.parameter(.gain, layer: 0)

    /// A tone that a chapter at 0.2 s takes to silence.
    private func performance() -> TestPerformance {
        var item = PlayingTests.item("one", carrier: 200, seconds: nil)
        item.patch?.chapters = [
            Chapter(start: 0.2, over: 0.05, settings: [Setting(layer: 0, parameter: .gain, value: Parameter.off)])
        ]
        return TestPerformance([item])
    }

    private func peak(_ performance: TestPerformance, ofLast cycles: Int) -> Float {
        performance.left.suffix(cycles * TestPerformance.period).map(abs).max() ?? 0
    }

    @Test("a touch keeps a chapter from moving the parameter, also after a seek past the chapter; after return the chapter applies")
    func goesBack() {
        let performance = performance()
        performance.send(.changeTouchMode(to: .return))
        performance.send(.play)
        performance.cycles(20)
        performance.send(.touch(Self.gain, true))
        performance.cycles(60)
        #expect(peak(performance, ofLast: 20) > 0.09)
        performance.send(.changePosition(to: 0.3))
        performance.cycles(30)
        #expect(peak(performance, ofLast: 20) > 0.09)
        performance.send(.set(Setting(layer: 0, parameter: .gain, value: -40), ramp: nil))
        performance.cycles(30)
        let level = peak(performance, ofLast: 20)
        #expect(level > 0.009)
        #expect(level < 0.011)
        performance.send(.touch(Self.gain, false))
        performance.cycles(40)
        #expect(peak(performance, ofLast: 20) == 0)
        performance.send(.changePosition(to: 0))
        performance.cycles(20)
        #expect(peak(performance, ofLast: 5) > 0.09)
    }

    @Test("latch keeps the parameter at its released value, and other edits do not end the touch")
    func latch() {
        let performance = performance()
        performance.send(.play)
        performance.cycles(20)
        performance.send(.touch(Self.gain, true))
        performance.send(.set(Setting(layer: 0, parameter: .gain, value: -40), ramp: nil))
        performance.send(.set(Setting(layer: 0, parameter: .carrier, value: 300), ramp: nil))
        performance.cycles(60)
        performance.send(.undo)
        performance.cycles(30)
        performance.send(.touch(Self.gain, false))
        performance.cycles(30)
        let level = peak(performance, ofLast: 20)
        #expect(level > 0.009)
        #expect(level < 0.011)
    }
}
