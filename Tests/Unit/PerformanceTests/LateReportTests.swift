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
            let performance = TestPerformance([Self.item(1, seconds: nil), Self.item(5, seconds: nil)])
            performance.send(.play)
            performance.cycles(10)
            performance.audioGoes()
            performance.send(.selectItem(1))
            performance.send(edit)
            performance.send(.touch(.parameter(.gain, layer: 3), true))
            performance.send(.set(Setting(layer: 2, parameter: .gain, value: -120), ramp: nil))
            // Cycles of the server before its end, or of one that only stalled.
            performance.cycles(3)
            performance.audioComes()
            performance.cycles(10)
            #expect(performance.player.state.currentIndex == 1, "\(edit)")
            #expect(performance.performance.engine?.live?.plan.latest.layers.count == 5, "\(edit)")
            #expect(performance.performance.position == performance.position, "\(edit)")
        }
    }

    @Test("A start that waits when following begins is at the player's position")
    func followedMeanwhile() {
        let performance = TestPerformance([Self.item(1, seconds: nil), Self.item(5, seconds: nil)])
        performance.send(.play)
        performance.cycles(1, polls: false)
        performance.send(.selectItem(1))
        performance.cycles(2, polls: false)
        performance.send(.changeTransportMode(to: .follow))
        var frame: Int64 = 512
        for _ in 0..<20 {
            let moment = performance.performance.now
            performance.cycles(1, polls: false)
            performance.performance.poll(&performance.player)
            performance.player.follow(isRolling: true, frame: frame, at: moment)
            performance.carryOut()
            frame += Int64(TestPerformance.period)
        }
        #expect(performance.performance.position == performance.player.state.position(at: performance.performance.now))
    }

    @Test("After a change of the sample rate, requests still wait for the sound, and land in their order", arguments: [44_100, 96_000])
    func otherSampleRate(sampleRate: Int) {
        let performance = TestPerformance([Self.item(1, seconds: nil)])
        performance.send(.play)
        for gain in 0..<100 {
            performance.send(.set(Setting(layer: 0, parameter: .gain, value: Double(-gain)), ramp: nil))
            performance.cycles(1)
        }
        performance.audioGoes()
        performance.audioComes(sampleRate: sampleRate)
        performance.cycles(10)
        performance.performance.simultaneously { performance.send(.panic) }
        #expect(!performance.performance.isInTheSound(performance.performance.mark))
        performance.send(.play)
        #expect(!performance.performance.isInTheSound(performance.performance.mark))
        performance.cycles(20)
        #expect(performance.performance.isInTheSound(performance.performance.mark))
        #expect(performance.player.state.playback == .playing)
        #expect(performance.performance.position == performance.player.state.position(at: performance.performance.now))
    }

    @Test("Values set while JACK was away are heard when it is back")
    func heardAfterwards() {
        let performance = TestPerformance([Self.item(1, seconds: nil), Self.item(5, seconds: nil)])
        performance.send(.play)
        performance.cycles(10)
        performance.audioGoes()
        performance.send(.selectItem(1))
        for layer in 0..<5 { performance.send(.set(Setting(layer: layer, parameter: .gain, value: -120), ramp: nil)) }
        performance.send(.setMasterGain(-40, ramp: nil))
        performance.audioComes()
        performance.cycles(10)
        #expect(performance.level(ofLast: 5) == 0)
        performance.send(.set(Setting(layer: 4, parameter: .gain, value: -20), ramp: Ramp(seconds: 0.05)))
        performance.cycles(20)
        #expect(abs(performance.level(ofLast: 5) - 0.001) < 1e-5)
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
                    let performance = TestPerformance(Self.unequal)
                    performance.performance.crossfade = crossfade
                    performance.send(.play)
                    // The first item ends in the 19th period.
                    performance.cycles(16)
                    performance.cycles(late, polls: false)
                    performance.send(change)
                    for edit in Self.edits { performance.send(edit) }
                    performance.cycles(late, polls: false)
                    for edit in Self.edits { performance.send(edit) }
                    // Until everything has been carried out.
                    for _ in 0..<20 where performance.performance.isSettling { performance.cycles(1) }
                    performance.cycles(2)
                    let place = "\(change), \(late) periods late, crossfade \(crossfade)"
                    try expectTruth(performance, place)
                }
            }
        }
    }

    /// Checks that the engine plays the player's item, at its position, with its layers.
    private func expectTruth(_ performance: TestPerformance, _ place: String) throws {
        let engine = try #require(performance.performance.engine)
        let state = performance.player.state
        guard state.playback == .playing else {
            #expect(engine.live == nil, "\(place): \(state.playback)")
            return
        }
        let plan = try #require(engine.live?.plan.latest, "\(place)")
        #expect(plan.layers.count == state.layerCount, "\(place)")
        let position = try #require(performance.performance.position, "\(place)")
        #expect(abs(position - performance.position) <= 1, "\(place): \(position), not \(performance.position)")
        for layer in 0..<state.layerCount {
            let expected = try #require(state.value(of: .carrier, layer: layer, at: performance.performance.moment))
            let made = plan.layers[layer].tracks[.carrier]!
            let end = made.form.value(made.timeline.end)
            #expect(abs(end - expected) < 1e-6, "\(place), layer \(layer + 1): \(end), not \(expected)")
            #expect((plan.layers[layer].audible.timeline.end == 1) == state.isAudible(layer: layer), "\(place), layer \(layer + 1)")
        }
    }

    @Test("A pause sent while the engine goes to the next item is at the position where the sound stopped, in the item that sounded")
    func pauseAtTheEnd() {
        let performance = TestPerformance(Self.unequal)
        performance.send(.play)
        performance.cycles(18)
        performance.send(.pause)
        performance.cycles(1, polls: false)
        performance.cycles(10)
        #expect(performance.player.state.playback == .paused)
        // Requested before the 19th period, in which the first item ends; carried out at its start.
        #expect(performance.player.state.currentIndex == 0)
        #expect(performance.position == 18 * Int64(TestPerformance.period))

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
        let performance = TestPerformance([Self.item(1, seconds: 0.1)])
        performance.send(.changeRepeatMode(to: .one))
        performance.send(.play)
        performance.cycles(10)
        performance.send(.mute(layer: 0, true))
        performance.cycles(20)
        #expect(performance.player.state.playback == .playing)
        #expect(performance.isSilent(from: 20 * TestPerformance.period))
    }
}
