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
            let host = RenderedHost([Self.item(1, seconds: nil), Self.item(5, seconds: nil)])
            host.send(.play)
            host.cycles(10)
            host.audioGoes()
            host.send(.selectItem(1))
            host.send(edit)
            host.send(.touch(.parameter(.gain, layer: 3), true))
            host.send(.set(Setting(layer: 2, parameter: .gain, value: -120), ramp: nil))
            // Cycles of the server before its end, or of one that only stalled.
            host.cycles(3)
            host.audioComes()
            host.cycles(10)
            #expect(host.player.state.currentIndex == 1, "\(edit)")
            #expect(host.performance.engine?.live?.plan.latest.layers.count == 5, "\(edit)")
            #expect(host.performance.position == host.position, "\(edit)")
        }
    }

    @Test("A start that waits when following begins is at the player's position")
    func followedMeanwhile() {
        let host = RenderedHost([Self.item(1, seconds: nil), Self.item(5, seconds: nil)])
        host.send(.play)
        host.cycles(1, polls: false)
        host.send(.selectItem(1))
        host.cycles(2, polls: false)
        host.send(.changeTransportMode(to: .follow))
        var frame: Int64 = 512
        for _ in 0..<20 {
            let moment = host.performance.now
            host.cycles(1, polls: false)
            host.performance.poll(&host.player)
            host.player.follow(isRolling: true, frame: frame, at: moment)
            host.carryOut()
            frame += Int64(RenderedHost.period)
        }
        #expect(host.performance.position == host.player.state.position(at: host.performance.now))
    }

    @Test("After a change of the sample rate, requests still wait for the sound, and land in their order", arguments: [44_100, 96_000])
    func otherSampleRate(sampleRate: Int) {
        let host = RenderedHost([Self.item(1, seconds: nil)])
        host.send(.play)
        for gain in 0..<100 {
            host.send(.set(Setting(layer: 0, parameter: .gain, value: Double(-gain)), ramp: nil))
            host.cycles(1)
        }
        host.audioGoes()
        host.audioComes(sampleRate: sampleRate)
        host.cycles(10)
        host.performance.simultaneously { host.send(.panic) }
        #expect(!host.performance.isInTheSound(host.performance.mark))
        host.send(.play)
        #expect(!host.performance.isInTheSound(host.performance.mark))
        host.cycles(20)
        #expect(host.performance.isInTheSound(host.performance.mark))
        #expect(host.player.state.playback == .playing)
        #expect(host.performance.position == host.player.state.position(at: host.performance.now))
    }

    @Test("Values set while JACK was away are heard when it is back")
    func heardAfterwards() {
        let host = RenderedHost([Self.item(1, seconds: nil), Self.item(5, seconds: nil)])
        host.send(.play)
        host.cycles(10)
        host.audioGoes()
        host.send(.selectItem(1))
        for layer in 0..<5 { host.send(.set(Setting(layer: layer, parameter: .gain, value: -120), ramp: nil)) }
        host.send(.setMasterGain(-40, ramp: nil))
        host.audioComes()
        host.cycles(10)
        #expect(host.level(ofLast: 5) == 0)
        host.send(.set(Setting(layer: 4, parameter: .gain, value: -20), ramp: Ramp(seconds: 0.05)))
        host.cycles(20)
        #expect(abs(host.level(ofLast: 5) - 0.001) < 1e-5)
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
                    let host = RenderedHost(Self.unequal)
                    host.performance.crossfade = crossfade
                    host.send(.play)
                    // The first item ends in the 19th period.
                    host.cycles(16)
                    host.cycles(late, polls: false)
                    host.send(change)
                    for edit in Self.edits { host.send(edit) }
                    host.cycles(late, polls: false)
                    for edit in Self.edits { host.send(edit) }
                    // Until everything has been carried out.
                    for _ in 0..<20 where host.performance.isSettling { host.cycles(1) }
                    host.cycles(2)
                    let place = "\(change), \(late) periods late, crossfade \(crossfade)"
                    try expectTruth(host, place)
                }
            }
        }
    }

    /// Checks that the engine plays the player's item, at its position, with its layers.
    private func expectTruth(_ host: RenderedHost, _ place: String) throws {
        let engine = try #require(host.performance.engine)
        let state = host.player.state
        guard state.playback == .playing else {
            #expect(engine.live == nil, "\(place): \(state.playback)")
            return
        }
        let plan = try #require(engine.live?.plan.latest, "\(place)")
        #expect(plan.layers.count == state.layerCount, "\(place)")
        let position = try #require(host.performance.position, "\(place)")
        #expect(abs(position - host.position) <= 1, "\(place): \(position), not \(host.position)")
        for layer in 0..<state.layerCount {
            let expected = try #require(state.value(of: .carrier, layer: layer, at: host.performance.moment))
            let made = plan.layers[layer].tracks[.carrier]!
            let end = made.form.value(made.timeline.end)
            #expect(abs(end - expected) < 1e-6, "\(place), layer \(layer + 1): \(end), not \(expected)")
            #expect((plan.layers[layer].audible.timeline.end == 1) == state.isAudible(layer: layer), "\(place), layer \(layer + 1)")
        }
    }

    @Test("A pause sent while the engine goes to the next item is at the position where the sound stopped, in the item that sounded")
    func pauseAtTheEnd() {
        let host = RenderedHost(Self.unequal)
        host.send(.play)
        host.cycles(18)
        host.send(.pause)
        host.cycles(1, polls: false)
        host.cycles(10)
        #expect(host.player.state.playback == .paused)
        // Requested before the 19th period, in which the first item ends; carried out at its start.
        #expect(host.player.state.currentIndex == 0)
        #expect(host.position == 18 * Int64(RenderedHost.period))

        let other = RenderedHost(Self.unequal)
        other.send(.play)
        other.cycles(18)
        other.cycles(1, polls: false)
        other.send(.pause)
        other.cycles(10)
        #expect(other.player.state.playback == .paused)
        #expect(other.player.state.currentIndex == 1)
        #expect(other.position == 19 * Int64(RenderedHost.period) - 4800)
        other.send(.play)
        other.cycles(2)
        #expect(other.performance.position == other.position)
        #expect(other.position == 21 * Int64(RenderedHost.period) - 4800)
    }

    @Test("A mute while one item repeats is also heard in the next round")
    func mutedRound() {
        let host = RenderedHost([Self.item(1, seconds: 0.1)])
        host.send(.changeRepeatMode(to: .one))
        host.send(.play)
        host.cycles(10)
        host.send(.mute(layer: 0, true))
        host.cycles(20)
        #expect(host.player.state.playback == .playing)
        #expect(host.isSilent(from: 20 * RenderedHost.period))
    }
}
