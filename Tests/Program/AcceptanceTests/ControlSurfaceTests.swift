import OSC
import ProgramSupport
import TestSupport
import Testing

/// A surface on a phone, and meaningless packets.
@Suite struct ControlSurfaceTests {
    @Test(
        "For a surface that only sends floats and listens on its port, buttons fire once, faders are confirmed at rest, and the clock runs"
    )
    func touchSurface() async throws {
        try await JACKServer.run { server in
            let program = try await PlayingProgram(
                on: server, ["moving.yaml": TestPatch.moving], options: ["--paused"], feedback: "now,layers,tick/4")
            let peer = program.peer
            // It gets everything without subscribing.
            for address in ["now/title", "layer/1/gain/norm", "layer/7/carrier", "now/text", "now/norm"] {
                _ = try await peer.message(address, from: 0)
            }
            func press(_ address: String) async throws -> Int {
                let mark = peer.mark
                peer.send(address, .float(1))
                let code = try await peer.code(of: address, from: mark)
                peer.send(address, .float(0))
                return code
            }
            var mark = peer.mark
            #expect(try await press("play") == 0)
            _ = try await peer.message("now/state", from: mark) { $0.texts == ["playing"] }
            mark = peer.mark
            #expect(try await press("next") == 0)
            _ = try await peer.message("now/chapter", from: mark) { $0.numbers[0] == 2 }
            try await peer.sync()
            #expect(
                !peer.received(from: mark).contains { $0.address == "now/chapter" && $0.numbers[0] ?? 0 > 2 }, "the release acted too")
            mark = peer.mark
            #expect(try await press("toggle") == 0)
            _ = try await peer.message("now/state", from: mark) { $0.texts == ["paused"] }
            #expect(try await press("toggle") == 0)

            // How many come in a second is for the tests of subscriptions, whose time is not the machine's.
            mark = peer.mark
            var tick = try await peer.message("now/tick", from: mark)
            for _ in 0..<8 {
                let last = tick
                tick = try await peer.message("now/tick", from: mark) { $0.numbers[0] ?? 0 > last.numbers[0] ?? 0 }
            }

            // Another one reads the value, so that what this one gets is feedback.
            let reader = try await OSCPeer()
            try await reader.target(program.oscPort)
            mark = peer.mark
            try await peer.moveFader("layer/7/gain/norm", upTo: 1, count: 60, rate: 60, seed: 3)
            let real = try await reader.value("layer/7/gain/norm").numbers
            _ = try await peer.message("layer/7/gain/norm", from: mark) { $0.numbers == real }
            // A machine that is held up makes a pause in the movement, and with each of them a confirmation.
            #expect(peer.received(from: mark).filter { $0.address == "layer/7/gain/norm" }.count < 30, "played back under the finger")
            #expect(peer.received(from: mark).contains { $0.address == "layer/7/gain" })
            await reader.end()
            #expect(try await program.terminate() == .code(0))
        }
    }

    @Test(
        "A fader that jumps sixty times a second leaves no click in a tone of 200 Hz",
        // The highest value used: the layer's own level stays under the ceiling.
        arguments: [("layer/1/gain/norm", 0.75), ("master/gain/norm", 1), ("layer/1/pan/norm", 1)])
    func faders(address: String, highest: Double) async throws {
        let wave = try await JACKServer.run(isPatient: true) { server in
            let program = try await PlayingProgram(on: server, ["tone.yaml": TestPatch.tone], options: ["--paused"])
            let capture = try await TimedCapture(of: program)
            #expect(try await program.peer.command("play") == 0)
            try await program.peer.moveFader(address, upTo: highest, count: 120, rate: 60, seed: 1)
            // At full level again, as the reference for clicks.
            program.peer.send(address, .float(address.contains("pan") ? 0.5 : Float(highest)))
            try await capture.advance(seconds: 0.1)
            #expect(try await program.peer.command("stop") == 0)
            try await capture.advance(seconds: 0.1)
            let recording = try await capture.finish()
            #expect(try await program.terminate() == .code(0))
            return recording.wave
        }
        for channel in wave.channels {
            #expect(channel.last == 0)
            let click = peakAbove(2000, in: channel[...], sampleRate: 48_000)
            Figures.report("above 2 kHz, \(address) thrown about 60 times a second, 200 Hz", Figures.text(click) + " dB")
            #expect(click < -100)
        }
    }

    @Test("A flood of queries and of meaningless packets changes no bit of the sound")
    func flood() async throws {
        let (seconds, rate) = (isStress ? 60 : 4, 50_000)
        let (recording, noise, answered) = try await JACKServer.run(bufferSize: 1024, isPatient: true) { server in
            let patch = TestPatch.moving.replacingOccurrences(of: "duration: 30", with: "duration: \(seconds + 160)")
            let program = try await PlayingProgram(on: server, ["moving.yaml": patch], options: ["--paused"])
            let quiet = try await program.render("moving.yaml")
            let flooder = try await OSCPeer()
            try await flooder.target(program.oscPort)
            let capture = try await TimedCapture(of: program, seconds: Double(seconds) + 150)
            #expect(try await program.peer.command("play") == 0)
            let reached = try await flooder.flood(count: seconds * rate, rate: rate, seed: 1)
            Figures.report("packets of a flood", "\(Figures.text(reached, 0)) a second for \(seconds) s")
            try await capture.advance(seconds: 0.2)
            // A peer that is silent for a minute is forgotten.
            #expect(try await program.peer.command("replies", .int32(2)) == 0)
            let answered = try await program.peer.command("stop") == 0
            let recording = try await capture.finish()
            await flooder.end()
            #expect(try await program.terminate() == .code(0))
            return (recording, quiet, answered)
        }
        #expect(answered)
        let runs = equalRuns(in: recording.wave, of: noise)
        // From the end of the fade-in to the fade-out without a gap.
        try #require(runs.count == 1, "\(runs)")
        let sounding = recording.wave.channels[0].count { $0 != 0 }
        #expect(sounding - runs[0].frames.count <= 2 * 960 + 64, "\(sounding) frames sound, \(runs)")
        Figures.report("bits changed by \(seconds * rate) packets of garbage", "0 of \(runs[0].frames.count) frames")
    }
}
