import Patches
import Playback
import Testing

/// The soft start and the highest level.
@Suite struct HearingProtectionTests {
    private static func player(softStart: Double = 0, highest: Double = 0, hasAudio: Bool = true) -> TestPlayer {
        var player = TestPlayer([.make("one"), .make("two")], hasAudio: hasAudio)
        player.player.protect(HearingProtection(softStart: softStart, highestMasterGain: highest))
        return player
    }

    @Test("the level comes in when something sounds for the first time, and only then")
    func once() {
        var player = Self.player(softStart: 1)
        #expect(player.state.masterTarget == Parameter.off)
        #expect(player.state.masterGain == 0)
        player.send(.play)
        #expect(player.effects() == [.sound(.start(position: 0)), .sound(.master(Ramp(seconds: 1, easing: .quadOut)))])
        #expect(player.state.masterTarget == 0)
        player.send(.pause)
        player.send(.play)
        #expect(!player.effects().contains { if case .sound(.master) = $0 { true } else { false } })
    }

    @Test("while JACK is away nothing sounds, so the level comes in when it is there")
    func waits() {
        var player = Self.player(softStart: 1, hasAudio: false)
        player.send(.play)
        #expect(player.effects() == [])
        #expect(player.state.masterTarget == Parameter.off)
        player.player.audioAvailable(sampleRate: 48_000, at: player.now)
        #expect(player.effects() == [.sound(.start(position: 0)), .sound(.master(Ramp(seconds: 1, easing: .quadOut)))])
    }

    @Test("a level, an unmute or a session in the first second is not reached before its end")
    func notCutShort() {
        var player = Self.player(softStart: 1)
        player.send(.play)
        player.advance(seconds: 0.25)
        _ = player.effects()
        player.send(.setMasterGain(-3, ramp: nil))
        #expect(player.effects() == [.sound(.master(Ramp(seconds: 0.75)))])
        player.send(.setMasterGain(-3, ramp: Ramp(seconds: 5)))
        #expect(player.effects() == [.sound(.master(Ramp(seconds: 5)))])
        player.send(.muteMaster(true))
        #expect(player.effects() == [.sound(.master(.shortLevel))], "silence is never delayed")
        player.send(.muteMaster(false))
        #expect(player.effects() == [.sound(.master(Ramp(seconds: 0.75)))])
        player.advance(seconds: 1)
        player.send(.setMasterGain(-6, ramp: nil))
        #expect(player.effects() == [.sound(.master(.shortLevel))])
    }

    @Test("no command raises the master above the highest level", arguments: [0, -11.9, -12, 1e9])
    func limited(gain: Double) {
        var player = Self.player(highest: -12)
        #expect(player.state.masterGain == -12)
        #expect(player.send(.setMasterGain(gain, ramp: nil)).status == .success)
        #expect(player.state.masterGain == -12)
        player.send(.setMasterGain(-20, ramp: nil))
        #expect(player.state.masterGain == -20)
    }

    @Test("a session above the highest level is lowered, and the user is notified")
    func session() {
        var player = Self.player(highest: -12)
        var restored = PlayerState()
        restored.masterGain = -3.5
        player.player.restore(restored, position: 0, at: player.now)
        #expect(player.state.masterGain == -12)
        #expect(player.state.hearing.highestMasterGain == -12)
        #expect(
            player.effects().contains(
                .request(
                    .notice("The session's master level of -3.5 dB is above the preference maximumLevel: it is now -12 dB."))))
        restored.masterGain = -30
        player.player.restore(restored, position: 0, at: player.now)
        #expect(player.state.masterGain == -30)
        #expect(!player.effects().contains { if case .request = $0 { true } else { false } })
    }
}
