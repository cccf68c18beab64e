import Patches
import Playback
import TestSupport
import Testing

/// The sound when a layer becomes louder at once: the master makes up for it.
@Suite struct LayerBalanceSoundTests {
    /// Events that raise a tone from the level heard to -20 dBFS at once.
    enum Event: CaseIterable {
        case seek, wave, rate, patch, undo, reset
    }

    private static let second = 48_000 / RenderedHost.period
    /// 20 ms, which are whole periods of 200 and 300 Hz.
    private static let window = 960

    private static func gain(_ level: Double) -> Command { .set(Setting(layer: 0, parameter: .gain, value: level), ramp: nil) }

    /// Plays a tone that rises slowly to -20 dBFS and has come to about -53 dBFS, or that stays at -56 dBFS until an undo or a reset.
    private static func host(for event: Event) -> RenderedHost {
        let host = RenderedHost([PlayingTests.item("one", carrier: 200, seconds: nil)])
        host.send(.play)
        host.cycles(second / 5)
        host.send(gain(-56))
        host.cycles(second)
        if event != .undo, event != .reset {
            host.send(gain(-20))
            host.cycles(second / 4)
        }
        return host
    }

    private static func make(_ event: Event, _ host: RenderedHost) {
        switch event {
        case .seek: host.send(.changePosition(to: 20))
        case .wave: host.send(.changeWave(layer: 0, .triangle))
        case .rate: host.send(.changeRate(to: 2))
        case .patch:
            guard let patch = PlayingTests.item("one", carrier: 300, seconds: nil).patch else { return }
            _ = host.player.replacePatch(ofItem: 0, with: patch, restored: nil, at: host.performance.moment)
            host.carryOut()
        case .undo: host.send(.undo)
        case .reset: host.send(.reset(layer: 0))
        }
    }

    /// The highest level of windows of 20 ms that begin every 5 ms, in dBFS.
    private static func loudest(_ samples: ArraySlice<Float>) -> Double {
        let starts = stride(from: samples.startIndex, through: samples.endIndex - window, by: window / 4)
        let powers = starts.map { start in samples[start..<(start + window)].reduce(0) { $0 + Double($1 * $1) } / Double(window) }
        return decibels((powers.max() ?? 0).squareRoot())
    }

    /// The levels of the tenth of a second before an event at a sample, and of that after it.
    private static func levels(_ host: RenderedHost, around event: Int) -> (before: Double, after: Double) {
        (loudest(host.left[(event - 4800)..<event]), loudest(host.left[event..<(event + 4800 + window)]))
    }

    @Test(
        "After an event that raises a layer at once the sound is at first as loud as before, and then rises to the level that is set",
        arguments: Event.allCases, [false, true])
    func rises(event: Event, isInBundle: Bool) {
        let host = Self.host(for: event)
        let start = host.left.count
        if isInBundle {
            host.performance.simultaneously { Self.make(event, host) }
        } else {
            Self.make(event, host)
        }
        host.cycles(Self.second / 5)
        // In 0.12 s the master rises by 1.4 dB. Without its fall it would be 33 or 36 dB.
        let levels = Self.levels(host, around: start)
        #expect(levels.after < levels.before + 6, "\(levels)")
        var steps = [levels.after]
        for _ in 0..<8 {
            host.cycles(Self.second / 2)
            steps.append(Self.loudest(host.left.suffix(4800)))
        }
        // 12 dB a second.
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $1 < $0 + 8 }, "\(steps)")
        // A tone of -20 dBFS; a triangle has less power.
        let end = steps.last ?? 0
        #expect(abs(end + 23) < (event == .wave ? 3 : 0.1), "\(steps)")
        #expect(host.position == host.performance.position)
        guard event != .wave else { return }
        host.send(.stop)
        host.cycles(40)
        #expect(peakAbove(2000, in: host.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }

    @Test("A seek in a bundle waits for the master, and is then at the position that the time tag asks for")
    func timeTag() {
        let host = Self.host(for: .seek)
        let tag = Moment(frame: host.performance.now.frame + 4800)
        host.performance.simultaneously(at: tag) { host.send(.changePosition(to: 20)) }
        host.cycles(Self.second / 5)
        let position = 20 * 48_000 + host.performance.now.frame - tag.frame
        #expect(host.position == position)
        #expect(host.performance.position == position)
    }

    @Test(
        "A pause during a slow rise of a layer, and a layer that is raised during a pause, are not heard as a step, however short the pause is",
        arguments: [0, 1, 5, 40])
    func afterSilence(cycles: Int) {
        for isRising in [true, false] {
            let host = RenderedHost([PlayingTests.item("one", carrier: 200, seconds: nil)], softStart: 1)
            host.send(.play)
            host.cycles(6 * Self.second)
            host.send(Self.gain(-56))
            host.cycles(Self.second)
            if isRising {
                host.send(Self.gain(-20))
                host.cycles(Self.second / 4)
            }
            let start = host.left.count
            host.performance.simultaneously {
                host.send(.pause)
                if !isRising, cycles == 0 { host.send(Self.gain(-20)) }
                if cycles == 0 { host.send(.play) }
            }
            host.cycles(cycles)
            if !isRising, cycles > 0 { host.send(Self.gain(-20)) }
            if cycles > 0 { host.send(.play) }
            host.cycles(Self.second)
            let levels = (Self.loudest(host.left[(start - 4800)..<start]), Self.loudest(host.left[start...]))
            #expect(levels.1 < levels.0 + 6, "\(levels)")
            host.cycles(5 * Self.second)
            #expect(abs(decibels(Double(host.level(ofLast: 10))) + 20) < 0.1)
        }
    }
}
