import Patches
import Playback
import TestSupport
import Testing

/// `master/fade` is heard to its end, whatever happens meanwhile.
@Suite struct MasterFadeTests {
    private static let period = Double(TestPerformance.period) / 48_000

    /// A tone at -20 dBFS, 1 s into a fade of 4 s.
    private func fading() -> TestPerformance {
        let stage = TestPerformance([PlayingTests.item("one", carrier: 200, seconds: nil)])
        stage.send(.play)
        stage.cycles(20)
        stage.send(.fadeOut(seconds: 4))
        run(stage, seconds: 1)
        return stage
    }

    /// As the control actor does, every 10 ms or so.
    private func run(_ stage: TestPerformance, seconds: Double) {
        for _ in 0..<Int(seconds / (2 * Self.period)) {
            stage.cycles(2)
            stage.player.tick(at: stage.performance.moment)
            stage.carryOut()
        }
    }

    private func level(_ stage: TestPerformance) -> Double { decibels(Double(stage.level(ofLast: 2))) }

    @Test("Unmuting without a mute changes nothing in a fade")
    func unmuted() {
        let (stage, other) = (fading(), fading())
        stage.send(.muteMaster(false))
        run(stage, seconds: 4)
        run(other, seconds: 4)
        #expect(stage.left == other.left)
    }

    @Test(
        "A mute in a fade is silent, and after unmuting the sound comes back and fades over the remaining time", arguments: [0, 1, 2, 3, 5])
    func muted(periodsToTick: Int) {
        let stage = fading()
        let end = 20 * TestPerformance.period + 4 * 48_000
        stage.send(.muteMaster(true))
        run(stage, seconds: 0.5)
        #expect(stage.level(ofLast: 2) == 0)
        stage.send(.muteMaster(false))
        stage.cycles(periodsToTick)
        run(stage, seconds: 0.2)
        #expect(level(stage) > -45, "\(level(stage)) dB")
        run(stage, seconds: 3)
        #expect(stage.player.state.playback == .stopped)
        let last = stage.left.lastIndex { $0 != 0 } ?? 0
        #expect(last < end)
        #expect(last > end - 4800)
        #expect(peakAbove(2000, in: stage.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }

    @Test(
        "After JACK was away the fade continues over its remaining time, also at another sample rate", arguments: [44_100, 48_000, 96_000])
    func away(sampleRate: Int) {
        let stage = fading()
        stage.audioGoes()
        stage.audioComes(sampleRate: sampleRate)
        let mark = stage.left.count
        run(stage, seconds: 0.2 * Double(sampleRate) / 48_000)
        #expect(level(stage) > -45, "\(level(stage)) dB")
        run(stage, seconds: 4 * Double(sampleRate) / 48_000)
        #expect(stage.player.state.playback == .stopped)
        let last = Double((stage.left.lastIndex { $0 != 0 } ?? 0) - mark) / Double(sampleRate)
        // 3 s were left, except for a period or two until the fade started.
        #expect(last < 3.02, "\(last) s")
        #expect(last > 2.9, "\(last) s")
        stage.send(.play)
        run(stage, seconds: 0.2)
        #expect(abs(level(stage) + 20) < 0.1)
    }

    @Test("A pause ends a fade, and a play right after it is at full level")
    func paused() {
        let stage = fading()
        stage.send(.pause)
        stage.cycles(1)
        stage.send(.play)
        run(stage, seconds: 0.3)
        #expect(abs(level(stage) + 20) < 0.1)
    }

    @Test("A gain or mute right after a stop or pause within a fade is the one that is heard next", arguments: 0...3)
    func setWhileSilencing(periods: Int) {
        for ending in [Command.stop, .pause] {
            for (settings, gain) in [
                ([Command.setMasterGain(-6, ramp: nil)], -6.0), ([.muteMaster(true)], -200), ([.muteMaster(true), .muteMaster(false)], 0),
                ([.setMasterGain(-6, ramp: nil), .muteMaster(true)], -200),
            ] {
                let stage = fading()
                stage.send(ending)
                stage.cycles(periods)
                for setting in settings { stage.send(setting) }
                run(stage, seconds: 0.2)
                stage.send(.play)
                run(stage, seconds: 0.2)
                let expected = gain - 20
                #expect(abs(max(level(stage), -220) - max(expected, -220)) < 0.1, "\(ending), \(settings): \(level(stage)) dB")
            }
        }
    }

    @Test("A gain with a ramp right after a stop within a fade starts from the level before the fade", arguments: 0...3)
    func rampedWhileSilencing(periods: Int) {
        let stage = fading()
        stage.send(.stop)
        stage.cycles(periods)
        stage.send(.setMasterGain(-20, ramp: Ramp(seconds: 4, easing: .linear)))
        run(stage, seconds: 0.2)
        stage.send(.play)
        run(stage, seconds: 0.3)
        // Half a second of four has passed: about -2.5 dB of the ramp from 0 to -20.
        #expect(abs(level(stage) + 22.5) < 1, "\(level(stage)) dB")
    }

    @Test(
        "A stop, a panic or another session within a fade does not make the sound louder before it is silent", arguments: [0.005, 0.02, 1])
    func endedWhileFading(shortFade: Double) {
        for ending in [Command.stop, .pause, .panic, nil] {
            let stage = fading()
            run(stage, seconds: 2)
            stage.performance.shortFade = shortFade
            let start = stage.left.count
            let before = stage.level(ofLast: 2)
            if let ending {
                stage.send(ending)
            } else {
                var other = PlayerState()
                other.items = [PlayingTests.item("two", carrier: 300, seconds: nil)]
                other.currentIndex = 0
                stage.player.restore(other, position: 0, at: stage.performance.moment)
                stage.carryOut()
            }
            run(stage, seconds: shortFade + 0.2)
            let peak = stage.left[start...].map(abs).max() ?? 0
            #expect(peak <= before * 1.01, "\(String(describing: ending)): \(decibels(Double(peak / before))) dB louder")
            #expect(stage.level(ofLast: 2) == 0)
        }
    }

    @Test("A fade that is cancelled before it has begun does not come")
    func cancelled() {
        let stage = TestPerformance([PlayingTests.item("one", carrier: 200, seconds: nil)])
        stage.send(.play)
        stage.cycles(20)
        // The sleep timer's fade begins once the gain has arrived.
        stage.send(.setMasterGain(-6, ramp: Ramp(seconds: 0.05)))
        stage.send(.sleep(in: 1, fade: 4, .linear))
        stage.player.tick(at: stage.performance.moment)
        stage.carryOut()
        stage.send(.sleep(in: 0, fade: 4, .linear))
        run(stage, seconds: 2)
        #expect(stage.player.state.playback == .playing)
        #expect(abs(level(stage) + 26) < 0.1, "\(level(stage)) dB")
    }

    @Test("The sleep timer's fade continues after a mute and a loss of JACK, however soon it is polled", arguments: [0, 1, 4])
    func sleep(periodsToTick: Int) {
        for isMuted in [false, true] {
            let stage = TestPerformance([PlayingTests.item("one", carrier: 200, seconds: nil)])
            stage.send(.play)
            stage.cycles(20)
            stage.send(.sleep(in: 4, fade: 4, .linear))
            run(stage, seconds: 1)
            if isMuted {
                stage.send(.muteMaster(true))
                stage.cycles(10)
                stage.send(.muteMaster(false))
            } else {
                stage.audioGoes()
                stage.audioComes()
            }
            stage.cycles(periodsToTick)
            run(stage, seconds: 0.2)
            // After a loss it continues from the level reached, a quarter of the way down in dB.
            #expect((isMuted ? -45 ... -20 : -60 ... -50).contains(level(stage)), "\(level(stage)) dB")
            run(stage, seconds: 4)
            #expect(stage.player.state.playback == .stopped)
        }
    }
}
