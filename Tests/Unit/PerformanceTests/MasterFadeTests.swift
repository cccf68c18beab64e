import Patches
import Playback
import TestSupport
import Testing

/// `master/fade` is heard to its end, whatever happens meanwhile.
@Suite struct MasterFadeTests {
    private static let period = Double(RenderedHost.period) / 48_000

    /// A tone at -20 dBFS, 1 s into a fade of 4 s.
    private func fading() -> RenderedHost {
        let host = RenderedHost([PlayingTests.item("one", carrier: 200, seconds: nil)])
        host.send(.play)
        host.cycles(20)
        host.send(.fadeOut(seconds: 4))
        run(host, seconds: 1)
        return host
    }

    /// As control does, every 10 ms or so.
    private func run(_ host: RenderedHost, seconds: Double) {
        for _ in 0..<Int(seconds / (2 * Self.period)) {
            host.cycles(2)
            host.player.tick(at: host.performance.moment)
            host.carryOut()
        }
    }

    private func level(_ host: RenderedHost) -> Double { decibels(Double(host.level(ofLast: 2))) }

    @Test("Unmuting without a mute changes nothing in a fade")
    func unmuted() {
        let (host, other) = (fading(), fading())
        host.send(.muteMaster(false))
        run(host, seconds: 4)
        run(other, seconds: 4)
        #expect(host.left == other.left)
    }

    @Test(
        "A mute in a fade is silent, and after unmuting the sound comes back, no louder than before, and fades over the remaining time",
        arguments: [0, 1, 2, 3, 5])
    func muted(periodsToTick: Int) {
        let host = fading()
        let end = 20 * RenderedHost.period + 4 * 48_000
        let before = level(host)
        host.send(.muteMaster(true))
        run(host, seconds: 0.5)
        #expect(host.level(ofLast: 2) == 0)
        host.send(.muteMaster(false))
        host.cycles(periodsToTick)
        run(host, seconds: 0.2)
        #expect(level(host) > -70, "\(level(host)) dB")
        #expect(level(host) < before, "\(level(host)) dB")
        run(host, seconds: 3)
        #expect(host.player.state.playback == .stopped)
        let last = host.left.lastIndex { $0 != 0 } ?? 0
        #expect(last < end)
        #expect(last > end - 4800)
        #expect(peakAbove(2000, in: host.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }

    @Test(
        "After JACK was away the fade continues over its remaining time, also at another sample rate", arguments: [44_100, 48_000, 96_000])
    func away(sampleRate: Int) {
        let host = fading()
        host.audioGoes()
        host.audioComes(sampleRate: sampleRate)
        let mark = host.left.count
        run(host, seconds: 0.2 * Double(sampleRate) / 48_000)
        #expect(level(host) > -45, "\(level(host)) dB")
        run(host, seconds: 4 * Double(sampleRate) / 48_000)
        #expect(host.player.state.playback == .stopped)
        let last = Double((host.left.lastIndex { $0 != 0 } ?? 0) - mark) / Double(sampleRate)
        // 3 s were left, except for a period or two until the fade started.
        #expect(last < 3.02, "\(last) s")
        #expect(last > 2.9, "\(last) s")
        host.send(.play)
        run(host, seconds: 0.2)
        #expect(abs(level(host) + 20) < 0.1)
    }

    @Test("A pause ends a fade, and a play right after it is at full level")
    func paused() {
        let host = fading()
        host.send(.pause)
        host.cycles(1)
        host.send(.play)
        run(host, seconds: 0.3)
        #expect(abs(level(host) + 20) < 0.1)
    }

    @Test("A gain or mute right after a stop or pause within a fade is the one that is heard next", arguments: 0...3)
    func setWhileSilencing(periods: Int) {
        for ending in [Command.stop, .pause] {
            for (settings, gain) in [
                ([Command.setMasterGain(-6, ramp: nil)], -6.0), ([.muteMaster(true)], -200), ([.muteMaster(true), .muteMaster(false)], 0),
                ([.setMasterGain(-6, ramp: nil), .muteMaster(true)], -200),
            ] {
                let host = fading()
                host.send(ending)
                host.cycles(periods)
                for setting in settings { host.send(setting) }
                run(host, seconds: 0.2)
                host.send(.play)
                run(host, seconds: 0.2)
                let expected = gain - 20
                #expect(abs(max(level(host), -220) - max(expected, -220)) < 0.1, "\(ending), \(settings): \(level(host)) dB")
            }
        }
    }

    @Test("A gain with a ramp right after a stop within a fade starts from the level before the fade", arguments: 0...3)
    func rampedWhileSilencing(periods: Int) {
        let host = fading()
        host.send(.stop)
        host.cycles(periods)
        host.send(.setMasterGain(-20, ramp: Ramp(seconds: 4, easing: .linear)))
        run(host, seconds: 0.2)
        host.send(.play)
        run(host, seconds: 0.3)
        // Half a second of four has passed: about -2.5 dB of the ramp from 0 to -20.
        #expect(abs(level(host) + 22.5) < 1, "\(level(host)) dB")
    }

    @Test(
        "A stop, a panic or another session within a fade does not make the sound louder before it is silent", arguments: [0.005, 0.02, 1])
    func endedWhileFading(shortFade: Double) {
        for ending in [Command.stop, .pause, .panic, nil] {
            let host = fading()
            run(host, seconds: 2)
            host.performance.shortFade = shortFade
            let start = host.left.count
            let before = host.level(ofLast: 2)
            if let ending {
                host.send(ending)
            } else {
                var other = PlayerState()
                other.items = [PlayingTests.item("two", carrier: 300, seconds: nil)]
                other.currentIndex = 0
                host.player.restore(other, position: 0, at: host.performance.moment)
                host.carryOut()
            }
            run(host, seconds: shortFade + 0.2)
            let peak = host.left[start...].map(abs).max() ?? 0
            #expect(peak <= before * 1.01, "\(String(describing: ending)): \(decibels(Double(peak / before))) dB louder")
            #expect(host.level(ofLast: 2) == 0)
        }
    }

    @Test("A fade that is cancelled before it has begun never starts")
    func cancelled() {
        let host = RenderedHost([PlayingTests.item("one", carrier: 200, seconds: nil)])
        host.send(.play)
        host.cycles(20)
        // The sleep timer's fade begins once the gain has arrived.
        host.send(.setMasterGain(-6, ramp: Ramp(seconds: 0.05)))
        host.send(.sleep(in: 1, fade: 4, .linear))
        host.player.tick(at: host.performance.moment)
        host.carryOut()
        host.send(.sleep(in: 0, fade: 4, .linear))
        run(host, seconds: 2)
        #expect(host.player.state.playback == .playing)
        #expect(abs(level(host) + 26) < 0.1, "\(level(host)) dB")
    }

    @Test("The sleep timer's fade continues after a mute and a loss of JACK, however soon it is polled", arguments: [0, 1, 4])
    func sleep(periodsToTick: Int) {
        for isMuted in [false, true] {
            let host = RenderedHost([PlayingTests.item("one", carrier: 200, seconds: nil)])
            host.send(.play)
            host.cycles(20)
            host.send(.sleep(in: 4, fade: 4, .linear))
            run(host, seconds: 1)
            if isMuted {
                host.send(.muteMaster(true))
                host.cycles(10)
                host.send(.muteMaster(false))
            } else {
                host.audioGoes()
                host.audioComes()
            }
            host.cycles(periodsToTick)
            run(host, seconds: 0.2)
            // It continues from the level reached, a quarter of the way down in dB.
            #expect((-62 ... -50).contains(level(host)), "\(level(host)) dB")
            run(host, seconds: 4)
            #expect(host.player.state.playback == .stopped)
        }
    }
}
