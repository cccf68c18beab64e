import Foundation
import OSC
import ProgramSupport
import TestSupport
import Testing

/// MIDI of other programs at the port `midi_in`, on a real server.
@Suite struct MIDITests {
    private func play(
        _ patches: KeyValuePairs<String, String>, _ body: @Sendable (PlayingProgram, MIDIPlayer) async throws -> Void
    ) async throws {
        try await JACKServer.run { server in
            let program = try await PlayingProgram(on: server, patches)
            let keyboard = try await MIDIPlayer(to: program)
            for topic in ["layers", "now"] {
                let mark = program.peer.mark
                program.peer.send("subscribe", .string(topic))
                _ = try await program.peer.message("snapshot/end", from: mark)
            }
            try await body(program, keyboard)
            await keyboard.end()
            #expect(try await program.terminate() == .code(0))
        }
    }

    private func carrier(_ layer: Int, is frequency: Double, from mark: Int, _ peer: OSCPeer) async throws {
        _ = try await peer.message("layer/\(layer)/carrier", from: mark) { abs((($0.numbers.first ?? nil) ?? 0) - frequency) < 0.01 }
    }

    @Test("JACK's own jack_midiseq plays the carrier")
    func sequencer() async throws {
        try await play(["pair.yaml": Self.pair]) { program, _ in
            let mark = program.peer.mark
            let sequencer = try RunningProgram(
                try requireTool("jack_midiseq", package: "jackd2"), ["Sequencer", "24000", "0", "60", "8000", "12000", "64", "8000"],
                environment: ProcessInfo.processInfo.environment.merging(program.server.environment) { $1 })
            try await program.server.waitForPort("Sequencer:out")
            try await program.server.connect("Sequencer:out", program.midiPort)
            for frequency in [261.6256, 329.6276, 261.6256] { try await carrier(1, is: frequency, from: mark, program.peer) }
            await sequencer.end()
        }
    }

    @Test(
        "10,000 events a second change no bit of the sound, the remote control answers, and the last value of each control is applied")
    func storm() async throws {
        let (rendered, recording) = try await JACKServer.run(isPatient: true) { server in
            let program = try await PlayingProgram(on: server, ["storm.yaml": Self.storm])
            let rendered = try await program.render("storm.yaml")
            let keyboard = try await MIDIPlayer(to: program)
            let peer = program.peer
            for controller in 0..<8 {
                #expect(try await peer.command("midi/map", .int32(Int32(controller)), .string("layer/2/pan")) == 0)
            }
            #expect(try await peer.command("midi/map", .int32(9), .string("layer/3/pan")) == 0)
            #expect(try await peer.command("layer/select", .int32(2)) == 0)
            let capture = try await TimedCapture(of: program)
            try await capture.advance(seconds: 0.3)
            let (start, xruns) = (ContinuousClock.now, try await program.peer.value("status").numbers[5] ?? 0)
            let count = 40_000
            keyboard.send(
                (0..<count).map { number in
                    let value = UInt8(number % 128)
                    let bytes: [UInt8] =
                        switch number % 5 {
                        case 0: [0x90, value, 100]
                        case 1: [0x80, value, 0]
                        case 2: [0xB0, 9, number > count - 10 ? 127 : value]
                        case 3: [0xE0, 0, value]
                        default: [0xB0, UInt8(number % 120), value]
                        }
                    return (number % 5 == 0 ? 4 : 5, bytes)
                })
            // Meanwhile a peer reads values.
            let isOver = WatchedState(false)
            let sending = Task {
                defer { isOver.update { $0 = true } }
                try await keyboard.hasSent(count)
            }
            var answers = 0
            while !isOver.value {
                #expect(try await peer.value("now/state").texts == ["playing"])
                answers += 1
            }
            try await sending.value
            #expect(answers > 0)
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            #expect(try await eventually { try await peer.value("layer/3/pan").numbers == [1] })
            #expect(try await peer.value("now/state").texts == ["playing"])
            let own = try await program.peer.value("status").numbers[5] ?? 0
            let recording = try await capture.finish()
            await keyboard.end()
            #expect(try await program.terminate() == .code(0))
            Figures.report(
                "a storm of MIDI, \(count) events in \(Figures.text(seconds, 1)) s, heard on a server that waits for late clients",
                "\(recording.wave.channels[0].count) frames recorded, \(Int(own - xruns)) xruns, \(answers) questions answered meanwhile"
            )
            return (rendered, recording)
        }
        // Only the first layers are heard, which none of this concerns: from the first to the last frame it is the render.
        let runs = equalRuns(in: recording.wave, of: rendered)
        #expect(runs.count == 1, "\(runs), \(recording.xruns) xruns")
        #expect(runs.first?.frames == 0..<recording.wave.channels[0].count, "\(runs), \(recording.xruns) xruns")
    }

    @Test("In captured audio, a layer of keys sounds from the frame of the event, and fades from the frame of its release")
    func keys() async throws {
        struct Captured: Sendable {
            let ears: [Double]
            let marks: [Double]
        }
        let captured = try await JACKServer.run(isPatient: true) { server in
            let program = try await PlayingProgram(on: server, ["keys.yaml": Self.keyed])
            let keyboard = try await MIDIPlayer(to: program)
            let capture = try await TimedCapture(of: program, and: [keyboard.markPort])
            // The connections are stable.
            try await capture.advance(seconds: 0.5)
            for number in 0..<20 {
                let key = UInt8(60 + number)
                keyboard.send(0x90, key, 127, after: 7_777 + number * 13)
                keyboard.send(0x80, key, 0, after: 4_801)
            }
            try await keyboard.hasSent(40)
            try await capture.advance(seconds: 0.3)
            let recording = try await capture.finish()
            await keyboard.end()
            #expect(try await program.terminate() == .code(0))
            return Captured(ears: recording.wave.channels[0], marks: recording.wave.channels[2])
        }
        let marks = captured.marks.indices.filter { captured.marks[$0] == 1 }
        try #require(marks.count == 40)
        var (worst, latest) = (0, 0)
        for number in 0..<20 {
            let (down, up) = (marks[2 * number], marks[2 * number + 1])
            // A sine and its fade begin with zeros: the same note, by the formula, says where it was put.
            let note = Self.note(60 + number, frames: up - down)
            let differences = (-3...3).map { shift in
                note.indices.reduce(0.0) { sum, k in
                    let difference = captured.ears[down + shift + k] - note[k]
                    return sum + difference * difference
                }
            }
            let best = try #require(differences.min())
            let shift = try #require(differences.firstIndex(of: best)) - 3
            worst = max(worst, abs(shift))
            #expect(shift == 0, "note \(number): \(differences)")
            #expect(best < 1e-5, "note \(number): \(differences)")
            // The release separately: the same start, held for some frames less or more.
            let ends = (-3...3).map { held in
                let note = Self.note(60 + number, frames: up - down + held)
                return note.indices.dropFirst(up - down - 3).reduce(0.0) { sum, k in
                    let difference = captured.ears[down + k] - note[k]
                    return sum + difference * difference
                }
            }
            let end = try #require(ends.firstIndex(of: ends.min() ?? 0)) - 3
            latest = max(latest, abs(end))
            #expect(end == 0, "note \(number): \(ends)")
        }
        Figures.report(
            "notes of a layer of keys against the frames of their events, 20 notes",
            "on: \(worst) frames at most, off: \(latest) frames at most")
    }

    /// A note of the layer below, from the frame on at which its key goes down, to the end of its release.
    private static func note(_ key: Int, frames: Int) -> [Double] {
        func smooth(_ t: Double) -> Double {
            let t = min(max(t, 0), 1)
            let polynomial: Double = 35 + t * (t * (70 - 20 * t) - 84)
            return t * t * t * t * polynomial
        }
        let frequency: Double = 440 * pow(2, Double(key - 69) / 12)
        let level: Double = pow(10, -6.0 / 20)
        return (0..<frames + 960).map { k in
            let attack = smooth(Double(k) / 240)
            let release = smooth(1 - Double(k - frames) / 960)
            return level * attack * release * sin(2 * Double.pi * frequency * Double(k) / 48_000)
        }
    }

    private static let keyed = """
        title: Keyed
        layers:
          - {name: hands, keys: {attack: 0.005, release: 0.02}, gain: -6}

        """

    /// Only the first and the last of the four are audible; no two stretches of the noise are the same.
    private static let storm = """
        title: Storm
        duration: 120
        layers:
          - {name: bed, binaural: {carrier: 200, beat: 4}, gain: -20}
          - {name: played, tone: {carrier: 300}, gain: -120}
          - {name: moved, tone: {carrier: 300}, gain: -120}
          - {name: snow, noise: {color: white}, gain: -30}

        """

    static let pair = """
        title: Pair
        layers:
          - {name: bed, binaural: {carrier: 200, beat: 4}}
          - {name: tone, tone: {carrier: 300}}
          - {name: rain, noise: {color: white}, gain: -40}

        """
}
