import Patches
import Playback
import Testing

/// The sound of touching a control.
@Suite struct TouchSoundTests {
    private static let gain = Fader.parameter(.gain, layer: 0)

    /// A tone that a chapter at 0.2 s takes to silence.
    private func stage() -> TestPerformance {
        var item = PlayingTests.item("one", carrier: 200, seconds: nil)
        item.patch?.chapters = [
            Chapter(start: 0.2, over: 0.05, settings: [Setting(layer: 0, parameter: .gain, value: Parameter.off)])
        ]
        return TestPerformance([item])
    }

    private func peak(_ stage: TestPerformance, ofLast cycles: Int) -> Float {
        stage.left.suffix(cycles * TestPerformance.period).map(abs).max() ?? 0
    }

    @Test("a touch keeps a chapter from moving the parameter, also after a seek past the chapter; after return the chapter applies")
    func goesBack() {
        let stage = stage()
        stage.send(.changeTouchMode(to: .return))
        stage.send(.play)
        stage.cycles(20)
        stage.send(.touch(Self.gain, true))
        stage.cycles(60)
        #expect(peak(stage, ofLast: 20) > 0.09)
        stage.send(.changePosition(to: 0.3))
        stage.cycles(30)
        #expect(peak(stage, ofLast: 20) > 0.09)
        stage.send(.set(Setting(layer: 0, parameter: .gain, value: -40), ramp: nil))
        stage.cycles(30)
        let level = peak(stage, ofLast: 20)
        #expect(level > 0.009)
        #expect(level < 0.011)
        stage.send(.touch(Self.gain, false))
        stage.cycles(40)
        #expect(peak(stage, ofLast: 20) == 0)
        stage.send(.changePosition(to: 0))
        stage.cycles(20)
        #expect(peak(stage, ofLast: 5) > 0.09)
    }

    @Test("latch keeps the parameter at its released value, and other edits do not end the touch")
    func latch() {
        let stage = stage()
        stage.send(.play)
        stage.cycles(20)
        stage.send(.touch(Self.gain, true))
        stage.send(.set(Setting(layer: 0, parameter: .gain, value: -40), ramp: nil))
        stage.send(.set(Setting(layer: 0, parameter: .carrier, value: 300), ramp: nil))
        stage.cycles(60)
        stage.send(.undo)
        stage.cycles(30)
        stage.send(.touch(Self.gain, false))
        stage.cycles(30)
        let level = peak(stage, ofLast: 20)
        #expect(level > 0.009)
        #expect(level < 0.011)
    }
}
