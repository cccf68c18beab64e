import Patches
import Playback
import TestSupport
import Testing

/// The first sound after the start of the program.
@Suite struct SoftStartTests {
    private static let second = 48_000 / TestPerformance.period

    @Test("the first sound comes in over the soft start without a click, is then the same as without, and later starts are immediate")
    func comesIn() {
        let item = PlayingTests.item("one", carrier: 200, seconds: nil)
        let (soft, plain) = (TestPerformance([item], softStart: 1), TestPerformance([item]))
        for performance in [soft, plain] {
            performance.send(.play)
            performance.cycles(7 * Self.second)
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
        let after = 5 * 48_000 + 2 * TestPerformance.period
        #expect(soft.left[after...] == plain.left[after...])
        for performance in [soft, plain] {
            performance.send(.pause)
            performance.cycles(20)
            performance.send(.play)
            performance.cycles(20)
        }
        #expect(soft.left[after...] == plain.left[after...])
        soft.send(.stop)
        soft.cycles(40)
        #expect(peakAbove(2000, in: soft.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }
    @Test("A louder session that takes over comes in from the level of the one before it, without a click")
    func louderSession() {
        let performance = TestPerformance([PlayingTests.item("one", carrier: 200, seconds: nil)], softStart: 1)
        performance.send(.setMasterGain(-30, ramp: nil))
        performance.send(.play)
        performance.cycles(4 * Self.second)
        #expect(abs(decibels(Double(performance.level(ofLast: 10))) + 50) < 0.1)
        var other = performance.player.state
        (other.masterGain, other.playback) = (0, .playing)
        performance.player.restore(other, position: 0, at: performance.performance.moment)
        performance.carryOut()
        var levels: [Double] = []
        for _ in 0..<12 {
            performance.cycles(Self.second / 2)
            levels.append(decibels(Double(performance.level(ofLast: 10))))
        }
        #expect(levels[0] < -43, "\(levels)")
        #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 < $1 + 0.1 }, "\(levels)")
        #expect(abs((levels.last ?? 0) + 20) < 0.1, "\(levels)")
        performance.send(.stop)
        performance.cycles(40)
        #expect(peakAbove(2000, in: performance.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }
    @Test("A level that was raised while nothing was heard comes in from silence, without a click", arguments: 0..<4)
    func raised(ending: Int) {
        let endings: [(Command, Command)] = [(.pause, .play), (.stop, .play), (.panic, .play), (.muteMaster(true), .muteMaster(false))]
        let (end, resume) = endings[ending]
        let performance = TestPerformance([PlayingTests.item("one", carrier: 200, seconds: nil)], softStart: 1)
        performance.send(.setMasterGain(-40, ramp: nil))
        performance.send(.play)
        performance.cycles(3 * Self.second)
        #expect(abs(decibels(Double(performance.level(ofLast: 10))) + 60) < 0.1)
        performance.send(end)
        performance.cycles(20)
        performance.send(.setMasterGain(0, ramp: nil))
        performance.cycles(5 * Self.second)
        #expect(performance.level(ofLast: 10) == 0)
        performance.send(resume)
        performance.cycles(Self.second)
        let first = decibels(Double(performance.level(ofLast: Self.second)))
        #expect(first < -80, "\(first) dB")
        performance.cycles(5 * Self.second)
        #expect(abs(decibels(Double(performance.level(ofLast: 10))) + 20) < 0.1)
        performance.send(.stop)
        performance.cycles(40)
        #expect(peakAbove(2000, in: performance.left.map(Double.init)[...], sampleRate: 48_000) < -100)
    }
    @Test("A sound that is paused while it rises is never louder than it was, and rises again", arguments: [0, 1, 2, 5, 40, 400])
    func pausedRise(cycles: Int) {
        let performance = TestPerformance([PlayingTests.item("one", carrier: 200, seconds: nil)], softStart: 1)
        performance.send(.play)
        performance.cycles(5 * Self.second / 2)
        let heard = decibels(Double(performance.level(ofLast: 2)))
        #expect(abs(heard + 50) < 1, "\(heard) dB")
        performance.send(.pause)
        performance.cycles(cycles)
        let start = performance.left.count
        performance.send(.play)
        performance.cycles(2 * Self.second)
        let peak = decibels(Double(performance.left[start...].map(abs).max() ?? 0))
        #expect(peak < heard + 6, "\(peak) dB after \(heard)")
        performance.cycles(4 * Self.second)
        #expect(abs(decibels(Double(performance.level(ofLast: 10))) + 20) < 0.1)
    }
    @Test("A sleep timer as short as its fade fades after the soft start, and not before anything was heard")
    func sleeping() {
        let performance = TestPerformance([PlayingTests.item("one", carrier: 200, seconds: nil)], softStart: 1)
        performance.send(.sleep(in: 10, fade: 10, .linear))
        performance.send(.play)
        var levels: [Double] = []
        for _ in 0..<10 * Self.second {
            performance.cycles(1)
            performance.player.tick(at: performance.performance.moment)
            performance.carryOut()
            levels.append(decibels(Double(performance.level(ofLast: 2))))
        }
        let loudest = levels.max() ?? 0
        #expect(abs(loudest + 20) < 1, "\(loudest) dB")
        let fade = levels.suffix(4 * Self.second)
        #expect(zip(fade, fade.dropFirst()).allSatisfy { $0 > $1 - 0.1 }, "it only gets softer")
        performance.cycles(20)
        performance.player.tick(at: performance.performance.moment)
        #expect(performance.player.state.playback == .stopped)
        #expect(performance.level(ofLast: 2) == 0)
    }
}
