import Patches
import Playback
import Testing

/// The sound of touching a control.
@Suite struct TouchSoundTests {
    private static let gain = Fader.parameter(.gain, layer: 0)

    /// A tone that a chapter at 0.2 s takes to silence.
    private func host() -> RenderedHost {
        var item = PlayingTests.item("one", carrier: 200, seconds: nil)
        item.patch?.chapters = [
            Chapter(start: 0.2, over: 0.05, settings: [Setting(layer: 0, parameter: .gain, value: Parameter.off)])
        ]
        return RenderedHost([item])
    }

    private func peak(_ host: RenderedHost, ofLast cycles: Int) -> Float {
        host.left.suffix(cycles * RenderedHost.period).map(abs).max() ?? 0
    }

    @Test("a touch keeps a chapter from moving the parameter, also after a seek past the chapter; after return the chapter applies")
    func goesBack() {
        let host = host()
        host.send(.changeTouchMode(to: .return))
        host.send(.play)
        host.cycles(20)
        host.send(.touch(Self.gain, true))
        host.cycles(60)
        #expect(peak(host, ofLast: 20) > 0.09)
        host.send(.changePosition(to: 0.3))
        host.cycles(30)
        #expect(peak(host, ofLast: 20) > 0.09)
        host.send(.set(Setting(layer: 0, parameter: .gain, value: -40), ramp: nil))
        host.cycles(30)
        let level = peak(host, ofLast: 20)
        #expect(level > 0.009)
        #expect(level < 0.011)
        host.send(.touch(Self.gain, false))
        host.cycles(40)
        #expect(peak(host, ofLast: 20) == 0)
        host.send(.changePosition(to: 0))
        host.cycles(20)
        #expect(peak(host, ofLast: 5) > 0.09)
    }

    @Test("latch keeps the parameter at its released value, and other edits do not end the touch")
    func latch() {
        let host = host()
        host.send(.play)
        host.cycles(20)
        host.send(.touch(Self.gain, true))
        host.send(.set(Setting(layer: 0, parameter: .gain, value: -40), ramp: nil))
        host.send(.set(Setting(layer: 0, parameter: .carrier, value: 300), ramp: nil))
        host.cycles(60)
        host.send(.undo)
        host.cycles(30)
        host.send(.touch(Self.gain, false))
        host.cycles(30)
        let level = peak(host, ofLast: 20)
        #expect(level > 0.009)
        #expect(level < 0.011)
    }
}
