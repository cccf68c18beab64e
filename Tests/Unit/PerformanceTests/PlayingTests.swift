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
        let performance = TestPerformance([Self.item("one", carrier: 200, seconds: nil)])
        performance.cycles(3)
        #expect(performance.isSilent(from: 0))
        performance.send(.play)
        performance.cycles(10)
        #expect(!performance.performance.isSettling)
        #expect(performance.position == performance.performance.position)
        #expect(performance.position == 10 * Int64(TestPerformance.period))
        #expect(!performance.isSilent(from: 5 * TestPerformance.period))
    }

    @Test("pause keeps the frame at which the fade-out started, and play resumes from it")
    func pause() {
        let performance = TestPerformance([Self.item("one", carrier: 200, seconds: nil)])
        performance.send(.play)
        performance.cycles(10)
        performance.send(.pause)
        performance.cycles(8)
        #expect(performance.position == 10 * Int64(TestPerformance.period))
        #expect(performance.isSilent(from: 15 * TestPerformance.period))
        performance.send(.play)
        performance.cycles(2)
        #expect(performance.position == 12 * Int64(TestPerformance.period))
        #expect(performance.performance.position == performance.position)
    }

    @Test("The item that follows is sent to the engine only if it has changed: adding another one behind it sends nothing")
    func upcoming() {
        let performance = TestPerformance([Self.item("one", carrier: 200, seconds: 1), Self.item("two", carrier: 300, seconds: 1)])
        performance.send(.play)
        performance.cycles(10)
        let mark = performance.performance.mark
        for _ in 0..<10 {
            performance.player.add(Self.item("three", carrier: 400, seconds: 1))
            performance.carryOut()
            performance.cycles(1)
        }
        #expect(performance.performance.mark == mark)
        // The removed item was the one that follows.
        performance.send(.removeItem(1))
        #expect(performance.performance.mark > mark)
        performance.cycles(200)
        #expect(performance.player.state.currentIndex == 1)
        #expect(performance.player.state.current?.reference == "three")
        #expect(performance.position == performance.performance.position)
    }

    @Test("The item that follows is sent again after a seek, which makes the engine drop it")
    func upcomingAfterSeek() {
        let performance = TestPerformance([Self.item("one", carrier: 200, seconds: 10), Self.item("two", carrier: 300, seconds: 10)])
        performance.send(.play)
        performance.cycles(10)
        performance.send(.changePosition(to: 9.9))
        performance.cycles(40)
        #expect(performance.player.state.currentIndex == 1)
        performance.send(.previousItem)
        performance.cycles(4)
        performance.send(.pause)
        performance.cycles(20)
        performance.send(.changePosition(to: 9.9))
        performance.send(.play)
        performance.cycles(40)
        #expect(performance.player.state.currentIndex == 1)
        #expect(performance.position == performance.performance.position)
    }

    @Test("a seek while a pause or a stop is on its way to the sound is not overridden")
    func elsewhere() {
        for silence in [Command.pause, .stop] {
            for (command, item, position) in [(Command.changePosition(to: 30), 0, 1_440_000), (.nextItem, 1, 0)] as [(Command, Int, Int64)]
            {
                let performance = TestPerformance([
                    Self.item("one", carrier: 200, seconds: nil), Self.item("two", carrier: 300, seconds: 10),
                ])
                performance.send(.play)
                performance.cycles(10)
                performance.send(silence)
                performance.send(command)
                performance.cycles(8)
                #expect(performance.player.state.currentIndex == item)
                #expect(performance.position == position, "\(silence), then \(command)")
            }
        }
    }

    @Test("an edit overtaken by the end of its item is not waited for beyond that end")
    func overtakenEdit() {
        for cycles in 14...19 {
            let performance = TestPerformance([Self.item("one", carrier: 200, seconds: 0.1)])
            performance.send(.play)
            performance.cycles(cycles)
            performance.send(.set(Setting(layer: 0, parameter: .carrier, value: 300), ramp: nil))
            let mark = performance.performance.mark
            performance.cycles(12)
            #expect(performance.player.state.playback == .stopped)
            #expect(performance.performance.isInTheSound(mark), "after \(cycles) cycles")
        }
    }

    @Test("the next item starts by itself on the frame after the last, and the end of the queue stops the player")
    func queue() {
        let performance = TestPerformance([Self.item("one", carrier: 200, seconds: 0.1), Self.item("two", carrier: 300, seconds: 0.1)])
        performance.send(.play)
        performance.cycles(20)
        #expect(performance.player.state.currentIndex == 1)
        #expect(performance.position == 20 * Int64(TestPerformance.period) - 4800)
        #expect(performance.performance.position == performance.position)
        performance.cycles(20)
        #expect(performance.player.state.playback == .stopped)
        #expect(performance.player.state.currentIndex == 0)
        #expect(performance.isSilent(from: 38 * TestPerformance.period))
    }

    @Test("at another rate a queue goes to JACK's inputs, which have their own speed, and back, on the frame")
    func ratesOfTheirOwn() {
        let input = QueueItem(reference: "in", patch: Patch(duration: 0.1, layers: [Layer(name: "in", kind: .input)]))
        let performance = TestPerformance([
            Self.item("one", carrier: 200, seconds: 0.1), input, Self.item("three", carrier: 300, seconds: 1),
        ])
        performance.send(.changeRate(to: 2))
        performance.send(.play)
        for (cycles, index, position) in [
            (12, 1, 12 * TestPerformance.period - 2400), (8, 1, 20 * TestPerformance.period - 2400),
            (15, 2, 2 * (35 * TestPerformance.period - 7200)),
        ] {
            performance.cycles(cycles)
            #expect(performance.player.state.currentIndex == index, "item \(index + 1)")
            #expect(performance.position == Int64(position), "item \(index + 1)")
            #expect(performance.performance.position == performance.position, "item \(index + 1)")
        }
    }

    @Test("repeating one item restarts it by itself, with the edits made meanwhile")
    func repeatOne() {
        let performance = TestPerformance([Self.item("one", carrier: 200, seconds: 0.1)])
        performance.send(.changeRepeatMode(to: .one))
        performance.send(.play)
        performance.cycles(4)
        performance.send(.set(Setting(layer: 0, parameter: .gain, value: -120), ramp: nil))
        performance.cycles(40)
        #expect(performance.player.state.playback == .playing)
        #expect(performance.isSilent(from: 20 * TestPerformance.period))
    }

    @Test("while a fader moves, a repeating item is not compiled again: once it rests, its repetition is sent to the engine")
    func repeatedItemWithMovingFader() {
        let performance = TestPerformance([Self.item("one", carrier: 200, seconds: 10)])
        performance.send(.changeRepeatMode(to: .one))
        performance.send(.play)
        performance.cycles(10)
        let mark = performance.performance.mark
        for step in 1...50 {
            performance.send(.set(Setting(layer: 0, parameter: .gain, value: Double(-10 - step)), ramp: nil))
            performance.cycles(1)
        }
        // One request for each move.
        #expect(performance.performance.mark == mark + 50)
        performance.cycles(36)
        #expect(performance.performance.mark == mark + 50)
        performance.cycles(4)
        #expect(performance.performance.mark == mark + 51)
        performance.cycles(100)
        #expect(performance.performance.mark == mark + 51)
    }

    @Test("a fader that moves until the end of a repeating item has its last value from the first frame of the repetition on")
    func repetitionWithMovingFader() {
        let performance = TestPerformance([Self.item("one", carrier: 200, seconds: 3)])
        performance.send(.changeRepeatMode(to: .one))
        performance.send(.play)
        let length = 3 * 48_000 / TestPerformance.period
        performance.cycles(10)
        for _ in 10..<(length - 10) {
            performance.send(.set(Setting(layer: 0, parameter: .gain, value: -30), ramp: nil))
            performance.cycles(1)
        }
        performance.send(.set(Setting(layer: 0, parameter: .gain, value: -120), ramp: nil))
        performance.cycles(40)
        #expect(performance.player.state.playback == .playing)
        #expect(performance.isSilent(from: (length - 4) * TestPerformance.period))
    }

    @Test("an edit is heard, and an edit made while paused is heard after resuming")
    func edits() {
        let performance = TestPerformance([Self.item("one", carrier: 200, seconds: nil)])
        performance.send(.play)
        performance.cycles(10)
        performance.send(.set(Setting(layer: 0, parameter: .gain, value: -120), ramp: nil))
        performance.cycles(10)
        #expect(performance.isSilent(from: 18 * TestPerformance.period))
        performance.send(.pause)
        performance.send(.set(Setting(layer: 0, parameter: .gain, value: -20), ramp: nil))
        performance.cycles(10)
        #expect(performance.isSilent(from: 18 * TestPerformance.period))
        performance.send(.play)
        performance.cycles(10)
        #expect(!performance.isSilent(from: 35 * TestPerformance.period))
    }

    @Test("solo and mute are heard, and reset restores the patch at the same position")
    func audibility() {
        var item = Self.item("one", carrier: 200, seconds: nil)
        item.patch?.layers.append(Layer(name: "other", kind: .tone, values: [.gain: -120]))
        let performance = TestPerformance([item])
        performance.send(.play)
        performance.cycles(10)
        performance.send(.solo(layer: 1, true))
        performance.cycles(10)
        #expect(performance.isSilent(from: 18 * TestPerformance.period))
        performance.send(.reset(layer: 1))
        performance.cycles(20)
        #expect(!performance.isSilent(from: 35 * TestPerformance.period))
        #expect(performance.position == performance.performance.position)
    }

    @Test("after JACK was away the sound continues at the lost frame, also at another sample rate")
    func interruption() {
        let performance = TestPerformance([Self.item("one", carrier: 200, seconds: nil)])
        performance.send(.play)
        performance.cycles(100)
        performance.player.audioLost(position: performance.performance.position, at: performance.performance.moment)
        performance.performance.suspend()
        #expect(performance.player.state.playback == .interrupted)
        performance.engine = performance.performance.prepare(sampleRate: 96_000, state: performance.player.state)
        performance.player.audioAvailable(sampleRate: 96_000, at: performance.performance.moment)
        performance.carryOut()
        performance.cycles(2)
        #expect(performance.position == 2 * 100 * Int64(TestPerformance.period) + 2 * Int64(TestPerformance.period))
        #expect(performance.performance.position == performance.position)
    }

    @Test("an engine that a callback may still be rendering with is abandoned: another one continues the sound")
    func leftBehind() {
        func performance(_ whileAway: (TestPerformance) -> Void, _ meanwhile: (RenderHandle) -> Void) -> (
            performance: TestPerformance, old: EngineHold
        ) {
            let performance = TestPerformance([Self.item("one", carrier: 200, seconds: nil)])
            performance.send(.play)
            performance.cycles(100)
            let old = performance.engine
            whileAway(performance)
            performance.player.audioLost(position: performance.performance.position, at: performance.performance.moment)
            performance.performance.suspend()
            performance.engine = performance.performance.prepare(sampleRate: 48_000, state: performance.player.state)
            performance.player.audioAvailable(sampleRate: 48_000, at: performance.performance.moment)
            performance.carryOut()
            for _ in 0..<50 {
                meanwhile(old.handle)
                performance.cycles(1)
            }
            return (performance, old)
        }
        var heard: [Float] = []
        let held = performance({ $0.performance.leaveBehind() }) { handle in
            var (left, right) = ([Float](repeating: 0, count: 64), [Float](repeating: 0, count: 64))
            handle.render(left: &left, right: &right, frames: 64, hostTime: 0)
            heard += left
        }
        let plain = performance({ _ in }) { _ in }
        #expect(held.old.handle != held.performance.handle)
        #expect(plain.old.handle == plain.performance.handle)
        #expect(held.performance.left == plain.performance.left)
        #expect(held.performance.position == plain.performance.position)
        // The sound that was started before continues on the old engine, without an output.
        #expect((heard.max() ?? 0) > 0.05)
    }

    @Test("sound that resumes on another server does not click, and has the master's level", arguments: [48_000, 96_000])
    func clickless(sampleRate: Int) {
        let performance = TestPerformance([Self.item("one", carrier: 200, seconds: nil)])
        performance.send(.setMasterGain(-6, ramp: nil))
        performance.send(.play)
        // At any phase of the tone.
        performance.cycles(101)
        performance.player.audioLost(position: performance.performance.position, at: performance.performance.moment)
        performance.performance.suspend()
        let mark = performance.left.count
        performance.engine = performance.performance.prepare(sampleRate: sampleRate, state: performance.player.state)
        performance.player.audioAvailable(sampleRate: sampleRate, at: performance.performance.moment)
        performance.carryOut()
        performance.cycles(60)
        performance.send(.stop)
        performance.cycles(40)
        let heard = [Double](repeating: 0, count: 1000) + performance.left[mark...].map(Double.init)
        // -20 dB of the tone, and the master's -6.
        #expect(abs((heard.max() ?? 0) - 0.0501) < 0.0005)
        #expect(peakAbove(2000, in: heard[...], sampleRate: Double(sampleRate)) < -100)
    }

    @Test("changes that belong together are applied on one frame")
    func simultaneously() {
        let performance = TestPerformance([Self.item("one", carrier: 200, seconds: nil)])
        performance.send(.play)
        performance.cycles(10)
        let mark = performance.performance.moment.frame
        performance.performance.simultaneously {
            #expect(performance.performance.moment.frame == mark + Int64(TestPerformance.period))
            performance.send(.changePosition(to: 1))
            performance.send(.setMasterGain(-6, ramp: nil))
        }
        performance.cycles(3)
        #expect(performance.position == 48_000 + 2 * Int64(TestPerformance.period))
    }

    @Test("with a crossfade the next item starts so long before the end of the current one, and both sound")
    func crossfade() {
        let performance = TestPerformance([Self.item("one", carrier: 200, seconds: 1), Self.item("two", carrier: 300, seconds: 1)])
        performance.send(.play)
        performance.cycles(10)
        // Also a short fade that is set while it plays.
        performance.performance.crossfade = 0.25
        performance.performance.prepareNext(performance.player.state)
        performance.cycles(140)
        #expect(performance.player.state.currentIndex == 1)
        #expect(performance.position == 150 * Int64(TestPerformance.period) - 36_000)
        #expect(performance.performance.status?.isSounding == true)
        performance.cycles(200)
        #expect(performance.player.state.playback == .stopped)
        #expect(performance.isSilent(from: (36_000 + 48_000) / TestPerformance.period * TestPerformance.period + TestPerformance.period))
    }

    @Test("a crossfade longer than an item takes half of it, so that an item never crossfades into itself at once")
    func longCrossfade() {
        let performance = TestPerformance([Self.item("one", carrier: 200, seconds: 0.1)])
        performance.performance.crossfade = 30
        performance.send(.changeRepeatMode(to: .one))
        performance.send(.play)
        performance.cycles(8)
        #expect(performance.position == 8 * Int64(TestPerformance.period))
        performance.cycles(4)
        #expect(performance.position == 12 * Int64(TestPerformance.period) - 2400)
    }

    @Test("leaving an endless item by hand takes the crossfade, one with an end the short fade")
    func endless() {
        for (seconds, isHeard) in [(nil, true), (60.0, false)] as [(Double?, Bool)] {
            var silent = Self.item("silent", carrier: 200, seconds: 60)
            silent.patch?.layers[0].values[.gain] = -120
            let performance = TestPerformance([Self.item("one", carrier: 200, seconds: seconds), silent])
            performance.performance.crossfade = 1
            performance.send(.play)
            performance.cycles(20)
            performance.send(.next)
            performance.cycles(100)
            #expect(performance.player.state.currentIndex == 1)
            #expect(performance.isSilent(from: 60 * TestPerformance.period) == !isHeard)
            performance.cycles(100)
            #expect(performance.isSilent(from: 215 * TestPerformance.period))
        }
    }

    @Test("the short fade has its set length, also on an engine for another sample rate")
    func shortFade() {
        let performance = TestPerformance([Self.item("one", carrier: 200, seconds: nil)])
        performance.performance.shortFade = 0.5
        performance.engine = performance.performance.prepare(sampleRate: 96_000, state: performance.player.state)
        performance.player.audioAvailable(sampleRate: 96_000, at: performance.performance.moment)
        performance.send(.play)
        performance.cycles(20)
        performance.send(.stop)
        performance.cycles(250)
        #expect(!performance.isSilent(from: 150 * TestPerformance.period))
        #expect(performance.isSilent(from: 210 * TestPerformance.period))
    }

    @Test("the next item is the one in the queue at the end of the current item, not the one at its start")
    func changedMind() {
        let performance = TestPerformance([Self.item("one", carrier: 200, seconds: 0.1), Self.item("two", carrier: 300, seconds: 60)])
        performance.send(.play)
        performance.cycles(4)
        performance.send(.changeRepeatMode(to: .one))
        performance.send(.set(Setting(layer: 0, parameter: .gain, value: -120), ramp: nil))
        performance.cycles(40)
        #expect(performance.player.state.currentIndex == 0)
        #expect(performance.isSilent(from: 20 * TestPerformance.period), "the engine plays what the player says")
        performance.send(.changeRepeatMode(to: .off))
        performance.cycles(40)
        #expect(performance.player.state.currentIndex == 1)
        #expect(!performance.isSilent(from: 70 * TestPerformance.period))
    }
}
