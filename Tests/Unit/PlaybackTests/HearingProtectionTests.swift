import Patches
import Playback
import Testing

/// The soft start and the highest level.
@Suite struct HearingProtectionTests {
    private static func rig(softStart: Double = 0, highest: Double = 0, hasAudio: Bool = true) -> TestPlayer {
        var rig = TestPlayer([.make("one"), .make("two")], hasAudio: hasAudio)
        rig.player.protect(HearingProtection(softStart: softStart, highestMasterGain: highest))
        return rig
    }

    @Test("the level comes in when something sounds for the first time, and only then")
    func once() {
        var rig = Self.rig(softStart: 1)
        #expect(rig.state.masterTarget == Parameter.off)
        #expect(rig.state.masterGain == 0)
        rig.send(.play)
        #expect(rig.effects() == [.sound(.start(position: 0)), .sound(.master(Ramp(seconds: 1, easing: .quadOut)))])
        #expect(rig.state.masterTarget == 0)
        rig.send(.pause)
        rig.send(.play)
        #expect(!rig.effects().contains { if case .sound(.master) = $0 { true } else { false } })
    }

    @Test("while JACK is away nothing sounds, so the level comes in when it is there")
    func waits() {
        var rig = Self.rig(softStart: 1, hasAudio: false)
        rig.send(.play)
        #expect(rig.effects() == [])
        #expect(rig.state.masterTarget == Parameter.off)
        rig.player.audioAvailable(sampleRate: 48_000, at: rig.now)
        #expect(rig.effects() == [.sound(.start(position: 0)), .sound(.master(Ramp(seconds: 1, easing: .quadOut)))])
    }

    @Test("a level, an unmute or a session in the first second is not reached before its end")
    func notCutShort() {
        var rig = Self.rig(softStart: 1)
        rig.send(.play)
        rig.advance(seconds: 0.25)
        _ = rig.effects()
        rig.send(.setMasterGain(-3, ramp: nil))
        #expect(rig.effects() == [.sound(.master(Ramp(seconds: 0.75)))])
        rig.send(.setMasterGain(-3, ramp: Ramp(seconds: 5)))
        #expect(rig.effects() == [.sound(.master(Ramp(seconds: 5)))])
        rig.send(.muteMaster(true))
        #expect(rig.effects() == [.sound(.master(.shortLevel))], "silence is never delayed")
        rig.send(.muteMaster(false))
        #expect(rig.effects() == [.sound(.master(Ramp(seconds: 0.75)))])
        rig.advance(seconds: 1)
        rig.send(.setMasterGain(-6, ramp: nil))
        #expect(rig.effects() == [.sound(.master(.shortLevel))])
    }

    @Test("no command raises the master above the highest level", arguments: [0, -11.9, -12, 1e9])
    func limited(gain: Double) {
        var rig = Self.rig(highest: -12)
        #expect(rig.state.masterGain == -12)
        #expect(rig.send(.setMasterGain(gain, ramp: nil)).status == .success)
        #expect(rig.state.masterGain == -12)
        rig.send(.setMasterGain(-20, ramp: nil))
        #expect(rig.state.masterGain == -20)
    }

    @Test("a session above the highest level is lowered, and the user is notified")
    func session() {
        var rig = Self.rig(highest: -12)
        var restored = PlayerState()
        restored.masterGain = -3.5
        rig.player.restore(restored, position: 0, at: rig.now)
        #expect(rig.state.masterGain == -12)
        #expect(rig.state.hearing.highestMasterGain == -12)
        #expect(
            rig.effects().contains(
                .request(
                    .notice("The session's master level of -3.5 dB is above the preference maximumLevel: it is now -12 dB."))))
        restored.masterGain = -30
        rig.player.restore(restored, position: 0, at: rig.now)
        #expect(rig.state.masterGain == -30)
        #expect(!rig.effects().contains { if case .request = $0 { true } else { false } })
    }
}
