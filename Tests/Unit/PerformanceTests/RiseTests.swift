import Patches
import Playback
import TestSupport
import Testing

/// The start of an alarm: the level rises from silence.
@Suite struct RiseTests {
    private static let period = Double(RenderedHost.period) / 48_000

    private func run(_ host: RenderedHost, seconds: Double) {
        for _ in 0..<Int(seconds / (2 * Self.period)) {
            host.cycles(2)
            host.player.tick(at: host.performance.moment)
            host.carryOut()
        }
    }

    /// A tone at -20 dBFS that starts to play and rises over 4 s.
    private func rising() -> RenderedHost {
        let host = RenderedHost([PlayingTests.item("one", carrier: 200, seconds: nil)])
        host.cycles(20)
        host.performance.raiseMaster(over: 4, &host.player)
        let moment = Moment(frame: host.performance.moment.frame + 2400)
        host.performance.simultaneously(at: moment) { host.send(.play) }
        return host
    }

    private func level(_ host: RenderedHost) -> Double { decibels(Double(host.level(ofLast: 2))) }

    @Test("The sound begins at silence, rises without a click or a step back, and reaches the level that is set")
    func rises() {
        let host = rising()
        run(host, seconds: 0.5)
        #expect(level(host) < -70, "\(level(host)) dB")
        var levels: [Double] = []
        for _ in 0..<8 {
            run(host, seconds: 0.5)
            levels.append(level(host))
        }
        #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 < $1 + 0.1 }, "\(levels)")
        #expect(abs(level(host) + 20) < 0.1, "\(level(host)) dB")
        host.send(.stop)
        run(host, seconds: 0.1)
        #expect(peakAbove(2000, in: host.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }

    @Test("A rise replaces the soft start of the first sound, which would be over sooner")
    func firstSound() {
        let host = RenderedHost([PlayingTests.item("one", carrier: 200, seconds: nil)], softStart: 1)
        host.cycles(20)
        host.player.protect(host.player.state.hearing.replaced(byRiseOver: 4))
        host.performance.raiseMaster(over: 4, &host.player)
        let moment = Moment(frame: host.performance.moment.frame + 2400)
        host.performance.simultaneously(at: moment) { host.send(.play) }
        run(host, seconds: 1.2)
        #expect(level(host) < -26, "\(level(host)) dB")
        run(host, seconds: 3.5)
        #expect(abs(level(host) + 20) < 0.1, "\(level(host)) dB")
    }

    @Test("The sleep timer ends a sound that rose, and a level set during the rise is not reached at once")
    func combined() {
        let host = rising()
        host.send(.sleep(in: 6, fade: 1, .linear))
        run(host, seconds: 4.7)
        #expect(abs(level(host) + 20) < 0.1, "\(level(host)) dB")
        run(host, seconds: 1.5)
        #expect(host.player.state.playback == .stopped)
        #expect(host.level(ofLast: 2) == 0)
        let other = rising()
        run(other, seconds: 1)
        other.send(.setMasterGain(-6, ramp: nil))
        let before = level(other)
        run(other, seconds: 0.5)
        // The rise itself would have been as fast.
        #expect(level(other) < before + 25, "\(level(other)) dB after \(before)")
        run(other, seconds: 7)
        #expect(abs(level(other) + 26) < 0.1, "\(level(other)) dB")
    }

    @Test(
        "After a loss of JACK during a rise, a ramp or a fade-out the level continues from where it was, at any sample rate",
        arguments: [48_000, 44_100])
    func interrupted(sampleRate: Int) {
        /// The levels before the loss, just after it, and in the end.
        func levels(_ host: RenderedHost, loseAfter seconds: Double, leftBehind: Bool) -> (
            before: Double, after: Double, end: Double
        ) {
            run(host, seconds: seconds)
            let before = level(host)
            host.audioGoes()
            if leftBehind { host.performance.leaveBehind() }
            host.audioComes(sampleRate: sampleRate)
            run(host, seconds: 0.15)
            let after = level(host)
            run(host, seconds: 4.5)
            return (before, after, level(host))
        }
        for leftBehind in [false, true] {
            let rise = levels(rising(), loseAfter: 1, leftBehind: leftBehind)
            #expect(rise.before < -50, "\(rise)")
            #expect(rise.after < -50, "\(rise)")
            #expect(abs(rise.end + 20) < 0.1, "\(rise)")

            let fading = rising()
            run(fading, seconds: 4.2)
            fading.send(.fadeOut(seconds: 2))
            let fade = levels(fading, loseAfter: 1.5, leftBehind: leftBehind)
            #expect(fade.after < fade.before + 0.5, "\(fade)")
            #expect(fade.before < -30, "\(fade)")
            #expect(fading.player.state.playback == .stopped, "\(fade)")

            let sleeping = rising()
            run(sleeping, seconds: 4.2)
            sleeping.send(.sleep(in: 2, fade: 2, .linear))
            let sleep = levels(sleeping, loseAfter: 1.5, leftBehind: leftBehind)
            #expect(sleep.after < sleep.before + 0.5, "\(sleep)")
            #expect(sleep.before < -30, "\(sleep)")
            #expect(sleeping.player.state.playback == .stopped, "\(sleep)")
        }
    }

    @Test("A level that is not moving when JACK is lost is back at once, and so is one that was lowered meanwhile")
    func resting() {
        let host = rising()
        run(host, seconds: 4.5)
        host.audioGoes()
        host.audioComes()
        run(host, seconds: 0.2)
        #expect(abs(level(host) + 20) < 0.1, "\(level(host)) dB")
        let lowered = rising()
        run(lowered, seconds: 3.8)
        lowered.audioGoes()
        lowered.send(.setMasterGain(-40, ramp: nil))
        lowered.audioComes()
        run(lowered, seconds: 0.2)
        #expect(abs(level(lowered) + 60) < 0.1, "\(level(lowered)) dB")
    }
}
