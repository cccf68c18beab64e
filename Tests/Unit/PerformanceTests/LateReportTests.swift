import Patches
import Playback
import TestSupport
import Testing

@testable import Engine
@testable import Performance

/// Between two polls of its reports the engine may have gone to another item, and JACK may have gone away.
@Suite struct LateReportTests {
    /// An item with this many layers, each at its own frequency.
    private static func item(_ layers: Int, seconds: Double?) -> QueueItem {
        QueueItem(
            reference: "\(layers)",
            patch: Patch(
                details: .init(title: "\(layers)"), duration: seconds,
                layers: (1...layers).map {
                    Layer(name: "layer \($0)", kind: .tone, values: [.carrier: Double(100 * layers + 10 * $0), .gain: -30])
                }))
    }

    private static let unequal = [item(1, seconds: 0.1), item(2, seconds: 0.1), item(5, seconds: 0.1)]

    /// Edits of the highest layer of any item, of every kind.
    private static let edits: [Command] = [
        .set(Setting(layer: 4, parameter: .gain, value: -20), ramp: nil),
        .set(Setting(layer: 4, parameter: .carrier, value: 700), ramp: Ramp(seconds: 1, easing: .sineInOut)),
        .setTogether([Setting(layer: 4, parameter: .gain, value: -20), Setting(layer: 4, parameter: .carrier, value: 700)]),
        .touch(.parameter(.gain, layer: 4), true), .touch(.parameter(.gain, layer: 4), false), .mute(layer: 4, true), .solo(layer: 4, true),
        .reset(layer: 4), .savePreset("a"), .loadPreset("a"), .undo, .redo,
    ]

    @Test("If another item was selected while JACK was away, edits of its layers wait for the sound and end nothing")
    func editsWhileAway() {
        for edit in Self.edits {
            let stage = TestPerformance([Self.item(1, seconds: nil), Self.item(5, seconds: nil)])
            stage.send(.play)
            stage.cycles(10)
            stage.audioGoes()
            stage.send(.selectItem(1))
            stage.send(edit)
            stage.send(.touch(.parameter(.gain, layer: 3), true))
            stage.send(.set(Setting(layer: 2, parameter: .gain, value: -120), ramp: nil))
            // Cycles of the server before its end, or of one that only stalled.
            stage.cycles(3)
            stage.audioComes()
            stage.cycles(10)
            #expect(stage.player.state.currentIndex == 1, "\(edit)")
            #expect(stage.performance.engine?.live?.plan.latest.layers.count == 5, "\(edit)")
            #expect(stage.performance.position == stage.position, "\(edit)")
        }
    }

    @Test("A start that waits when following begins is at the player's position")
    func followedMeanwhile() {
        let stage = TestPerformance([Self.item(1, seconds: nil), Self.item(5, seconds: nil)])
        stage.send(.play)
        stage.cycles(1, polls: false)
        stage.send(.selectItem(1))
        stage.cycles(2, polls: false)
        stage.send(.changeTransportMode(to: .follow))
        var frame: Int64 = 512
        for _ in 0..<20 {
            let moment = stage.performance.now
            stage.cycles(1, polls: false)
            stage.performance.poll(&stage.player)
            stage.player.follow(isRolling: true, frame: frame, at: moment)
            stage.carryOut()
            frame += Int64(TestPerformance.period)
        }
        #expect(stage.performance.position == stage.player.state.position(at: stage.performance.now))
    }

    @Test("After a change of the sample rate, requests still wait for the sound, and land in their order", arguments: [44_100, 96_000])
    func otherSampleRate(sampleRate: Int) {
        let stage = TestPerformance([Self.item(1, seconds: nil)])
        stage.send(.play)
        for gain in 0..<100 {
            stage.send(.set(Setting(layer: 0, parameter: .gain, value: Double(-gain)), ramp: nil))
            stage.cycles(1)
        }
        stage.audioGoes()
        stage.audioComes(sampleRate: sampleRate)
        stage.cycles(10)
        stage.performance.simultaneously { stage.send(.panic) }
        #expect(!stage.performance.isInTheSound(stage.performance.mark))
        stage.send(.play)
        #expect(!stage.performance.isInTheSound(stage.performance.mark))
        stage.cycles(20)
        #expect(stage.performance.isInTheSound(stage.performance.mark))
        #expect(stage.player.state.playback == .playing)
        #expect(stage.performance.position == stage.player.state.position(at: stage.performance.now))
    }

    @Test("Values set while JACK was away are heard when it is back")
    func heardAfterwards() {
        let stage = TestPerformance([Self.item(1, seconds: nil), Self.item(5, seconds: nil)])
        stage.send(.play)
        stage.cycles(10)
        stage.audioGoes()
        stage.send(.selectItem(1))
        for layer in 0..<5 { stage.send(.set(Setting(layer: layer, parameter: .gain, value: -120), ramp: nil)) }
        stage.send(.setMasterGain(-40, ramp: nil))
        stage.audioComes()
        stage.cycles(10)
        #expect(stage.level(ofLast: 5) == 0)
        stage.send(.set(Setting(layer: 4, parameter: .gain, value: -20), ramp: nil))
        stage.cycles(20)
        #expect(abs(stage.level(ofLast: 5) - 0.001) < 1e-5)
    }

    /// Commands that change the queue or the upcoming item.
    private static let changes: [Command] = [
        .moveItem(from: 1, to: 2), .moveItem(from: 2, to: 0), .moveItem(from: 0, to: 2), .removeItem(0), .removeItem(1), .removeItem(2),
        .changeRepeatMode(to: .one), .changeRepeatMode(to: .all), .changeShuffleMode(to: .items, seed: 3), .nextItem, .previousItem,
        .selectItem(2), .selectItem(0), .pause, .stop, .toggle, .panic, .changePosition(to: 0.02), .changePosition(to: 0.1), .skip(by: 1),
        .changeRate(to: 2), .reset(layer: 0), .mute(layer: 0, true),
    ]

    @Test("With any requests around the end of an item, however late that end is reported, the reported item is the one that sounds")
    func aroundTheEnd() throws {
        for crossfade in [0, 0.02, 0.05] {
            for change in Self.changes {
                for late in 0...4 {
                    let stage = TestPerformance(Self.unequal)
                    stage.performance.crossfade = crossfade
                    stage.send(.play)
                    // The first item ends in the 19th period.
                    stage.cycles(16)
                    stage.cycles(late, polls: false)
                    stage.send(change)
                    for edit in Self.edits { stage.send(edit) }
                    stage.cycles(late, polls: false)
                    for edit in Self.edits { stage.send(edit) }
                    // Until everything has been carried out.
                    for _ in 0..<20 where stage.performance.isSettling { stage.cycles(1) }
                    stage.cycles(2)
                    let place = "\(change), \(late) periods late, crossfade \(crossfade)"
                    try expectTruth(stage, place)
                }
            }
        }
    }

    /// Checks that the engine plays the player's item, at its position, with its layers.
    private func expectTruth(_ stage: TestPerformance, _ place: String) throws {
        let engine = try #require(stage.performance.engine)
        let state = stage.player.state
        guard state.playback == .playing else {
            #expect(engine.live == nil, "\(place): \(state.playback)")
            return
        }
        let plan = try #require(engine.live?.plan.latest, "\(place)")
        #expect(plan.layers.count == state.layerCount, "\(place)")
        let position = try #require(stage.performance.position, "\(place)")
        #expect(abs(position - stage.position) <= 1, "\(place): \(position), not \(stage.position)")
        for layer in 0..<state.layerCount {
            let expected = try #require(state.value(of: .carrier, layer: layer, at: stage.performance.moment))
            let made = plan.layers[layer].tracks[.carrier]!
            let end = made.form.value(made.timeline.end)
            #expect(abs(end - expected) < 1e-6, "\(place), layer \(layer + 1): \(end), not \(expected)")
            #expect((plan.layers[layer].audible.timeline.end == 1) == state.isAudible(layer: layer), "\(place), layer \(layer + 1)")
        }
    }

    @Test("A pause sent while the engine goes to the next item is at the position where the sound stopped, in the item that sounded")
    func pauseAtTheEnd() {
        let stage = TestPerformance(Self.unequal)
        stage.send(.play)
        stage.cycles(18)
        stage.send(.pause)
        stage.cycles(1, polls: false)
        stage.cycles(10)
        #expect(stage.player.state.playback == .paused)
        // Requested before the 19th period, in which the first item ends; carried out at its start.
        #expect(stage.player.state.currentIndex == 0)
        #expect(stage.position == 18 * Int64(TestPerformance.period))

        let other = TestPerformance(Self.unequal)
        other.send(.play)
        other.cycles(18)
        other.cycles(1, polls: false)
        other.send(.pause)
        other.cycles(10)
        #expect(other.player.state.playback == .paused)
        #expect(other.player.state.currentIndex == 1)
        #expect(other.position == 19 * Int64(TestPerformance.period) - 4800)
        other.send(.play)
        other.cycles(2)
        #expect(other.performance.position == other.position)
        #expect(other.position == 21 * Int64(TestPerformance.period) - 4800)
    }

    @Test("A mute while one item repeats is also heard in the next round")
    func mutedRound() {
        let stage = TestPerformance([Self.item(1, seconds: 0.1)])
        stage.send(.changeRepeatMode(to: .one))
        stage.send(.play)
        stage.cycles(10)
        stage.send(.mute(layer: 0, true))
        stage.cycles(20)
        #expect(stage.player.state.playback == .playing)
        #expect(stage.isSilent(from: 20 * TestPerformance.period))
    }
}
