import Patches
import Playback
import TestSupport
import Testing

/// `master/fade` is heard to its end, whatever happens meanwhile.
@Suite struct MasterFadeTests {
    private static let period = Double(TestPerformance.period) / 48_000

    /// A tone at -20 dBFS, 1 s into a fade of 4 s.
    private func fading() -> TestPerformance {
        let performance = TestPerformance([PlayingTests.item("one", carrier: 200, seconds: nil)])
        performance.send(.play)
        performance.cycles(20)
        performance.send(.fadeOut(seconds: 4))
        run(performance, seconds: 1)
        return performance
    }

    /// As control does, every 10 ms or so.
    private func run(_ performance: TestPerformance, seconds: Double) {
        for _ in 0..<Int(seconds / (2 * Self.period)) {
            performance.cycles(2)
            performance.player.tick(at: performance.performance.moment)
            performance.carryOut()
        }
    }

    private func level(_ performance: TestPerformance) -> Double { decibels(Double(performance.level(ofLast: 2))) }

    @Test("Unmuting without a mute changes nothing in a fade")
    func unmuted() {
        let (performance, other) = (fading(), fading())
        performance.send(.muteMaster(false))
        run(performance, seconds: 4)
        run(other, seconds: 4)
        #expect(performance.left == other.left)
    }

    @Test(
        "A mute in a fade is silent, and after unmuting the sound comes back, no louder than before, and fades over the remaining time",
        arguments: [0, 1, 2, 3, 5])
    func muted(periodsToTick: Int) {
        let performance = fading()
        let end = 20 * TestPerformance.period + 4 * 48_000
        let before = level(performance)
        performance.send(.muteMaster(true))
        run(performance, seconds: 0.5)
        #expect(performance.level(ofLast: 2) == 0)
        performance.send(.muteMaster(false))
        performance.cycles(periodsToTick)
        run(performance, seconds: 0.2)
        #expect(level(performance) > -70, "\(level(performance)) dB")
        #expect(level(performance) < before, "\(level(performance)) dB")
        run(performance, seconds: 3)
        #expect(performance.player.state.playback == .stopped)
        let last = performance.left.lastIndex { $0 != 0 } ?? 0
        #expect(last < end)
        #expect(last > end - 4800)
        #expect(peakAbove(2000, in: performance.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }

    @Test(
        "After JACK was away the fade continues over its remaining time, also at another sample rate", arguments: [44_100, 48_000, 96_000])
    func away(sampleRate: Int) {
        let performance = fading()
        performance.audioGoes()
        performance.audioComes(sampleRate: sampleRate)
        let mark = performance.left.count
        run(performance, seconds: 0.2 * Double(sampleRate) / 48_000)
        #expect(level(performance) > -45, "\(level(performance)) dB")
        run(performance, seconds: 4 * Double(sampleRate) / 48_000)
        #expect(performance.player.state.playback == .stopped)
        let last = Double((performance.left.lastIndex { $0 != 0 } ?? 0) - mark) / Double(sampleRate)
        // 3 s were left, except for a period or two until the fade started.
        #expect(last < 3.02, "\(last) s")
        #expect(last > 2.9, "\(last) s")
        performance.send(.play)
        run(performance, seconds: 0.2)
        #expect(abs(level(performance) + 20) < 0.1)
    }

    @Test("A pause ends a fade, and a play right after it is at full level")
    func paused() {
        let performance = fading()
        performance.send(.pause)
        performance.cycles(1)
        performance.send(.play)
        run(performance, seconds: 0.3)
        #expect(abs(level(performance) + 20) < 0.1)
    }

    @Test("A gain or mute right after a stop or pause within a fade is the one that is heard next", arguments: 0...3)
    func setWhileSilencing(periods: Int) {
        for ending in [Command.stop, .pause] {
            for (settings, gain) in [
                ([Command.setMasterGain(-6, ramp: nil)], -6.0), ([.muteMaster(true)], -200), ([.muteMaster(true), .muteMaster(false)], 0),
                ([.setMasterGain(-6, ramp: nil), .muteMaster(true)], -200),
            ] {
                let performance = fading()
                performance.send(ending)
                performance.cycles(periods)
                for setting in settings { performance.send(setting) }
                run(performance, seconds: 0.2)
                performance.send(.play)
                run(performance, seconds: 0.2)
                let expected = gain - 20
                #expect(abs(max(level(performance), -220) - max(expected, -220)) < 0.1, "\(ending), \(settings): \(level(performance)) dB")
            }
        }
    }

    @Test("A gain with a ramp right after a stop within a fade starts from the level before the fade", arguments: 0...3)
    func rampedWhileSilencing(periods: Int) {
        let performance = fading()
        performance.send(.stop)
        performance.cycles(periods)
        performance.send(.setMasterGain(-20, ramp: Ramp(seconds: 4, easing: .linear)))
        run(performance, seconds: 0.2)
        performance.send(.play)
        run(performance, seconds: 0.3)
        // Half a second of four has passed: about -2.5 dB of the ramp from 0 to -20.
        #expect(abs(level(performance) + 22.5) < 1, "\(level(performance)) dB")
    }

    @Test(
        "A stop, a panic or another session within a fade does not make the sound louder before it is silent", arguments: [0.005, 0.02, 1])
    func endedWhileFading(shortFade: Double) {
        for ending in [Command.stop, .pause, .panic, nil] {
            let performance = fading()
            run(performance, seconds: 2)
            performance.performance.shortFade = shortFade
            let start = performance.left.count
            let before = performance.level(ofLast: 2)
            if let ending {
                performance.send(ending)
            } else {
                var other = PlayerState()
                other.items = [PlayingTests.item("two", carrier: 300, seconds: nil)]
                other.currentIndex = 0
                performance.player.restore(other, position: 0, at: performance.performance.moment)
                performance.carryOut()
            }
            run(performance, seconds: shortFade + 0.2)
            let peak = performance.left[start...].map(abs).max() ?? 0
            #expect(peak <= before * 1.01, "\(String(describing: ending)): \(decibels(Double(peak / before))) dB louder")
            #expect(performance.level(ofLast: 2) == 0)
        }
    }

    @Test("A fade that is cancelled before it has begun never starts")
    func cancelled() {
        let performance = TestPerformance([PlayingTests.item("one", carrier: 200, seconds: nil)])
        performance.send(.play)
        performance.cycles(20)
        // The sleep timer's fade begins once the gain has arrived.
        performance.send(.setMasterGain(-6, ramp: Ramp(seconds: 0.05)))
        performance.send(.sleep(in: 1, fade: 4, .linear))
        performance.player.tick(at: performance.performance.moment)
        performance.carryOut()
        performance.send(.sleep(in: 0, fade: 4, .linear))
        run(performance, seconds: 2)
        #expect(performance.player.state.playback == .playing)
        #expect(abs(level(performance) + 26) < 0.1, "\(level(performance)) dB")
    }

    @Test("The sleep timer's fade continues after a mute and a loss of JACK, however soon it is polled", arguments: [0, 1, 4])
    func sleep(periodsToTick: Int) {
        for isMuted in [false, true] {
            let performance = TestPerformance([PlayingTests.item("one", carrier: 200, seconds: nil)])
            performance.send(.play)
            performance.cycles(20)
            performance.send(.sleep(in: 4, fade: 4, .linear))
            run(performance, seconds: 1)
            if isMuted {
                performance.send(.muteMaster(true))
                performance.cycles(10)
                performance.send(.muteMaster(false))
            } else {
                performance.audioGoes()
                performance.audioComes()
            }
            performance.cycles(periodsToTick)
            run(performance, seconds: 0.2)
            // It continues from the level reached, a quarter of the way down in dB.
            #expect((-62 ... -50).contains(level(performance)), "\(level(performance)) dB")
            run(performance, seconds: 4)
            #expect(performance.player.state.playback == .stopped)
        }
    }
}
