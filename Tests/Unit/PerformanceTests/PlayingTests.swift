import Engine
import Patches
import Playback
import Performance
import TestSupport
import Testing

/// The player's decisions, carried out on an engine whose cycles the test runs by hand.
@Suite struct PlayingTests {
    static func item(_ name: String, carrier: Double, seconds: Double?) -> QueueItem {
        QueueItem(
            reference: name,
            patch: Patch(
                details: .init(title: name), duration: seconds,
                layers: [Layer(name: "bed", kind: .tone, values: [.carrier: carrier, .gain: -20])]))
    }

    @Test("play sounds from the next cycle on, and the player's position is the engine's")
    func play() {
        let host = RenderedHost([Self.item("one", carrier: 200, seconds: nil)])
        host.cycles(3)
        #expect(host.isSilent(from: 0))
        host.send(.play)
        host.cycles(10)
        #expect(!host.performance.isSettling)
        #expect(host.position == host.performance.position)
        #expect(host.position == 10 * Int64(RenderedHost.period))
        #expect(!host.isSilent(from: 5 * RenderedHost.period))
    }

    @Test("pause keeps the frame at which the fade-out started, and play resumes from it")
    func pause() {
        let host = RenderedHost([Self.item("one", carrier: 200, seconds: nil)])
        host.send(.play)
        host.cycles(10)
        host.send(.pause)
        host.cycles(8)
        #expect(host.position == 10 * Int64(RenderedHost.period))
        #expect(host.isSilent(from: 15 * RenderedHost.period))
        host.send(.play)
        host.cycles(2)
        #expect(host.position == 12 * Int64(RenderedHost.period))
        #expect(host.performance.position == host.position)
    }

    @Test("The item that follows is sent to the engine only if it has changed: adding another one behind it sends nothing")
    func upcoming() {
        let host = RenderedHost([Self.item("one", carrier: 200, seconds: 1), Self.item("two", carrier: 300, seconds: 1)])
        host.send(.play)
        host.cycles(10)
        let mark = host.performance.mark
        for _ in 0..<10 {
            host.player.add(Self.item("three", carrier: 400, seconds: 1))
            host.carryOut()
            host.cycles(1)
        }
        #expect(host.performance.mark == mark)
        // The removed item was the one that follows.
        host.send(.removeItem(1))
        #expect(host.performance.mark > mark)
        host.cycles(200)
        #expect(host.player.state.currentIndex == 1)
        #expect(host.player.state.current?.reference == "three")
        #expect(host.position == host.performance.position)
    }

    @Test("The item that follows is sent again after a seek, which makes the engine drop it")
    func upcomingAfterSeek() {
        let host = RenderedHost([Self.item("one", carrier: 200, seconds: 10), Self.item("two", carrier: 300, seconds: 10)])
        host.send(.play)
        host.cycles(10)
        host.send(.changePosition(to: 9.9))
        host.cycles(40)
        #expect(host.player.state.currentIndex == 1)
        host.send(.previousItem)
        host.cycles(4)
        host.send(.pause)
        host.cycles(20)
        host.send(.changePosition(to: 9.9))
        host.send(.play)
        host.cycles(40)
        #expect(host.player.state.currentIndex == 1)
        #expect(host.position == host.performance.position)
    }

    @Test("a seek while a pause or a stop is on its way to the sound is not overridden")
    func elsewhere() {
        for silence in [Command.pause, .stop] {
            for (command, item, position) in [(Command.changePosition(to: 30), 0, 1_440_000), (.nextItem, 1, 0)] as [(Command, Int, Int64)]
            {
                let host = RenderedHost([
                    Self.item("one", carrier: 200, seconds: nil), Self.item("two", carrier: 300, seconds: 10),
                ])
                host.send(.play)
                host.cycles(10)
                host.send(silence)
                host.send(command)
                host.cycles(8)
                #expect(host.player.state.currentIndex == item)
                #expect(host.position == position, "\(silence), then \(command)")
            }
        }
    }

    @Test("an edit overtaken by the end of its item is not waited for beyond that end")
    func overtakenEdit() {
        for cycles in 14...19 {
            let host = RenderedHost([Self.item("one", carrier: 200, seconds: 0.1)])
            host.send(.play)
            host.cycles(cycles)
            host.send(.set(Setting(layer: 0, parameter: .carrier, value: 300), ramp: nil))
            let mark = host.performance.mark
            host.cycles(12)
            #expect(host.player.state.playback == .stopped)
            #expect(host.performance.isInTheSound(mark), "after \(cycles) cycles")
        }
    }

    @Test("the next item starts by itself on the frame after the last, and the end of the queue stops the player")
    func queue() {
        let host = RenderedHost([Self.item("one", carrier: 200, seconds: 0.1), Self.item("two", carrier: 300, seconds: 0.1)])
        host.send(.play)
        host.cycles(20)
        #expect(host.player.state.currentIndex == 1)
        #expect(host.position == 20 * Int64(RenderedHost.period) - 4800)
        #expect(host.performance.position == host.position)
        host.cycles(20)
        #expect(host.player.state.playback == .stopped)
        #expect(host.player.state.currentIndex == 0)
        #expect(host.isSilent(from: 38 * RenderedHost.period))
    }

    @Test("at another rate a queue goes to JACK's inputs, which have their own speed, and back, on the frame")
    func ratesOfTheirOwn() {
        let input = QueueItem(reference: "in", patch: Patch(duration: 0.1, layers: [Layer(name: "in", kind: .input)]))
        let host = RenderedHost([
            Self.item("one", carrier: 200, seconds: 0.1), input, Self.item("three", carrier: 300, seconds: 1),
        ])
        host.send(.changeRate(to: 2))
        host.send(.play)
        for (cycles, index, position) in [
            (12, 1, 12 * RenderedHost.period - 2400), (8, 1, 20 * RenderedHost.period - 2400),
            (15, 2, 2 * (35 * RenderedHost.period - 7200)),
        ] {
            host.cycles(cycles)
            #expect(host.player.state.currentIndex == index, "item \(index + 1)")
            #expect(host.position == Int64(position), "item \(index + 1)")
            #expect(host.performance.position == host.position, "item \(index + 1)")
        }
    }

    @Test("repeating one item restarts it by itself, with the edits made meanwhile")
    func repeatOne() {
        let host = RenderedHost([Self.item("one", carrier: 200, seconds: 0.1)])
        host.send(.changeRepeatMode(to: .one))
        host.send(.play)
        host.cycles(4)
        host.send(.set(Setting(layer: 0, parameter: .gain, value: -120), ramp: nil))
        host.cycles(40)
        #expect(host.player.state.playback == .playing)
        #expect(host.isSilent(from: 20 * RenderedHost.period))
    }

    @Test("while a fader moves, a repeating item is not compiled again: once it rests, its repetition is sent to the engine")
    func repeatedItemWithMovingFader() {
        let host = RenderedHost([Self.item("one", carrier: 200, seconds: 10)])
        host.send(.changeRepeatMode(to: .one))
        host.send(.play)
        host.cycles(10)
        let mark = host.performance.mark
        for step in 1...50 {
            host.send(.set(Setting(layer: 0, parameter: .gain, value: Double(-10 - step)), ramp: nil))
            host.cycles(1)
        }
        // One request for each move.
        #expect(host.performance.mark == mark + 50)
        host.cycles(36)
        #expect(host.performance.mark == mark + 50)
        host.cycles(4)
        #expect(host.performance.mark == mark + 51)
        host.cycles(100)
        #expect(host.performance.mark == mark + 51)
    }

    @Test("a fader that moves until the end of a repeating item has its last value from the first frame of the repetition on")
    func repetitionWithMovingFader() {
        let host = RenderedHost([Self.item("one", carrier: 200, seconds: 3)])
        host.send(.changeRepeatMode(to: .one))
        host.send(.play)
        let length = 3 * 48_000 / RenderedHost.period
        host.cycles(10)
        for _ in 10..<(length - 10) {
            host.send(.set(Setting(layer: 0, parameter: .gain, value: -30), ramp: nil))
            host.cycles(1)
        }
        host.send(.set(Setting(layer: 0, parameter: .gain, value: -120), ramp: nil))
        host.cycles(40)
        #expect(host.player.state.playback == .playing)
        #expect(host.isSilent(from: (length - 4) * RenderedHost.period))
    }

    @Test("an edit is heard, and an edit made while paused is heard after resuming")
    func edits() {
        let host = RenderedHost([Self.item("one", carrier: 200, seconds: nil)])
        host.send(.play)
        host.cycles(10)
        host.send(.set(Setting(layer: 0, parameter: .gain, value: -120), ramp: nil))
        host.cycles(10)
        #expect(host.isSilent(from: 18 * RenderedHost.period))
        host.send(.pause)
        host.send(.set(Setting(layer: 0, parameter: .gain, value: -20), ramp: nil))
        host.cycles(10)
        #expect(host.isSilent(from: 18 * RenderedHost.period))
        host.send(.play)
        host.cycles(10)
        #expect(!host.isSilent(from: 35 * RenderedHost.period))
    }

    @Test("solo and mute are heard, and reset restores the patch at the same position")
    func audibility() {
        var item = Self.item("one", carrier: 200, seconds: nil)
        item.patch?.layers.append(Layer(name: "other", kind: .tone, values: [.gain: -120]))
        let host = RenderedHost([item])
        host.send(.play)
        host.cycles(10)
        host.send(.solo(layer: 1, true))
        host.cycles(10)
        #expect(host.isSilent(from: 18 * RenderedHost.period))
        host.send(.reset(layer: 1))
        host.cycles(20)
        #expect(!host.isSilent(from: 35 * RenderedHost.period))
        #expect(host.position == host.performance.position)
    }

    @Test("after JACK was away the sound continues at the lost frame, also at another sample rate")
    func interruption() {
        let host = RenderedHost([Self.item("one", carrier: 200, seconds: nil)])
        host.send(.play)
        host.cycles(100)
        host.audioGoes()
        #expect(host.player.state.playback == .interrupted)
        host.audioComes(sampleRate: 96_000)
        host.cycles(2)
        #expect(host.position == 2 * 100 * Int64(RenderedHost.period) + 2 * Int64(RenderedHost.period))
        #expect(host.performance.position == host.position)
    }

    @Test("an engine that a callback may still be rendering with is abandoned: another one continues the sound")
    func leftBehind() {
        func host(_ whileAway: (RenderedHost) -> Void, _ meanwhile: (RenderHandle) -> Void) -> (
            host: RenderedHost, old: EngineHold
        ) {
            let host = RenderedHost([Self.item("one", carrier: 200, seconds: nil)])
            host.send(.play)
            host.cycles(100)
            let old = host.engine
            whileAway(host)
            host.audioGoes()
            host.audioComes(sampleRate: 48_000)
            for _ in 0..<50 {
                meanwhile(old.handle)
                host.cycles(1)
            }
            return (host, old)
        }
        var heard: [Float] = []
        let held = host({ $0.performance.leaveBehind() }) { handle in
            var (left, right) = ([Float](repeating: 0, count: 64), [Float](repeating: 0, count: 64))
            handle.render(left: &left, right: &right, frames: 64, hostTime: 0)
            heard += left
        }
        let plain = host({ _ in }) { _ in }
        #expect(held.old.handle != held.host.handle)
        #expect(plain.old.handle == plain.host.handle)
        #expect(held.host.left == plain.host.left)
        #expect(held.host.position == plain.host.position)
        // The sound that was started before continues on the old engine, without an output.
        #expect((heard.max() ?? 0) > 0.05)
    }

    @Test("sound that resumes on another server does not click, and has the master's level", arguments: [48_000, 96_000])
    func clickless(sampleRate: Int) {
        let host = RenderedHost([Self.item("one", carrier: 200, seconds: nil)])
        host.send(.setMasterGain(-6, ramp: nil))
        host.send(.play)
        // At any phase of the tone.
        host.cycles(101)
        host.audioGoes()
        let mark = host.left.count
        host.audioComes(sampleRate: sampleRate)
        host.cycles(60)
        host.send(.stop)
        host.cycles(40)
        let heard = [Double](repeating: 0, count: 1000) + host.left[mark...].map(Double.init)
        // -20 dB of the tone, and the master's -6.
        #expect(abs((heard.max() ?? 0) - 0.0501) < 0.0005)
        #expect(peakAbove(2000, in: heard[...], sampleRate: Double(sampleRate)) < -100)
    }

    @Test("changes that belong together are applied on one frame")
    func simultaneously() {
        let host = RenderedHost([Self.item("one", carrier: 200, seconds: nil)])
        host.send(.play)
        host.cycles(10)
        let mark = host.performance.moment.frame
        host.performance.simultaneously {
            #expect(host.performance.moment.frame == mark + Int64(RenderedHost.period))
            host.send(.changePosition(to: 1))
            host.send(.setMasterGain(-6, ramp: nil))
        }
        host.cycles(3)
        #expect(host.position == 48_000 + 2 * Int64(RenderedHost.period))
    }

    @Test("with a crossfade the next item starts so long before the end of the current one, and both sound")
    func crossfade() {
        let host = RenderedHost([Self.item("one", carrier: 200, seconds: 1), Self.item("two", carrier: 300, seconds: 1)])
        host.send(.play)
        host.cycles(10)
        // Also a short fade that is set while it plays.
        host.performance.crossfade = 0.25
        host.performance.prepareNext(host.player.state)
        host.cycles(140)
        #expect(host.player.state.currentIndex == 1)
        #expect(host.position == 150 * Int64(RenderedHost.period) - 36_000)
        #expect(host.performance.status?.isSounding == true)
        host.cycles(200)
        #expect(host.player.state.playback == .stopped)
        #expect(host.isSilent(from: (36_000 + 48_000) / RenderedHost.period * RenderedHost.period + RenderedHost.period))
    }

    @Test("a crossfade longer than an item takes half of it, so that an item never crossfades into itself at once")
    func longCrossfade() {
        let host = RenderedHost([Self.item("one", carrier: 200, seconds: 0.1)])
        host.performance.crossfade = 30
        host.send(.changeRepeatMode(to: .one))
        host.send(.play)
        host.cycles(8)
        #expect(host.position == 8 * Int64(RenderedHost.period))
        host.cycles(4)
        #expect(host.position == 12 * Int64(RenderedHost.period) - 2400)
    }

    @Test("leaving an endless item by hand takes the crossfade, one with an end the short fade")
    func endless() {
        for (seconds, isHeard) in [(nil, true), (60.0, false)] as [(Double?, Bool)] {
            var silent = Self.item("silent", carrier: 200, seconds: 60)
            silent.patch?.layers[0].values[.gain] = -120
            let host = RenderedHost([Self.item("one", carrier: 200, seconds: seconds), silent])
            host.performance.crossfade = 1
            host.send(.play)
            host.cycles(20)
            host.send(.next)
            host.cycles(100)
            #expect(host.player.state.currentIndex == 1)
            #expect(host.isSilent(from: 60 * RenderedHost.period) == !isHeard)
            host.cycles(100)
            #expect(host.isSilent(from: 215 * RenderedHost.period))
        }
    }

    @Test("the short fade has its set length, also on an engine for another sample rate")
    func shortFade() {
        let host = RenderedHost([Self.item("one", carrier: 200, seconds: nil)])
        host.performance.shortFade = 0.5
        host.audioComes(sampleRate: 96_000)
        host.send(.play)
        host.cycles(20)
        host.send(.stop)
        host.cycles(250)
        #expect(!host.isSilent(from: 150 * RenderedHost.period))
        #expect(host.isSilent(from: 210 * RenderedHost.period))
    }

    @Test("the next item is the one in the queue at the end of the current item, not the one at its start")
    func changedMind() {
        let host = RenderedHost([Self.item("one", carrier: 200, seconds: 0.1), Self.item("two", carrier: 300, seconds: 60)])
        host.send(.play)
        host.cycles(4)
        host.send(.changeRepeatMode(to: .one))
        host.send(.set(Setting(layer: 0, parameter: .gain, value: -120), ramp: nil))
        host.cycles(40)
        #expect(host.player.state.currentIndex == 0)
        #expect(host.isSilent(from: 20 * RenderedHost.period), "the engine plays what the player says")
        host.send(.changeRepeatMode(to: .off))
        host.cycles(40)
        #expect(host.player.state.currentIndex == 1)
        #expect(!host.isSilent(from: 70 * RenderedHost.period))
    }
}
