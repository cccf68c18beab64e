import Patches
import Playback
import Testing

/// Levels that a control raises by much at once.
@Suite struct LevelMoveTests {
    private static let gain = Fader.parameter(.gain, layer: 0)

    /// Plays with the master at -40 dB, and the first layer too.
    private func player(_ law: Patch.GainLaw = .decibels) -> TestPlayer {
        var item = QueueItem.make("one")
        item.patch?.gainLaw = law
        var player = TestPlayer([item])
        player.send(.setMasterGain(-40, ramp: nil))
        player.send(level(-40))
        player.send(.play)
        _ = player.effects()
        return player
    }

    private func level(_ gain: Double, _ ramp: Ramp? = nil) -> Command {
        .set(Setting(layer: 0, parameter: .gain, value: gain), ramp: ramp)
    }

    /// The ramp of the last change of a level.
    private func ramp(_ player: inout TestPlayer) -> Ramp? {
        switch player.effects().last {
        case .sound(.master(let ramp)), .sound(.move(_, ramp: let ramp)): ramp
        default: nil
        }
    }

    private static func slew(_ seconds: Double) -> Ramp { Ramp(seconds: seconds, easing: .linear) }

    @Test(
        "A rise of more than 6 dB takes a second for each 12 dB, also from silence; a smaller one, a lower level, and one with a ramp of its own do not"
    )
    func slew() {
        var player = player()
        for (gain, expected) in [
            (-4.0, Self.slew(3)), (-10, nil), (-4, nil), (-78, nil), (-48, Self.slew(2.5)), (-120, nil), (0, Self.slew(10)),
        ] as [(Double, Ramp?)] {
            player.send(.setMasterGain(gain, ramp: nil))
            #expect(ramp(&player) == expected ?? Ramp(seconds: 0.02), "the master at \(gain) dB")
            #expect(player.state.masterGain == gain)
            player.send(level(gain))
            #expect(ramp(&player) == expected ?? Ramp(seconds: 0.02), "a layer at \(gain) dB")
            player.advance(seconds: 5)
        }
        let own = Ramp(seconds: 0.1, easing: .sineInOut)
        player.send(.setMasterGain(0, ramp: own))
        #expect(ramp(&player) == own)
        player.send(level(0, own))
        #expect(ramp(&player) == own)
    }

    @Test("A control that moves on during a rise continues from the level that is heard, also during a ramp")
    func movesOn() {
        var player = player()
        player.send(.setMasterGain(-4, ramp: nil))
        player.advance(seconds: 1)
        _ = player.effects()
        player.send(.setMasterGain(-16, ramp: nil))
        #expect(ramp(&player) == Self.slew(1))
        player.advance(seconds: 0.5)
        player.send(.setMasterGain(-22, ramp: nil))
        #expect(ramp(&player) == Ramp(seconds: 0.02))
        for easing in [Easing.quadOut, nil] {
            player.send(level(-40))
            player.send(level(-10, Ramp(seconds: 20, easing: easing)))
            player.advance(seconds: 10)
            player.send(level(-10))
            // 22.5 dB of the 30 have been covered, or half of them.
            #expect(ramp(&player) == (easing == nil ? Self.slew(1.25) : Self.slew(0.625)))
            player.advance(seconds: 10)
        }
    }

    @Test("Where layers move as amplitudes, a rise is about even in dB")
    func amplitude() {
        var player = player(.amplitude)
        player.send(level(-4))
        #expect(ramp(&player) == Ramp(seconds: 3, easing: .cubicIn))
        player.advance(seconds: 1.5)
        player.send(level(-4))
        // An eighth of the amplitude has been covered: -21 dB.
        #expect(ramp(&player).map { abs($0.seconds - 17 / 12.0) < 0.02 } == true)
    }

    @Test("A level set by a preset is the one from which the next rise begins")
    func preset() {
        var player = player()
        player.send(.savePreset("soft"))
        player.send(level(0, Ramp(seconds: 10)))
        player.advance(seconds: 8)
        player.send(.loadPreset("soft"))
        player.advance(seconds: 1)
        player.send(level(-16))
        #expect(ramp(&player) == Self.slew(2))
    }

    @Test("A preset lets a layer that it raises by much rise slowly, and moves its other values over their default ramps")
    func louderPreset() {
        var player = player()
        player.send(level(-4))
        player.send(.set(Setting(layer: 1, parameter: .gain, value: -20), ramp: nil))
        player.advance(seconds: 5)
        player.send(.savePreset("loud"))
        player.send(level(-40))
        player.send(.set(Setting(layer: 1, parameter: .gain, value: -26), ramp: nil))
        _ = player.effects()
        player.send(.loadPreset("loud"))
        guard case .sound(.moves(let settings, let rises))? = player.effects().first else {
            Issue.record("they do not move together")
            return
        }
        #expect(settings.filter { $0.parameter == .gain }.map(\.value) == [-4, -20])
        #expect(rises == [0: Self.slew(3)])
        player.advance(seconds: 1)
        player.send(level(-16))
        #expect(ramp(&player) == Self.slew(1))
    }

    @Test("A level set while the master is muted does not make the mute longer, and is heard after it")
    func muted() {
        var player = player()
        for own in [nil, Ramp(seconds: 60)] {
            player.send(.muteMaster(true))
            player.send(.setMasterGain(-4, ramp: own))
            #expect(ramp(&player) == .shortLevel)
            player.send(.muteMaster(false))
            #expect(ramp(&player)?.seconds == (own == nil ? 3 : 60))
            player.advance(seconds: 100)
        }
    }

    @Test("After a mute the master rises over the rest of its ramp, from silence")
    func unmuted() {
        var player = player()
        player.send(.setMasterGain(0, ramp: Ramp(seconds: 60)))
        player.advance(seconds: 20)
        player.send(.muteMaster(true))
        player.advance(seconds: 10)
        player.send(.muteMaster(false))
        #expect(ramp(&player) == Ramp(seconds: 30))
        player.send(.setMasterGain(-60, ramp: nil))
        #expect(ramp(&player) == Ramp(seconds: 0.02))
        player.advance(seconds: 1)
        player.send(.setMasterGain(-48, ramp: nil))
        #expect(ramp(&player) == Self.slew(1))
    }

    @Test("A level set during a fade-out or a rise from silence continues from the level that is heard, which an unmute gives back")
    func fades() {
        for rises in [false, true] {
            var player = player()
            if rises {
                player.player.recordRise(over: 60, .linear, at: player.now)
            } else {
                player.send(.fadeOut(seconds: 60))
                _ = player.effects()
            }
            player.advance(seconds: 30)
            player.send(.setMasterGain(-44, ramp: nil))
            // In the middle both are at -80 dB.
            #expect(player.effects() == [.sound(.master(Self.slew(3)))])
            #expect(player.state.fade == nil)
        }
        var player = player()
        player.send(.fadeOut(seconds: 60))
        player.advance(seconds: 30)
        player.send(.muteMaster(true))
        _ = player.effects()
        player.send(.muteMaster(false))
        #expect(player.effects() == [.sound(.fadedMaster(-80, .shortLevel))])
    }

    @Test("A touch, its release and a mute during a rise do not shorten it")
    func held() {
        var player = player()
        player.player.sender = "hand"
        player.send(.touch(Self.gain, true))
        player.send(level(-4))
        #expect(ramp(&player) == Self.slew(3))
        player.advance(seconds: 1)
        player.send(.touch(Self.gain, false))
        #expect(player.effects() == [.sound(.course(.gain, layer: 0, seconds: 2))])
        player.send(.setMasterGain(-4, ramp: nil))
        player.send(.muteMaster(true))
        player.advance(seconds: 1)
        player.send(.muteMaster(false))
        #expect(ramp(&player) == Ramp(seconds: 2))
    }

    @Test("A fader that returns to a louder value takes its time")
    func returns() {
        var player = TestPlayer([.make("one")])
        player.send(level(-10))
        player.send(.changeTouchMode(to: .return))
        player.send(.play)
        player.player.sender = "hand"
        for fader in [Fader.masterGain, Self.gain] { player.send(.touch(fader, true)) }
        player.send(.setMasterGain(-24, ramp: nil))
        player.send(level(-34))
        _ = player.effects()
        for fader in [Fader.masterGain, Self.gain] { player.send(.touch(fader, false)) }
        #expect(player.effects() == [.sound(.master(Self.slew(2))), .sound(.course(.gain, layer: 0, seconds: 2))])
    }

    @Test("While nothing is heard, a level is there at once")
    func silent() {
        var player = player()
        player.send(.pause)
        player.send(.setMasterGain(0, ramp: nil))
        #expect(ramp(&player) == Ramp(seconds: 0.02))
    }
}
