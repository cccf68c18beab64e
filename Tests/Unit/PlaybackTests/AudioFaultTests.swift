import Playback
import Testing

@Suite struct AudioFaultTests {
    @Test("while JACK is away, playback is interrupted, its time stops, and it resumes at the lost frame")
    func interruption() {
        var player = TestPlayer([.make("one")])
        player.send(.play)
        player.advance(seconds: 10)
        player.player.audioLost(position: 479_000, at: player.now)
        #expect(player.state.playback == .interrupted)
        player.advance(seconds: 10)
        #expect(player.state.position(at: player.now) == 479_000)
        _ = player.effects()
        player.player.audioAvailable(sampleRate: 48_000, at: player.now)
        #expect(player.state.playback == .playing)
        #expect(player.effects() == [.sound(.start(position: 479_000))])
    }

    @Test("play while JACK is away succeeds and is interrupted; pause makes it paused, stop makes it stopped")
    func commandsWhileAway() {
        var player = TestPlayer([.make("one")], hasAudio: false)
        #expect(player.send(.play).status == .success)
        #expect(player.state.playback == .interrupted)
        #expect(player.effects().isEmpty)
        player.send(.pause)
        #expect(player.state.playback == .paused)
        player.send(.play)
        player.send(.stop)
        #expect(player.state.playback == .stopped)
        player.player.audioAvailable(sampleRate: 48_000, at: player.now)
        #expect(player.effects().isEmpty)
    }

    @Test("another sample rate keeps the position in seconds, also while JACK was away")
    func sampleRate() {
        var player = TestPlayer([.make("one")])
        player.send(.play)
        player.advance(seconds: 10)
        player.player.audioLost(position: 480_000, at: player.now)
        player.player.audioAvailable(sampleRate: 96_000, at: player.now)
        #expect(player.elapsed == 10)
        #expect(player.effects().last == .sound(.start(position: 960_000)))
        player.player.audioLost(position: 960_000, at: player.now)
        player.player.audioAvailable(sampleRate: 44_100, at: player.now)
        #expect(player.elapsed == 10)
    }
}
