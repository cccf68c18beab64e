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
        let stage = TestPerformance([Self.item("one", carrier: 200, seconds: nil)])
        stage.cycles(3)
        #expect(stage.isSilent(from: 0))
        stage.send(.play)
        stage.cycles(10)
        #expect(!stage.performance.isSettling)
        #expect(stage.position == stage.performance.position)
        #expect(stage.position == 10 * Int64(TestPerformance.period))
        #expect(!stage.isSilent(from: 5 * TestPerformance.period))
    }

    @Test("pause keeps the frame at which the fade-out started, and play resumes from it")
    func pause() {
        let stage = TestPerformance([Self.item("one", carrier: 200, seconds: nil)])
        stage.send(.play)
        stage.cycles(10)
        stage.send(.pause)
        stage.cycles(8)
        #expect(stage.position == 10 * Int64(TestPerformance.period))
        #expect(stage.isSilent(from: 15 * TestPerformance.period))
        stage.send(.play)
        stage.cycles(2)
        #expect(stage.position == 12 * Int64(TestPerformance.period))
        #expect(stage.performance.position == stage.position)
    }

    @Test("The item that follows is sent to the engine only if it has changed: adding another one behind it sends nothing")
    func upcoming() {
        let stage = TestPerformance([Self.item("one", carrier: 200, seconds: 1), Self.item("two", carrier: 300, seconds: 1)])
        stage.send(.play)
        stage.cycles(10)
        let mark = stage.performance.mark
        for _ in 0..<10 {
            stage.player.add(Self.item("three", carrier: 400, seconds: 1))
            stage.carryOut()
            stage.cycles(1)
        }
        #expect(stage.performance.mark == mark)
        // The removed item was the one that follows.
        stage.send(.removeItem(1))
        #expect(stage.performance.mark > mark)
        stage.cycles(200)
        #expect(stage.player.state.currentIndex == 1)
        #expect(stage.player.state.current?.reference == "three")
        #expect(stage.position == stage.performance.position)
    }

    @Test("The item that follows is sent again after a seek, which makes the engine drop it")
    func upcomingAfterSeek() {
        let stage = TestPerformance([Self.item("one", carrier: 200, seconds: 10), Self.item("two", carrier: 300, seconds: 10)])
        stage.send(.play)
        stage.cycles(10)
        stage.send(.changePosition(to: 9.9))
        stage.cycles(40)
        #expect(stage.player.state.currentIndex == 1)
        stage.send(.previousItem)
        stage.cycles(4)
        stage.send(.pause)
        stage.cycles(20)
        stage.send(.changePosition(to: 9.9))
        stage.send(.play)
        stage.cycles(40)
        #expect(stage.player.state.currentIndex == 1)
        #expect(stage.position == stage.performance.position)
    }

    @Test("a seek while a pause or a stop is on its way to the sound is not overridden")
    func elsewhere() {
        for silence in [Command.pause, .stop] {
            for (command, item, position) in [(Command.changePosition(to: 30), 0, 1_440_000), (.nextItem, 1, 0)] as [(Command, Int, Int64)]
            {
                let stage = TestPerformance([Self.item("one", carrier: 200, seconds: nil), Self.item("two", carrier: 300, seconds: 10)])
                stage.send(.play)
                stage.cycles(10)
                stage.send(silence)
                stage.send(command)
                stage.cycles(8)
                #expect(stage.player.state.currentIndex == item)
                #expect(stage.position == position, "\(silence), then \(command)")
            }
        }
    }

    @Test("an edit overtaken by the end of its item is not waited for beyond that end")
    func overtakenEdit() {
        for cycles in 14...19 {
            let stage = TestPerformance([Self.item("one", carrier: 200, seconds: 0.1)])
            stage.send(.play)
            stage.cycles(cycles)
            stage.send(.set(Setting(layer: 0, parameter: .carrier, value: 300), ramp: nil))
            let mark = stage.performance.mark
            stage.cycles(12)
            #expect(stage.player.state.playback == .stopped)
            #expect(stage.performance.isInTheSound(mark), "after \(cycles) cycles")
        }
    }

    @Test("the next item starts by itself on the frame after the last, and the end of the queue stops the player")
    func queue() {
        let stage = TestPerformance([Self.item("one", carrier: 200, seconds: 0.1), Self.item("two", carrier: 300, seconds: 0.1)])
        stage.send(.play)
        stage.cycles(20)
        #expect(stage.player.state.currentIndex == 1)
        #expect(stage.position == 20 * Int64(TestPerformance.period) - 4800)
        #expect(stage.performance.position == stage.position)
        stage.cycles(20)
        #expect(stage.player.state.playback == .stopped)
        #expect(stage.player.state.currentIndex == 0)
        #expect(stage.isSilent(from: 38 * TestPerformance.period))
    }

    @Test("at another rate a queue goes to JACK's inputs, which have their own speed, and back, on the frame")
    func ratesOfTheirOwn() {
        let input = QueueItem(reference: "in", patch: Patch(duration: 0.1, layers: [Layer(name: "in", kind: .input)]))
        let stage = TestPerformance([Self.item("one", carrier: 200, seconds: 0.1), input, Self.item("three", carrier: 300, seconds: 1)])
        stage.send(.changeRate(to: 2))
        stage.send(.play)
        for (cycles, index, position) in [
            (12, 1, 12 * TestPerformance.period - 2400), (8, 1, 20 * TestPerformance.period - 2400),
            (15, 2, 2 * (35 * TestPerformance.period - 7200)),
        ] {
            stage.cycles(cycles)
            #expect(stage.player.state.currentIndex == index, "item \(index + 1)")
            #expect(stage.position == Int64(position), "item \(index + 1)")
            #expect(stage.performance.position == stage.position, "item \(index + 1)")
        }
    }

    @Test("repeating one item restarts it by itself, with the edits made meanwhile")
    func repeatOne() {
        let stage = TestPerformance([Self.item("one", carrier: 200, seconds: 0.1)])
        stage.send(.changeRepeatMode(to: .one))
        stage.send(.play)
        stage.cycles(4)
        stage.send(.set(Setting(layer: 0, parameter: .gain, value: -120), ramp: nil))
        stage.cycles(40)
        #expect(stage.player.state.playback == .playing)
        #expect(stage.isSilent(from: 20 * TestPerformance.period))
    }

    @Test("an edit is heard, and an edit made while paused is heard after resuming")
    func edits() {
        let stage = TestPerformance([Self.item("one", carrier: 200, seconds: nil)])
        stage.send(.play)
        stage.cycles(10)
        stage.send(.set(Setting(layer: 0, parameter: .gain, value: -120), ramp: nil))
        stage.cycles(10)
        #expect(stage.isSilent(from: 18 * TestPerformance.period))
        stage.send(.pause)
        stage.send(.set(Setting(layer: 0, parameter: .gain, value: -20), ramp: nil))
        stage.cycles(10)
        #expect(stage.isSilent(from: 18 * TestPerformance.period))
        stage.send(.play)
        stage.cycles(10)
        #expect(!stage.isSilent(from: 35 * TestPerformance.period))
    }

    @Test("solo and mute are heard, and reset restores the patch at the same position")
    func audibility() {
        var item = Self.item("one", carrier: 200, seconds: nil)
        item.patch?.layers.append(Layer(name: "other", kind: .tone, values: [.gain: -120]))
        let stage = TestPerformance([item])
        stage.send(.play)
        stage.cycles(10)
        stage.send(.solo(layer: 1, true))
        stage.cycles(10)
        #expect(stage.isSilent(from: 18 * TestPerformance.period))
        stage.send(.reset(layer: 1))
        stage.cycles(20)
        #expect(!stage.isSilent(from: 35 * TestPerformance.period))
        #expect(stage.position == stage.performance.position)
    }

    @Test("after JACK was away the sound continues at the lost frame, also at another sample rate")
    func interruption() {
        let stage = TestPerformance([Self.item("one", carrier: 200, seconds: nil)])
        stage.send(.play)
        stage.cycles(100)
        stage.player.audioLost(position: stage.performance.position, at: stage.performance.moment)
        stage.performance.suspend()
        #expect(stage.player.state.playback == .interrupted)
        stage.engine = stage.performance.prepare(sampleRate: 96_000, state: stage.player.state)
        stage.player.audioAvailable(sampleRate: 96_000, at: stage.performance.moment)
        stage.carryOut()
        stage.cycles(2)
        #expect(stage.position == 2 * 100 * Int64(TestPerformance.period) + 2 * Int64(TestPerformance.period))
        #expect(stage.performance.position == stage.position)
    }

    @Test("an engine that a callback may still be rendering with is abandoned: another one continues the sound")
    func leftBehind() {
        func stage(_ whileAway: (TestPerformance) -> Void, _ meanwhile: (RenderHandle) -> Void) -> (stage: TestPerformance, old: EngineHold)
        {
            let stage = TestPerformance([Self.item("one", carrier: 200, seconds: nil)])
            stage.send(.play)
            stage.cycles(100)
            let old = stage.engine
            whileAway(stage)
            stage.player.audioLost(position: stage.performance.position, at: stage.performance.moment)
            stage.performance.suspend()
            stage.engine = stage.performance.prepare(sampleRate: 48_000, state: stage.player.state)
            stage.player.audioAvailable(sampleRate: 48_000, at: stage.performance.moment)
            stage.carryOut()
            for _ in 0..<50 {
                meanwhile(old.handle)
                stage.cycles(1)
            }
            return (stage, old)
        }
        var heard: [Float] = []
        let held = stage({ $0.performance.leaveBehind() }) { handle in
            var (left, right) = ([Float](repeating: 0, count: 64), [Float](repeating: 0, count: 64))
            handle.render(left: &left, right: &right, frames: 64, hostTime: 0)
            heard += left
        }
        let plain = stage({ _ in }) { _ in }
        #expect(held.old.handle != held.stage.handle)
        #expect(plain.old.handle == plain.stage.handle)
        #expect(held.stage.left == plain.stage.left)
        #expect(held.stage.position == plain.stage.position)
        // The sound that was started before continues on the old engine, without an output.
        #expect((heard.max() ?? 0) > 0.05)
    }

    @Test("sound that resumes on another server does not click, and has the master's level", arguments: [48_000, 96_000])
    func clickless(sampleRate: Int) {
        let stage = TestPerformance([Self.item("one", carrier: 200, seconds: nil)])
        stage.send(.setMasterGain(-6, ramp: nil))
        stage.send(.play)
        // At any phase of the tone.
        stage.cycles(101)
        stage.player.audioLost(position: stage.performance.position, at: stage.performance.moment)
        stage.performance.suspend()
        let mark = stage.left.count
        stage.engine = stage.performance.prepare(sampleRate: sampleRate, state: stage.player.state)
        stage.player.audioAvailable(sampleRate: sampleRate, at: stage.performance.moment)
        stage.carryOut()
        stage.cycles(60)
        stage.send(.stop)
        stage.cycles(40)
        let heard = [Double](repeating: 0, count: 1000) + stage.left[mark...].map(Double.init)
        // -20 dB of the tone, and the master's -6.
        #expect(abs((heard.max() ?? 0) - 0.0501) < 0.0005)
        #expect(peakAbove(2000, in: heard[...], sampleRate: Double(sampleRate)) < -100)
    }

    @Test("changes that belong together are applied on one frame")
    func simultaneously() {
        let stage = TestPerformance([Self.item("one", carrier: 200, seconds: nil)])
        stage.send(.play)
        stage.cycles(10)
        let mark = stage.performance.moment.frame
        stage.performance.simultaneously {
            #expect(stage.performance.moment.frame == mark + Int64(TestPerformance.period))
            stage.send(.changePosition(to: 1))
            stage.send(.setMasterGain(-6, ramp: nil))
        }
        stage.cycles(3)
        #expect(stage.position == 48_000 + 2 * Int64(TestPerformance.period))
    }

    @Test("with a crossfade the next item starts so long before the end of the current one, and both sound")
    func crossfade() {
        let stage = TestPerformance([Self.item("one", carrier: 200, seconds: 1), Self.item("two", carrier: 300, seconds: 1)])
        stage.send(.play)
        stage.cycles(10)
        // Also a short fade that is set while it plays.
        stage.performance.crossfade = 0.25
        stage.performance.prepareNext(stage.player.state)
        stage.cycles(140)
        #expect(stage.player.state.currentIndex == 1)
        #expect(stage.position == 150 * Int64(TestPerformance.period) - 36_000)
        #expect(stage.performance.status?.isSounding == true)
        stage.cycles(200)
        #expect(stage.player.state.playback == .stopped)
        #expect(stage.isSilent(from: (36_000 + 48_000) / TestPerformance.period * TestPerformance.period + TestPerformance.period))
    }

    @Test("a crossfade longer than an item takes half of it, so that an item never crossfades into itself at once")
    func longCrossfade() {
        let stage = TestPerformance([Self.item("one", carrier: 200, seconds: 0.1)])
        stage.performance.crossfade = 30
        stage.send(.changeRepeatMode(to: .one))
        stage.send(.play)
        stage.cycles(8)
        #expect(stage.position == 8 * Int64(TestPerformance.period))
        stage.cycles(4)
        #expect(stage.position == 12 * Int64(TestPerformance.period) - 2400)
    }

    @Test("leaving an endless item by hand takes the crossfade, one with an end the short fade")
    func endless() {
        for (seconds, isHeard) in [(nil, true), (60.0, false)] as [(Double?, Bool)] {
            var silent = Self.item("silent", carrier: 200, seconds: 60)
            silent.patch?.layers[0].values[.gain] = -120
            let stage = TestPerformance([Self.item("one", carrier: 200, seconds: seconds), silent])
            stage.performance.crossfade = 1
            stage.send(.play)
            stage.cycles(20)
            stage.send(.next)
            stage.cycles(100)
            #expect(stage.player.state.currentIndex == 1)
            #expect(stage.isSilent(from: 60 * TestPerformance.period) == !isHeard)
            stage.cycles(100)
            #expect(stage.isSilent(from: 215 * TestPerformance.period))
        }
    }

    @Test("the short fade has its set length, also on an engine for another sample rate")
    func shortFade() {
        let stage = TestPerformance([Self.item("one", carrier: 200, seconds: nil)])
        stage.performance.shortFade = 0.5
        stage.engine = stage.performance.prepare(sampleRate: 96_000, state: stage.player.state)
        stage.player.audioAvailable(sampleRate: 96_000, at: stage.performance.moment)
        stage.send(.play)
        stage.cycles(20)
        stage.send(.stop)
        stage.cycles(250)
        #expect(!stage.isSilent(from: 150 * TestPerformance.period))
        #expect(stage.isSilent(from: 210 * TestPerformance.period))
    }

    @Test("the next item is the one in the queue at the end of the current item, not the one at its start")
    func changedMind() {
        let stage = TestPerformance([Self.item("one", carrier: 200, seconds: 0.1), Self.item("two", carrier: 300, seconds: 60)])
        stage.send(.play)
        stage.cycles(4)
        stage.send(.changeRepeatMode(to: .one))
        stage.send(.set(Setting(layer: 0, parameter: .gain, value: -120), ramp: nil))
        stage.cycles(40)
        #expect(stage.player.state.currentIndex == 0)
        #expect(stage.isSilent(from: 20 * TestPerformance.period), "the engine plays what the player says")
        stage.send(.changeRepeatMode(to: .off))
        stage.cycles(40)
        #expect(stage.player.state.currentIndex == 1)
        #expect(!stage.isSilent(from: 70 * TestPerformance.period))
    }
}
