import Playback
import Testing

@Suite struct AudioFaultTests {
    @Test("while JACK is away, playback is interrupted, its time stops, and it resumes at the lost frame")
    func interruption() {
        var rig = TestPlayer([.make("one")])
        rig.send(.play)
        rig.advance(seconds: 10)
        rig.player.audioLost(position: 479_000, at: rig.now)
        #expect(rig.state.playback == .interrupted)
        rig.advance(seconds: 10)
        #expect(rig.state.position(at: rig.now) == 479_000)
        _ = rig.effects()
        rig.player.audioAvailable(sampleRate: 48_000, at: rig.now)
        #expect(rig.state.playback == .playing)
        #expect(rig.effects() == [.sound(.start(position: 479_000))])
    }

    @Test("play while JACK is away succeeds and is interrupted; pause makes it paused, stop makes it stopped")
    func commandsWhileAway() {
        var rig = TestPlayer([.make("one")], hasAudio: false)
        #expect(rig.send(.play).status == .success)
        #expect(rig.state.playback == .interrupted)
        #expect(rig.effects().isEmpty)
        rig.send(.pause)
        #expect(rig.state.playback == .paused)
        rig.send(.play)
        rig.send(.stop)
        #expect(rig.state.playback == .stopped)
        rig.player.audioAvailable(sampleRate: 48_000, at: rig.now)
        #expect(rig.effects().isEmpty)
    }

    @Test("another sample rate keeps the position in seconds, also while JACK was away")
    func sampleRate() {
        var rig = TestPlayer([.make("one")])
        rig.send(.play)
        rig.advance(seconds: 10)
        rig.player.audioLost(position: 480_000, at: rig.now)
        rig.player.audioAvailable(sampleRate: 96_000, at: rig.now)
        #expect(rig.elapsed == 10)
        #expect(rig.effects().last == .sound(.start(position: 960_000)))
        rig.player.audioLost(position: 960_000, at: rig.now)
        rig.player.audioAvailable(sampleRate: 44_100, at: rig.now)
        #expect(rig.elapsed == 10)
    }
}
