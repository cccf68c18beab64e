import Patches
import Playback
import TestSupport
import Testing

@Suite("MIDI")
struct MIDITests {
    static let messages: [([UInt8], MIDIMessage?)] = [
        ([0x90, 60, 100], .noteOn(note: 60, velocity: 100, channel: 1)), ([0x9F, 60, 0], .noteOff(note: 60, channel: 16)),
        ([0x80, 60, 64], .noteOff(note: 60, channel: 1)), ([0xB2, 7, 127], .controlChange(controller: 7, value: 127, channel: 3)),
        ([0xC0, 5], .programChange(5, channel: 1)), ([0xF3, 2], .songSelect(2)), ([0xF3], nil), ([0xF3, 200], nil),
        ([0xE0, 0, 0], .pitchBend(-8192, channel: 1)),
        ([0xE0, 0, 0x40], .pitchBend(0, channel: 1)), ([0xE0, 0x7F, 0x7F], .pitchBend(8191, channel: 1)), ([0xFA], .start),
        ([0xFB], .continue), ([0xFC], .stop), ([0xF0, 0x7F, 0x7F, 0x06, 0x01, 0xF7], .machineControl(.stop)),
        ([0xF0, 0x7F, 0x01, 0x06, 0x02, 0xF7], .machineControl(.play)), ([0xF0, 0x7F, 0x7F, 0x06, 0x03, 0xF7], .machineControl(.play)),
        ([0xF0, 0x7F, 0x01, 0x06, 0x09, 0xF7], .machineControl(.pause)),
        ([0xF0, 0x7F, 0x7F, 0x06, 0x04, 0xF7], .machineControl(.fastForward)),
        ([0xF0, 0x7F, 0x7F, 0x06, 0x05, 0xF7], .machineControl(.rewind)),
        // 30 frames a second: 1:02:03 and 15 frames.
        ([0xF0, 0x7F, 0x7F, 0x06, 0x44, 0x06, 0x01, 0x61, 2, 3, 15, 0, 0xF7], .machineControl(.locate(3723.5))),
        // Truncated, out of range, or not supported.
        ([], nil), ([0x90], nil), ([0x90, 60], nil), ([0x90, 60, 200], nil), ([60, 100], nil), ([0xC0, 1, 2], nil), ([0xF8], nil),
        ([0xFE], nil),
        ([0xA0, 60, 1], nil), ([0xD0, 60], nil), ([0xF0, 0x7F, 0x7F, 0x06, 0x01], nil), ([0xF0, 0x41, 0x7F, 0x06, 0x01, 0xF7], nil),
        ([0xF0, 0x7F, 0x7F, 0x06, 0x44, 0xF7], nil),
    ]

    @Test("Valid MIDI messages are decoded; other bytes are rejected", arguments: messages)
    func parsing(bytes: [UInt8], message: MIDIMessage?) { #expect(MIDIMessage(bytes) == message) }

    @Test("Of any bytes, complete messages whose data is below 128 are decoded to their numbers, and nothing else is")
    func anyBytes() {
        var random = SplitMix64(seed: 12)
        var decoded = 0
        for _ in 0..<20_000 {
            let status = UInt8.random(in: 0...255, using: &random)
            let data = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                UInt8.random(in: 0...(Bool.random(using: &random) ? 127 : 140), using: &random)
            }
            let expected = Self.message(status, data.map(Int.init))
            #expect(MIDIMessage([status] + data) == expected, "\([status] + data)")
            if expected != nil { decoded += 1 }
        }
        #expect(decoded > 1000)
    }

    /// The tables of the MIDI specification, without system exclusive messages, which are longer.
    private static func message(_ status: UInt8, _ data: [Int]) -> MIDIMessage? {
        let channel = Int(status % 16) + 1
        switch (status, data.count) {
        case (0xFA, _): return .start
        case (0xFB, _): return .continue
        case (0xFC, _): return .stop
        case _ where data.contains { $0 > 127 }: return nil
        case (0xF3, 1): return .songSelect(data[0])
        case (0x80...0x8F, 2): return .noteOff(note: data[0], channel: channel)
        case (0x90...0x9F, 2) where data[1] == 0: return .noteOff(note: data[0], channel: channel)
        case (0x90...0x9F, 2): return .noteOn(note: data[0], velocity: data[1], channel: channel)
        case (0xB0...0xBF, 2): return .controlChange(controller: data[0], value: data[1], channel: channel)
        case (0xC0...0xCF, 1): return .programChange(data[0], channel: channel)
        case (0xE0...0xEF, 2): return .pitchBend(data[0] + 128 * data[1] - 8192, channel: channel)
        default: return nil
        }
    }

    @Test("A locate with any bytes is within the range of a timecode, or none")
    func anyTimecode() {
        var random = SplitMix64(seed: 13)
        var located = 0
        for _ in 0..<20_000 {
            let timecode = (0..<5).map { _ in UInt8.random(in: 0...255, using: &random) }
            var bytes: [UInt8] = [0xF0, 0x7F, 0x7F, 0x06, 0x44, 0x06, 0x01] + timecode + [0xF7]
            if Bool.random(using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
            }
            guard case .machineControl(.locate(let seconds)) = MIDIMessage(bytes) else { continue }
            // 31:63:63, and less than 2 s of frames.
            #expect(0..<115_445 ~= seconds, "\(bytes)")
            located += 1
        }
        #expect(located > 10_000)
    }

    private func requests(_ interpreter: inout MIDIInterpreter, _ state: PlayerState) -> [MIDIInterpreter.Request] {
        interpreter.next(.max, state).flatMap(\.requests)
    }

    private func carrier(_ frequency: Double, layer: Int = 0) -> [MIDIInterpreter.Request] {
        [.command(.set(Setting(layer: layer, parameter: .carrier, value: frequency), ramp: nil))]
    }

    @Test("Only the last note of one poll is applied, and the last value of each controller: heavy traffic makes few commands")
    func storm() {
        let player = TestPlayer([.make("a")])
        var interpreter = MIDIInterpreter()
        for number in 0..<10_000 {
            let moment = Moment(frame: Int64(number))
            interpreter.take(.noteOn(note: number % 100, velocity: 1, channel: 1), at: moment, player.state)
            interpreter.take(.controlChange(controller: number % 8, value: number % 128, channel: 1), at: moment, player.state)
            interpreter.take(.programChange(0, channel: 1), at: moment, player.state)
        }
        let due = interpreter.next(.max, player.state)
        // The note, eight controllers, and as many commands as may wait.
        #expect(due.count == 1 + 8 + 64)
        let frequency = Tuning().frequency(ofNote: 99)
        #expect(due.contains { $0.requests == carrier(frequency) && $0.moment == Moment(frame: 9999) })
        #expect(interpreter.isIdle)
    }

    @Test("The key that is still down sounds again, the last one's note stays, and the wheel bends what was played")
    func notes() {
        let player = TestPlayer([.make("a")])
        var interpreter = MIDIInterpreter()
        interpreter.take(.pitchBend(100, channel: 1), at: player.now, player.state)
        #expect(requests(&interpreter, player.state) == [], "nothing was played")
        interpreter.take(.pitchBend(0, channel: 1), at: player.now, player.state)
        interpreter.take(.noteOn(note: 69, velocity: 1, channel: 1), at: player.now, player.state)
        #expect(requests(&interpreter, player.state) == carrier(440))
        interpreter.take(.noteOn(note: 81, velocity: 1, channel: 1), at: player.now, player.state)
        #expect(requests(&interpreter, player.state) == carrier(880))
        interpreter.take(.noteOff(note: 81, channel: 1), at: player.now, player.state)
        #expect(requests(&interpreter, player.state) == carrier(440))
        interpreter.take(.noteOff(note: 69, channel: 1), at: player.now, player.state)
        #expect(requests(&interpreter, player.state) == [])
        interpreter.take(.pitchBend(-8192, channel: 1), at: player.now, player.state)
        #expect(requests(&interpreter, player.state) == carrier(Tuning().frequency(ofNote: 67)))
    }

    @Test(
        "An MMC seek lasts until the next MMC command of any kind",
        arguments: [
            (MIDIMessage.MachineControl.stop, [Command.stop]), (.play, [.play]), (.pause, [.pause]),
            (.locate(12.2), [.changePosition(to: 12.2)]),
        ])
    func winding(order: MIDIMessage.MachineControl, commands: [Command]) {
        let player = TestPlayer([.make("a")])
        var interpreter = MIDIInterpreter()
        func asked(_ order: MIDIMessage.MachineControl) -> [MIDIInterpreter.Request] {
            interpreter.take(.machineControl(order), at: player.now, player.state)
            return requests(&interpreter, player.state)
        }
        func seek(_ direction: SeekDirection, _ begins: Bool) -> Command { .seek(direction, begins: begins) }
        #expect(asked(.fastForward) == [seek(.backward, false), seek(.forward, true)].map(MIDIInterpreter.Request.command))
        #expect(asked(.rewind) == [seek(.forward, false), seek(.backward, true)].map(MIDIInterpreter.Request.command))
        #expect(asked(order) == ([seek(.forward, false), seek(.backward, false)] + commands).map(MIDIInterpreter.Request.command))
    }

    @Test("A layer without a carrier, a newly selected one, and an empty queue are not changed")
    func nothingToPlay() {
        var player = TestPlayer([.make("a")])
        var interpreter = MIDIInterpreter()
        interpreter.take(.noteOn(note: 69, velocity: 1, channel: 1), at: player.now, player.state)
        player.send(.selectLayer(1))
        #expect(requests(&interpreter, player.state) == [])
        interpreter.take(.noteOn(note: 69, velocity: 1, channel: 1), at: player.now, player.state)
        #expect(requests(&interpreter, player.state) == [])
        let empty = TestPlayer([])
        interpreter.take(.noteOn(note: 69, velocity: 1, channel: 1), at: empty.now, empty.state)
        #expect(requests(&interpreter, empty.state) == [])
    }

    @Test("An address has one controller, a controller many addresses; a session has a limit; a learnt address is assigned once")
    func mapping() {
        var player = TestPlayer([.make("a")])
        #expect(player.send(.learnController("play")).status == .success)
        #expect(player.state.learning == "play")
        for (controller, address) in [(1, "stop"), (2, "play"), (3, "play"), (3, "stop")] {
            #expect(player.send(.mapController(ControllerMapping(controller: controller, address: address))).status == .success)
        }
        #expect(player.state.learning == nil)
        #expect(player.state.controllers.map(\.address) == ["stop", "play"])
        #expect(player.state.controllers.map(\.controller) == [3, 3])
        #expect(player.send(.forgetController("next")).status == .noSuchContent)
        #expect(player.send(.forgetController("stop")).status == .success)
        for number in 1..<ControllerMapping.limit { player.send(.mapController(ControllerMapping(controller: 9, address: "\(number)"))) }
        #expect(player.send(.mapController(ControllerMapping(controller: 9, address: "one more"))).status == .queueFull)
        #expect(player.send(.mapController(ControllerMapping(controller: 9, address: "play"))).status == .success)
    }
}
