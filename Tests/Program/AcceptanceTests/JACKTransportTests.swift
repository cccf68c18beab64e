import Foundation
import OSC
import TestSupport
import Testing

extension AcceptanceTests {
    /// JACK's transport, moved by JACK's own jack_transport, followed and led.
    @Suite struct JACKTransportTests {
        /// Frames of the short fade: 20 ms.
        private let fade = 960

        /// Sends a command and returns the responder that handled it.
        private func handler(of address: String, _ position: Double?, _ peer: OSCPeer) async throws -> String? {
            let mark = peer.mark
            if let position { peer.send(address, .double(position)) } else { peer.send(address) }
            return try await peer.message("reply", from: mark, within: .seconds(30)).texts.last ?? nil
        }

        /// JACK's own transport control.
        private func control(_ server: JACKServer) throws -> RunningProgram {
            try RunningProgram(
                try requireTool("jack_transport", package: "jackd2"),
                environment: ProcessInfo.processInfo.environment.merging(server.environment) { $1 })
        }

        private func now(_ address: String, is value: Double, from mark: Int, _ peer: OSCPeer) async throws {
            _ = try await peer.message("now/\(address)", from: mark, within: .seconds(30)) { $0.numbers.first == value }
        }

        private func state(_ state: String, from mark: Int, _ peer: OSCPeer) async throws {
            _ = try await peer.message("now/state", from: mark, within: .seconds(30)) { $0.texts.first == state }
        }

        @Test(
            "When following, a locate is reported while stopped, and while rolling each sample is that of the transport's frame, also in a second instance"
        )
        func follow() async throws {
            let (rendered, recording) = try await JACKServer.run(isPatient: true, ownClientName: true) { server in
                let options = ["--transport", "follow"]
                let program = try await PlayingProgram(on: server, ["moving.yaml": TestPatch.moving], options: options)
                let other = try await PlayingProgram(
                    on: server, ["moving.yaml": TestPatch.moving], options: options, name: "\(server.clientName)b")
                let rendered = try await program.render("moving.yaml")
                let transport = try control(server)
                let peers = [program.peer, other.peer]
                let start = program.peer.mark
                for peer in peers { peer.send("subscribe", .string("now")) }

                transport.write("locate 480123\n")
                try await now("frame", is: 480_123, from: start, program.peer)
                try await state("paused", from: start, program.peer)
                let capture = try await TimedCapture(of: program, and: other.ports, seconds: 20)
                var marks = peers.map(\.mark)
                transport.write("play\n")
                for (peer, mark) in zip(peers, marks) { try await state("playing", from: mark, peer) }
                try await capture.advance(seconds: 0.5)
                transport.write("locate 960077\n")
                try await capture.advance(seconds: 0.5)
                // Past the end: silence, and still playing.
                transport.write("locate 1440000\n")
                try await capture.advance(seconds: 0.3)
                #expect(try await program.peer.value("now/state").texts == ["playing"])
                transport.write("locate 100000\n")
                try await capture.advance(seconds: 0.5)
                marks = peers.map(\.mark)
                transport.write("stop\n")
                for (peer, mark) in zip(peers, marks) { try await state("paused", from: mark, peer) }
                try await capture.advance(seconds: 0.2)
                // Commands go to the transport.
                var mark = program.peer.mark
                #expect(try await program.peer.command("position", .double(2)) == 0)
                try await now("frame", is: 96_000, from: mark, program.peer)
                #expect(try await program.peer.command("play") == 0)
                try await state("playing", from: mark, other.peer)
                try await capture.advance(seconds: 0.5)
                mark = program.peer.mark
                #expect(try await program.peer.command("stop") == 0)
                try await state("stopped", from: mark, program.peer)
                #expect(try await program.peer.command("rate", .float(2)) == 405)
                try await capture.advance(seconds: 0.2)
                let recording = try await capture.finish()
                transport.write("quit\n")
                #expect(try await program.terminate() == .code(0))
                #expect(try await other.terminate() == .code(0))
                return (rendered, recording)
            }
            var frames = 0
            for pair in [0...1, 2...3] {
                let wave = WaveFile(sampleRate: recording.wave.sampleRate, channels: Array(recording.wave.channels[pair]))
                let runs = equalRuns(in: wave, of: rendered)
                // From each start or locate inside the patch on, once it is faded in.
                try #require(runs.count == 4, "\(runs)")
                for run in runs {
                    // The last samples may be those of what the transport did a moment ago.
                    #expect(recording.transportFrame(ofSample: run.frames.lowerBound) == run.start, "\(run)")
                    #expect(run.frames.count > 4_800, "\(run)")
                    frames += run.frames.count
                }
                #expect(wave.channels[0].suffix(fade).allSatisfy { $0 == 0 })
            }
            // While both are faded in, they have the same samples.
            let equal = recording.wave.channels[0].indices.filter { index in
                recording.wave.channels[0][index] != 0 && recording.wave.channels[0][index] == recording.wave.channels[2][index]
                    && recording.wave.channels[1][index] == recording.wave.channels[3][index]
            }
            #expect(equal.count > 4 * 4_800)
            Figures.report(
                "following JACK's transport through starts, locates and stops, two instances",
                "\(frames) frames, equal to the render at the transport's frame in every bit; \(equal.count) the same in both at the same time"
            )
        }

        @Test(
            "When leading, play starts the transport, a new position relocates it, pause stops it at the program's frame, and stop returns it to 0"
        )
        func lead() async throws {
            let (rendered, recording) = try await JACKServer.run(isPatient: true, ownClientName: true) { server in
                let program = try await PlayingProgram(
                    on: server, ["moving.yaml": TestPatch.moving], options: ["--paused", "--transport", "lead"])
                let rendered = try await program.render("moving.yaml")
                let capture = try await TimedCapture(of: program, seconds: 20)
                for (address, position, responder) in [
                    ("play", nil, "transport"), ("position", 12, "transport"), ("next", nil, "patch"),
                ]
                    as [(String, Double?, String)]
                {
                    #expect(try await handler(of: address, position, program.peer) == responder)
                    try await capture.advance(seconds: 1)
                }
                var mark = capture.mark
                #expect(try await handler(of: "pause", nil, program.peer) == "transport")
                try await program.peer.sync()
                let reported = try await program.peer.value("now/frame").numbers[0] ?? -1
                try await capture.transport(standsAt: reported, from: mark)
                mark = capture.mark
                #expect(try await handler(of: "position", 20, program.peer) == "transport")
                try await capture.transport(standsAt: 960_000, from: mark)
                #expect(try await handler(of: "play", nil, program.peer) == "transport")
                try await capture.advance(seconds: 1)
                mark = capture.mark
                #expect(try await handler(of: "stop", nil, program.peer) == "transport")
                try await capture.transport(standsAt: 0, from: mark)
                #expect(try await program.peer.value("transport/mode").texts == ["lead"])
                let recording = try await capture.finish()
                #expect(try await program.terminate() == .code(0))
                return (rendered, recording)
            }
            let runs = equalRuns(in: recording.wave, of: rendered)
            try #require(runs.count == 4, "\(runs)")
            for (run, start) in zip(runs, [0, 576_000, 720_000, 960_000]) {
                #expect((start...start + fade).contains(run.start))
                // In sync once it has been polled.
                #expect(recording.transportFrame(ofSample: run.frames.upperBound - fade) == run.end - fade, "\(run)")
            }
            #expect(recording.cycles.last?.transport == nil)
        }

        @Test(
            "When a bundle leads the transport, it rolls and stops with the cycles in which the bundle is heard, always at the program's frame"
        )
        func bundle() async throws {
            let (rendered, recording) = try await undisturbed {
                try await JACKServer.run(isPatient: true, ownClientName: true) { server in
                    let program = try await PlayingProgram(
                        on: server, ["moving.yaml": TestPatch.moving], options: ["--paused", "--transport", "lead"])
                    let rendered = try await program.render("moving.yaml")
                    let capture = try await TimedCapture(of: program, seconds: 20)
                    for messages in [
                        [OSCMessage("play")], [OSCMessage("pause")], [OSCMessage("position", [.float(12)]), OSCMessage("play")],
                        [OSCMessage("stop")],
                    ] {
                        program.peer.sendBundle(messages, delay: 0.3)
                        try await capture.advance(seconds: 1)
                    }
                    let late = try await program.peer.value("bundles").numbers[1] ?? 1
                    let recording = try await capture.finish()
                    #expect(try await program.terminate() == .code(0))
                    return ((rendered, recording), Int(late))
                }
            }
            let runs = equalRuns(in: recording.wave, of: rendered)
            try #require(runs.count == 2, "\(runs)")
            for (run, position) in zip(runs, [0, 576_000]) {
                let (start, end) = (run.frames.lowerBound - (run.start - position), run.frames.upperBound)
                let rolling = recording.cycles.filter { $0.transport != nil && (start - 4_800..<end + 9_600).contains($0.sample) }
                let (first, last) = (try #require(rolling.first), try #require(rolling.last))
                Figures.report(
                    "JACK's transport, led by a bundle: begins and ends to roll after the sound",
                    "\(first.sample - start) and \(last.sample + 256 - end) frames, of a period of 256")
                // Never before it; the delay after it depends on how busy the machine is.
                #expect((0...4_800).contains(first.sample - start), "\(run)")
                // The first two samples of the fade are still those of the render.
                #expect((-2...4_800).contains(last.sample + 256 - end), "\(run)")
                let frame = run.start - run.frames.lowerBound
                #expect(rolling.allSatisfy { $0.transport == $0.sample + frame }, "\(rolling.prefix(5)), \(run)")
            }
            #expect(recording.cycles.last?.transport == nil)
        }
    }
}
