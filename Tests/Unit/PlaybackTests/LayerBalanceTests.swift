import Patches
@testable import Playback
import Testing

/// Layers that become louder at once, while their item is heard or after a silence.
@Suite struct LayerBalanceTests {
    /// Events that make a layer louder at once while it plays.
    enum Event: CaseIterable {
        case seek, heldSeek, wave, rate, patch, undo, redo, reset, resetItem, preset

        /// Whether it ends a slow rise, and sets no level itself.
        var endsRise: Bool { [.seek, .heldSeek, .wave, .rate, .patch].contains(self) }
        static let endings = allCases.filter(\.endsRise)
    }

    private static func patch(gain: Double = -4) -> Patch {
        var patch = Patch(
            duration: 600,
            layers: [
                Layer(name: "drone", kind: .tone, values: [.carrier: 200, .gain: gain]),
                Layer(name: "rain", kind: .noise, values: [.gain: -30]),
            ])
        patch.chapters = [Chapter(start: 300, settings: [Setting(layer: 1, parameter: .gain, value: 0)])]
        return patch
    }

    private static func level(_ gain: Double, layer: Int = 0, _ ramp: Ramp? = nil) -> Command {
        .set(Setting(layer: layer, parameter: .gain, value: gain), ramp: ramp)
    }

    /// Plays for a while with the master at -10 dB and the first layer at -40 dB.
    private static func playing(softStart: Double = 0, gain: Double = -4) -> TestPlayer {
        var player = TestPlayer(["one", "two"].map { QueueItem(reference: $0, patch: patch(gain: gain)) })
        player.player.protect(HearingProtection(softStart: softStart))
        player.send(.setMasterGain(-10, ramp: nil))
        player.send(level(-40))
        player.send(.play)
        player.advance(seconds: 20)
        _ = player.effects()
        return player
    }

    /// Plays while the first layer rises slowly; it has come to -28 dB and leads to -4 dB.
    private static func rising(softStart: Double = 0) -> TestPlayer {
        var player = playing(softStart: softStart)
        player.send(level(-4))
        player.advance(seconds: 1)
        _ = player.effects()
        return player
    }

    /// Plays with the first layer at -40 dB, such that the event makes it louder by 36 dB.
    private static func prepared(for event: Event) -> TestPlayer {
        var player = playing()
        if event == .preset {
            player.send(level(-4))
            player.send(.changeWave(layer: 0, .triangle))
            player.advance(seconds: 5)
            player.send(.savePreset("loud"))
            player.send(.changeWave(layer: 0, .sine))
            player.send(level(-40))
        }
        player.advance(seconds: 5)
        if event == .redo {
            player.send(level(-4, Ramp(seconds: 1)))
            player.advance(seconds: 5)
            player.send(.undo)
        }
        player.advance(seconds: 5)
        _ = player.effects()
        return player
    }

    private static func make(_ event: Event, _ player: inout TestPlayer) {
        switch event {
        case .seek: player.send(.changePosition(to: 100))
        case .heldSeek:
            player.send(.seek(.forward, begins: true))
            player.advance(seconds: 0.25)
            player.player.tick(at: player.now)
        case .wave: player.send(.changeWave(layer: 0, .square))
        case .rate: player.send(.changeRate(to: 2))
        case .patch:
            var patch = patch()
            patch.layers.insert(Layer(name: "new", kind: .tone, values: [.gain: 0]), at: 0)
            _ = player.player.replacePatch(ofItem: 0, with: patch, restored: nil, at: player.now)
        case .undo: player.send(.undo)
        case .redo: player.send(.redo)
        case .reset: player.send(.reset(layer: 0))
        case .resetItem: player.send(.resetItem(0))
        case .preset: player.send(.loadPreset("loud"))
        }
    }

    /// Where the master falls to, and the ramp of its rise.
    private static func dip(_ effects: [Effect]) -> (level: Double, ramp: Ramp)? {
        for case .sound(.loweredMaster(let level, let ramp)) in effects { return (level, ramp) }
        return nil
    }

    private static func master(_ player: TestPlayer) -> Double {
        player.state.mixer.masterLevel(at: player.now, sampleRate: TestPlayer.sampleRate)
    }

    private static func layer(_ player: TestPlayer, _ index: Int = 0) -> Double? {
        let fader = Fader.parameter(.gain, layer: index)
        return player.state.ramps.level(of: fader, at: player.now, sampleRate: TestPlayer.sampleRate)
            ?? player.state.value(of: fader, at: player.now)
    }

    // MARK: While it plays

    @Test(
        "An event that ends the slow rise of a layer lowers the master by what was missing, before the sound changes",
        arguments: Event.endings)
    func endedRise(event: Event) throws {
        var player = Self.rising()
        Self.make(event, &player)
        let effects = player.effects()
        // A held seek jumps a quarter of a second later.
        let missing = event == .heldSeek ? 21.0 : 24
        let dip = try #require(Self.dip(effects))
        #expect(abs(dip.level - (-10 - missing)) < 1e-6)
        #expect(abs(dip.ramp.seconds - missing / 12) < 1e-6)
        #expect(dip.ramp.easing == .linear)
        guard case .sound(.loweredMaster)? = effects.first else {
            Issue.record("the sound changes first: \(effects)")
            return
        }
        #expect(player.state.masterGain == -10)
        #expect(Self.layer(player, event == .patch ? 1 : 0) == -4, "its own rise is over")
        #expect(abs(Self.master(player) - dip.level) < 1e-6)
        player.advance(seconds: missing / 24)
        #expect(abs(Self.master(player) - (-10 - missing / 2)) < 1e-3)
        player.advance(seconds: missing / 24 + 0.01)
        #expect(Self.master(player) == -10)
    }

    @Test(
        "A step of undo or redo, a reset and a preset with another wave lower the master by what they raise a layer",
        arguments: Event.allCases.filter { !$0.endsRise })
    func raised(event: Event) throws {
        var player = Self.prepared(for: event)
        #expect(Self.layer(player) == -40)
        Self.make(event, &player)
        let effects = player.effects()
        #expect(effects.prefix(2) == [.sound(.loweredMaster(-46, Ramp(seconds: 3, easing: .linear))), .sound(.crossfadeInPlace)])
        #expect(Self.layer(player) == -4)
        #expect(Self.master(player) == -46)
    }

    @Test("A level set during the rise of the master, a mute and an unmute continue from where it is")
    func continues() {
        func risen() -> TestPlayer {
            var player = Self.rising()
            Self.make(.seek, &player)
            player.advance(seconds: 1)
            _ = player.effects()
            return player
        }
        for (gain, ramp) in [(-10, Ramp(seconds: 1, easing: .linear)), (-22, .shortLevel), (-50, .shortLevel)] as [(Double, Ramp)] {
            var player = risen()
            player.send(.setMasterGain(gain, ramp: nil))
            #expect(player.effects() == [.sound(.master(ramp))], "\(gain) dB")
        }
        var player = risen()
        player.send(.muteMaster(true))
        #expect(player.effects() == [.sound(.master(.shortLevel))])
        player.send(.muteMaster(false))
        #expect(player.effects() == [.sound(.master(Ramp(seconds: 1)))])
    }

    @Test("A second event while the master rises does not lower it again")
    func again() {
        var player = Self.rising()
        Self.make(.seek, &player)
        player.advance(seconds: 1)
        _ = player.effects()
        for event in [Event.wave, .rate, .seek] {
            Self.make(event, &player)
            #expect(Self.dip(player.effects()) == nil, "\(event)")
        }
        #expect(Self.master(player) == -22)
    }

    @Test("A ramp of the layer that a client asked for and that a seek ends is made up for as well, and still reported")
    func clientsRamp() {
        var player = Self.playing()
        let number = player.state.ramps.lastNumber
        player.send(Self.level(-4, Ramp(seconds: 60, easing: .linear)))
        player.advance(seconds: 30)
        #expect(Self.dip(player.effects()) == nil, "the ramp itself is as it was asked for")
        Self.make(.seek, &player)
        #expect(Self.dip(player.effects())?.level == -28)
        player.advance(seconds: 30)
        player.player.tick(at: player.now)
        #expect(player.state.ramps.reports(since: number).contains(.done(.parameter(.gain, layer: 0))))
    }

    @Test("A followed transport that jumps during a slow rise of a layer lowers the master")
    func followed() {
        var player = Self.rising()
        player.send(.changeTransportMode(to: .follow))
        player.player.follow(isRolling: true, frame: player.state.position(at: player.now), at: player.now)
        #expect(Self.dip(player.effects()) == nil)
        player.player.follow(isRolling: true, frame: 4_800_000, at: player.now)
        #expect(Self.dip(player.effects())?.level == -34)
    }

    @Test("The master stays where it is if layers are louder by 6 dB at most, or by a switch, a chapter or a ramp that was asked for")
    func unaffected() {
        let cases: [(String, [Command], Command)] = [
            ("6 dB", [level(-46)], .undo), ("softer", [level(-4, Ramp(seconds: 1))], .undo),
            ("an unmute", [.mute(layer: 0, true), level(-4)], .mute(layer: 0, false)),
            ("a mute that is undone", [.mute(layer: 0, true)], .undo),
            ("a solo that ends", [.solo(layer: 1, true)], .solo(layer: 1, false)),
            ("a muted layer", [level(-4), .mute(layer: 0, true)], .changePosition(to: 100)),
            ("one that is not soloed", [level(-4), .solo(layer: 1, true)], .changeRate(to: 2)),
            ("another item", [level(-4)], .selectItem(1)), ("a level of a chapter", [], .next),
            ("a chapter during a slow rise of 6 dB", [level(-33.9)], .next), ("a client's ramp", [], level(-4, Ramp(seconds: 0.1))),
            ("a slow rise", [], level(-4)), ("the master", [], .setMasterGain(0, ramp: nil)),
        ]
        for (name, before, event) in cases {
            var player = Self.playing()
            for command in before { player.send(command) }
            player.advance(seconds: name == "softer" ? 2 : 0.1)
            _ = player.effects()
            #expect(player.send(event).status == .success, "\(name)")
            #expect(Self.dip(player.effects()) == nil, "\(name)")
        }
    }

    private func level(_ gain: Double, _ ramp: Ramp? = nil) -> Command { Self.level(gain, ramp) }

    @Test("A value at the start that a listener makes louder lowers the master, as do a step of redo and the end of such changes")
    func course() {
        func change(_ gain: Double) -> Command {
            .changeCourse(.value(place: nil, Setting(layer: 0, parameter: .gain, value: gain)))
        }
        for (before, after) in [([], change(-4)), ([change(-4), .undo], .redo), ([change(-40)], .resetCourse)] as [([Command], Command)] {
            var player = TestPlayer([QueueItem(reference: "one", patch: Self.patch(gain: after == .resetCourse ? -4 : -40))])
            player.send(.setMasterGain(-10, ramp: nil))
            for command in before { player.send(command) }
            player.send(.play)
            player.advance(seconds: 5)
            _ = player.effects()
            #expect(Self.layer(player) == -40)
            player.send(after)
            #expect(
                player.effects().prefix(2) == [.sound(.loweredMaster(-46, Ramp(seconds: 3, easing: .linear))), .sound(.crossfadeInPlace)])
            #expect(Self.layer(player) == -4)
        }
    }

    @Test("A repetition ends the slow rise of a layer, so that nothing after it is made up for")
    func repetition() {
        var player = Self.rising()
        player.send(.changeRepeatMode(to: .one))
        player.advanceToFollowing()
        #expect(Self.layer(player) == -4)
        Self.make(.seek, &player)
        #expect(Self.dip(player.effects()) == nil)
    }

    @Test("A patch that is saved with a louder layer is as loud as it says")
    func authored() {
        var player = Self.playing()
        var patch = Self.patch()
        patch.layers[1].values[.gain] = -3
        _ = player.player.replacePatch(ofItem: 0, with: patch, restored: nil, at: player.now)
        #expect(player.effects() == [.sound(.crossfadeInPlace)])
    }

    @Test("A seek to a softer chapter during a slow rise lowers the master only by what is heard")
    func softerChapter() {
        var item = QueueItem(reference: "one", patch: Self.patch(gain: -40))
        item.patch?.chapters = [Chapter(start: 300, settings: [Setting(layer: 0, parameter: .gain, value: -18)])]
        for (gain, expected) in [(-4, -20), (-34, nil)] as [(Double, Double?)] {
            var player = TestPlayer([item])
            player.send(.setMasterGain(-10, ramp: nil))
            player.send(.play)
            player.send(Self.level(gain))
            player.advance(seconds: 1)
            _ = player.effects()
            player.send(.changePosition(to: 400))
            // -28 dB were heard, and -18 dB are; without a slow rise it is the chapter alone.
            #expect(Self.dip(player.effects())?.level == expected, "\(gain) dB")
        }
    }

    // MARK: A master that moves

    @Test(
        "A master that fades out or is muted stays as it is",
        arguments: [Command.fadeOut(seconds: 60), .sleep(in: 60, fade: 60, .linear), .muteMaster(true)])
    func silenced(command: Command) {
        for event in Event.endings {
            var player = Self.rising()
            player.send(command)
            let before = player.state.mixer
            _ = player.effects()
            Self.make(event, &player)
            #expect(Self.dip(player.effects()) == nil, "\(event)")
            #expect(player.state.mixer.fade == before.fade)
            #expect(player.state.mixer.sleep == before.sleep)
            #expect(player.state.ramps.target(of: .masterGain) == before.ramps.target(of: .masterGain))
        }
    }

    @Test(
        "A master that moves is never higher than it would be otherwise, and comes to the level that is set",
        arguments: [nil, .linear, .quadIn, .cubicIn, .sineIn, .quadOut, .cubicOut, .sineOut, .quadInOut] as [Easing?])
    func neverHigher(easing: Easing?) {
        for (origin, target) in [(-50, 0), (-10, 0), (-6, -50), (-6, -12)] as [(Double, Double)] {
            for waited in [0.5, 5, 9] {
                var plain = Self.playing()
                plain.send(.setMasterGain(origin, ramp: Ramp(seconds: 0.1)))
                plain.send(Self.level(-4, Ramp(seconds: 20, easing: .linear)))
                plain.advance(seconds: 1)
                plain.send(.setMasterGain(target, ramp: Ramp(seconds: 10, easing: easing)))
                plain.advance(seconds: waited)
                var lowered = plain
                Self.make(.rate, &lowered)
                #expect(Self.dip(lowered.effects()) != nil)
                for _ in 0..<200 {
                    #expect(Self.master(lowered) <= Self.master(plain) + 1e-9)
                    lowered.advance(seconds: 0.1)
                    plain.advance(seconds: 0.1)
                }
                #expect(Self.master(lowered) == target)
            }
        }
    }

    @Test("A master that rises slowly falls, and rises as slowly from there; one that has not been heard yet rises as before")
    func risingMaster() {
        var player = Self.playing()
        player.send(.setMasterGain(-40, ramp: nil))
        player.send(.setMasterGain(-10, ramp: nil))
        player.send(Self.level(-4))
        player.advance(seconds: 1)
        _ = player.effects()
        Self.make(.seek, &player)
        // The master is at -28 dB, and the layer 24 dB below its level.
        #expect(Self.dip(player.effects()).map { abs($0.level + 52) < 1e-6 && abs($0.ramp.seconds - 3.5) < 1e-6 } == true)
        player = Self.rising()
        player.player.recordRise(over: 60, .linear, at: player.now)
        Self.make(.seek, &player)
        #expect(Self.dip(player.effects()) == nil)
    }

    // MARK: After a silence

    /// The start with a soft start of the master that was not silenced in advance.
    private static let softly: [Effect] = [
        .sound(.loweredMaster(Parameter.off, Ramp(seconds: 50 / 12.0, easing: .quadOut))), .sound(.start(position: 0)),
    ]

    /// The effects of a start, wherever it is.
    private static func starts(_ player: inout TestPlayer) -> [Effect] {
        player.effects().map { if case .sound(.start) = $0 { .sound(.start(position: 0)) } else { $0 } }
    }

    @Test(
        "A layer that was raised by more than 6 dB while nothing was heard comes in softly; with a soft start of 0 it does not",
        arguments: [Command.pause, .stop, .panic])
    func raisedInSilence(ending: Command) {
        for (softStart, gains, isSoft) in [
            (1, [-4], true), (1, [-33.9], true), (1, [-34], false), (1, [-60], false), (1, [-4, -36], false), (0, [-4], false),
        ] as [(Double, [Double], Bool)] {
            var player = Self.playing(softStart: softStart)
            player.send(ending)
            for gain in gains { player.send(Self.level(gain)) }
            player.advance(seconds: 5)
            _ = player.effects()
            player.send(.play)
            #expect(Self.starts(&player) == (isSoft ? Self.softly : Array(Self.softly.dropFirst())), "\(gains) dB")
            // It is heard now, so the next start is as usual.
            player.advance(seconds: 10)
            player.send(.pause)
            _ = player.effects()
            player.send(.play)
            #expect(Self.starts(&player) == Array(Self.softly.dropFirst()))
        }
    }

    @Test("A layer that was still rising when the sound was paused, stopped or lost comes in softly")
    func pausedRise() {
        for ending in [Command.pause, .stop] {
            var player = Self.rising(softStart: 1)
            player.send(ending)
            _ = player.effects()
            player.send(.play)
            #expect(Self.starts(&player) == Self.softly, "\(ending)")
        }
        var player = Self.rising(softStart: 1)
        player.player.audioLost(position: nil, at: player.now)
        player.player.audioAvailable(sampleRate: TestPlayer.sampleRate, at: player.now)
        #expect(Self.starts(&player) == Self.softly)
        // Only the last 5 dB are missing.
        player = Self.rising(softStart: 1)
        player.advance(seconds: 1.6)
        player.send(.pause)
        _ = player.effects()
        player.send(.play)
        #expect(Self.starts(&player) == Array(Self.softly.dropFirst()))
    }

    @Test("A layer that was raised while the master was muted comes in softly with the unmute")
    func raisedInMute() {
        for (gain, isSoft) in [(-4, true), (-36, false)] as [(Double, Bool)] {
            var player = Self.playing(softStart: 1)
            player.send(.muteMaster(true))
            player.send(Self.level(gain))
            player.advance(seconds: 10)
            _ = player.effects()
            player.send(.muteMaster(false))
            #expect(player.effects() == (isSoft ? [Self.softly[0]] : [.sound(.master(.shortLevel))]))
        }
    }

    @Test(
        "An unmute during a fade-out continues the fade, also if a layer was raised meanwhile",
        arguments: [Command.fadeOut(seconds: 60), .sleep(in: 60, fade: 60, .linear)])
    func raisedInFade(fade: Command) {
        var player = Self.playing(softStart: 1)
        player.send(fade)
        player.advance(seconds: 10)
        player.send(.muteMaster(true))
        player.send(Self.level(-4))
        player.advance(seconds: 10)
        _ = player.effects()
        let level = Self.master(player)
        #expect(level > -50)
        player.send(.muteMaster(false))
        #expect(player.effects() == [.sound(.fadedMaster(level, .shortLevel))])
        #expect(player.state.ramps.target(of: .masterGain) == Parameter.off)
    }

    @Test("A layer that is muted, another item, a louder chapter and a saved patch come in as they are")
    func unaffectedInSilence() {
        let cases: [(String, [Command], [Command])] = [
            ("muted", [], [level(-4), .mute(layer: 0, true)]), ("another item", [], [.selectItem(1), level(0)]),
            ("a louder chapter", [], [.changePosition(to: 400)]),
            ("an unmute", [.mute(layer: 0, true)], [level(-4), .mute(layer: 0, false)]),
        ]
        for (name, before, commands) in cases {
            var player = Self.playing(softStart: 1)
            for command in before { player.send(command) }
            player.send(.pause)
            for command in commands { player.send(command) }
            _ = player.effects()
            player.send(.play)
            #expect(Self.starts(&player) == Array(Self.softly.dropFirst()), "\(name)")
        }
        var player = Self.playing(softStart: 1)
        player.send(.pause)
        var patch = Self.patch()
        patch.layers[1].values[.gain] = -3
        _ = player.player.replacePatch(ofItem: 0, with: patch, restored: nil, at: player.now)
        _ = player.effects()
        player.send(.play)
        #expect(Self.starts(&player) == Array(Self.softly.dropFirst()))
    }

    @Test("A rise of the master from silence is not replaced by the shorter soft start")
    func plannedRise() {
        var player = Self.playing(softStart: 1)
        player.send(.pause)
        player.send(Self.level(-4))
        player.player.recordRise(over: 60, .sineOut, at: player.now)
        _ = player.effects()
        player.send(.play)
        #expect(Self.starts(&player) == Array(Self.softly.dropFirst()))
    }
}
