import Patches
import Playback
import Testing

/// Requested ramps, and the reports of their ends.
@Suite struct RampTests {
    private static let beat = Fader.parameter(.beat, layer: 0)

    private func beat(_ value: Double, over seconds: Double?, _ group: RampGroup? = nil) -> Command {
        .set(Setting(layer: 0, parameter: .beat, value: value), ramp: seconds.map { Ramp(seconds: $0, group: group) })
    }

    private func pan(_ value: Double, over seconds: Double, _ group: RampGroup? = nil) -> Command {
        .set(Setting(layer: 0, parameter: .pan, value: value), ramp: Ramp(seconds: seconds, group: group))
    }

    /// The reports while this much time passes in steps of 10 ms.
    private func reports(_ player: inout TestPlayer, seconds: Double) -> [RunningRamps.Report] {
        (0..<Int((seconds * 100).rounded())).flatMap { _ in
            let mark = player.state.ramps.lastNumber
            player.advance(seconds: 0.01)
            player.player.tick(at: player.now)
            return player.state.ramps.reports(since: mark)
        }
    }

    @Test("the end of a requested ramp is reported once, when its time has passed; other sets are not reported")
    func end() {
        var player = TestPlayer([.make("one")])
        player.send(.play)
        player.send(beat(4, over: 2))
        player.send(.set(Setting(layer: 0, parameter: .gain, value: -30), ramp: nil))
        #expect(reports(&player, seconds: 1.99).isEmpty)
        #expect(reports(&player, seconds: 0.02) == [.done(Self.beat)])
        #expect(reports(&player, seconds: 5).isEmpty)
    }

    @Test("a newer set of the parameter replaces the ramp without a report, with a ramp or without")
    func replaced() {
        var player = TestPlayer([.make("one")])
        player.send(.play)
        player.send(beat(4, over: 2))
        #expect(reports(&player, seconds: 1).isEmpty)
        player.send(beat(6, over: 2))
        #expect(reports(&player, seconds: 1.5).isEmpty)
        #expect(reports(&player, seconds: 1) == [.done(Self.beat)])
        player.send(beat(4, over: 2))
        player.send(beat(5, over: nil))
        #expect(reports(&player, seconds: 3).isEmpty)
    }

    @Test("a group ends once, with the last of its ramps; a replaced ramp has ended")
    func groups() {
        var player = TestPlayer([.make("one")])
        let group = RampGroup(id: 7, bundle: 1)
        player.send(.play)
        player.send(beat(4, over: 1, group))
        player.send(pan(0.5, over: 2, group))
        player.send(.setMasterGain(-6, ramp: Ramp(seconds: 3, group: group)))
        #expect(reports(&player, seconds: 1.5) == [.done(Self.beat)])
        #expect(reports(&player, seconds: 1) == [.done(.parameter(.pan, layer: 0))])
        #expect(reports(&player, seconds: 1) == [.done(.masterGain), .finished(group)])
        let other = RampGroup(id: 7, bundle: 2)
        player.send(beat(8, over: 1, other))
        #expect(reports(&player, seconds: 0.5).isEmpty)
        player.send(beat(9, over: 5))
        #expect(reports(&player, seconds: 1) == [.finished(other)])
    }

    @Test("a change of item, reset and undo end ramps without reports, and their groups; the master's continues")
    func ended() {
        var player = TestPlayer([.make("one"), .make("two")])
        let group = RampGroup(id: 1, bundle: 1)
        player.send(.play)
        player.send(beat(4, over: 2, group))
        player.send(.setMasterGain(-6, ramp: Ramp(seconds: 2)))
        player.send(.nextItem)
        #expect(reports(&player, seconds: 3) == [.finished(group), .done(.masterGain)])
        player.send(beat(4, over: 2))
        player.send(.reset(layer: 0))
        #expect(reports(&player, seconds: 3).isEmpty)
        player.send(beat(4, over: 2))
        player.send(pan(0.5, over: 2))
        player.send(.undo)
        #expect(reports(&player, seconds: 3) == [.done(Self.beat)])
    }

    @Test("ramps continue while paused; when JACK goes away they are at their end")
    func clock() {
        var player = TestPlayer([.make("one")])
        player.send(.play)
        player.send(beat(4, over: 2))
        player.send(.pause)
        #expect(reports(&player, seconds: 3) == [.done(Self.beat)])
        player.send(.play)
        player.send(beat(6, over: 100))
        player.player.audioLost(position: nil, at: player.now)
        #expect(reports(&player, seconds: 0.01) == [.done(Self.beat)])
    }

    @Test("a fade of the master ends like its ramp, and an interrupted one does not")
    func fade() {
        var player = TestPlayer([.make("one")])
        player.send(.play)
        player.send(.fadeOut(seconds: 2))
        #expect(reports(&player, seconds: 3) == [.done(.masterGain)])
        player.send(.play)
        player.send(.fadeOut(seconds: 2))
        player.send(.pause)
        #expect(reports(&player, seconds: 3).isEmpty)
    }
}
