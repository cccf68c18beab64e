import Patches
import Playback
import TestSupport
import Testing

/// The first sound after the start of the program.
@Suite struct SoftStartTests {
    private static let second = 48_000 / RenderedHost.period

    @Test("the first sound comes in over the soft start without a click, is then the same as without, and later starts are immediate")
    func comesIn() {
        let item = PlayingTests.item("one", carrier: 200, seconds: nil)
        let (soft, plain) = (RenderedHost([item], softStart: 1), RenderedHost([item]))
        for host in [soft, plain] {
            host.send(.play)
            host.cycles(7 * Self.second)
        }
        // At 0 dB it takes 5 s.
        let levels = [1.25, 2.5, 3.75].map { seconds in
            let start = Int(seconds * 48_000)
            return decibels(Double(soft.left[start..<(start + 2400)].map(abs).max() ?? 0))
        }
        #expect(levels[0] < -60, "\(levels)")
        #expect(levels[0] < levels[1], "\(levels)")
        #expect(levels[1] < levels[2], "\(levels)")
        #expect(levels[2] < -20, "\(levels)")
        // After the soft start and the period in which it began, every sample is that of a sound without a soft start.
        let after = 5 * 48_000 + 2 * RenderedHost.period
        #expect(soft.left[after...] == plain.left[after...])
        for host in [soft, plain] {
            host.send(.pause)
            host.cycles(20)
            host.send(.play)
            host.cycles(20)
        }
        #expect(soft.left[after...] == plain.left[after...])
        soft.send(.stop)
        soft.cycles(40)
        #expect(peakAbove(2000, in: soft.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }
    @Test("A louder session that takes over comes in from the level of the one before it, without a click")
    func louderSession() {
        let host = RenderedHost([PlayingTests.item("one", carrier: 200, seconds: nil)], softStart: 1)
        host.send(.setMasterGain(-30, ramp: nil))
        host.send(.play)
        host.cycles(4 * Self.second)
        #expect(abs(decibels(Double(host.level(ofLast: 10))) + 50) < 0.1)
        var other = host.player.state
        (other.masterGain, other.playback) = (0, .playing)
        host.player.restore(other, position: 0, at: host.performance.moment)
        host.carryOut()
        var levels: [Double] = []
        for _ in 0..<12 {
            host.cycles(Self.second / 2)
            levels.append(decibels(Double(host.level(ofLast: 10))))
        }
        #expect(levels[0] < -43, "\(levels)")
        #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 < $1 + 0.1 }, "\(levels)")
        #expect(abs((levels.last ?? 0) + 20) < 0.1, "\(levels)")
        host.send(.stop)
        host.cycles(40)
        #expect(peakAbove(2000, in: host.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }
    @Test("A level that was raised while nothing was heard comes in from silence, without a click", arguments: 0..<4)
    func raised(ending: Int) {
        let endings: [(Command, Command)] = [(.pause, .play), (.stop, .play), (.panic, .play), (.muteMaster(true), .muteMaster(false))]
        let (end, resume) = endings[ending]
        let host = RenderedHost([PlayingTests.item("one", carrier: 200, seconds: nil)], softStart: 1)
        host.send(.setMasterGain(-40, ramp: nil))
        host.send(.play)
        host.cycles(3 * Self.second)
        #expect(abs(decibels(Double(host.level(ofLast: 10))) + 60) < 0.1)
        host.send(end)
        host.cycles(20)
        host.send(.setMasterGain(0, ramp: nil))
        host.cycles(5 * Self.second)
        #expect(host.level(ofLast: 10) == 0)
        host.send(resume)
        host.cycles(Self.second)
        let first = decibels(Double(host.level(ofLast: Self.second)))
        #expect(first < -80, "\(first) dB")
        host.cycles(5 * Self.second)
        #expect(abs(decibels(Double(host.level(ofLast: 10))) + 20) < 0.1)
        host.send(.stop)
        host.cycles(40)
        #expect(peakAbove(2000, in: host.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }
    @Test("A sound that is paused while it rises is never louder than it was, and rises again", arguments: [0, 1, 2, 5, 40, 400])
    func pausedRise(cycles: Int) {
        let host = RenderedHost([PlayingTests.item("one", carrier: 200, seconds: nil)], softStart: 1)
        host.send(.play)
        host.cycles(5 * Self.second / 2)
        let heard = decibels(Double(host.level(ofLast: 2)))
        #expect(abs(heard + 50) < 1, "\(heard) dB")
        host.send(.pause)
        host.cycles(cycles)
        let start = host.left.count
        host.send(.play)
        host.cycles(2 * Self.second)
        let peak = decibels(Double(host.left[start...].map(abs).max() ?? 0))
        #expect(peak < heard + 6, "\(peak) dB after \(heard)")
        host.cycles(4 * Self.second)
        #expect(abs(decibels(Double(host.level(ofLast: 10))) + 20) < 0.1)
    }
    @Test("A sleep timer as short as its fade fades after the soft start, and not before anything was heard")
    func sleeping() {
        let host = RenderedHost([PlayingTests.item("one", carrier: 200, seconds: nil)], softStart: 1)
        host.send(.sleep(in: 10, fade: 10, .linear))
        host.send(.play)
        var levels: [Double] = []
        for _ in 0..<10 * Self.second {
            host.cycles(1)
            host.player.tick(at: host.performance.moment)
            host.carryOut()
            levels.append(decibels(Double(host.level(ofLast: 2))))
        }
        let loudest = levels.max() ?? 0
        #expect(abs(loudest + 20) < 1, "\(loudest) dB")
        let fade = levels.suffix(4 * Self.second)
        #expect(zip(fade, fade.dropFirst()).allSatisfy { $0 > $1 - 0.1 }, "it only gets softer")
        host.cycles(20)
        host.player.tick(at: host.performance.moment)
        #expect(host.player.state.playback == .stopped)
        #expect(host.level(ofLast: 2) == 0)
    }
}
