import Foundation
import OSC
import ProgramSupport
import TestSupport
import Testing

/// JACK's transport, moved by JACK's own jack_transport, followed and led.
@Suite struct JACKTransportTests {
    /// Frames of the short fade: 20 ms.
    private let fade = 960

    /// Sends a command and returns the responder that handled it.
    private func handler(of address: String, _ position: Double?, _ peer: OSCPeer) async throws -> String? {
        let mark = peer.mark
        if let position { peer.send(address, .double(position)) } else { peer.send(address) }
        return try await peer.message("reply", from: mark).texts.last ?? nil
    }

    /// JACK's own transport control.
    private func control(_ server: JACKServer) throws -> RunningProgram {
        try RunningProgram(
            try requireTool("jack_transport", package: "jackd2"),
            environment: ProcessInfo.processInfo.environment.merging(server.environment) { $1 })
    }

    private func now(_ address: String, is value: Double, from mark: Int, _ peer: OSCPeer) async throws {
        _ = try await peer.message("now/\(address)", from: mark) { $0.numbers.first == value }
    }

    /// Waits until all of them have followed the transport to a frame, and somewhat beyond.
    ///
    /// - Parameter limit: the frame that they come from, if it is a later one.
    private func plays(from frame: Double, below limit: Double = .infinity, _ peers: [OSCPeer]) async throws {
        for (number, peer) in peers.enumerated() {
            var heard: Double?
            let follows = try await eventually {
                heard = try await peer.value("now/frame").numbers.first ?? nil
                return heard.map { frame + 4_800..<limit ~= $0 } ?? false
            }
            #expect(follows, "instance \(number + 1) is at \(heard ?? .nan), and does not come to \(frame)")
        }
    }

    private func state(_ state: String, from mark: Int, _ peer: OSCPeer) async throws {
        _ = try await peer.message("now/state", from: mark) { $0.texts.first == state }
    }

    @Test(
        "When following, a locate is reported while stopped, and while rolling each sample is that of the transport's frame, also in a second instance"
    )
    func follow() async throws {
        let (rendered, recording) = try await JACKServer.run(isPatient: true) { server in
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
            let capture = try await TimedCapture(of: program, and: other.ports)
            var marks = peers.map(\.mark)
            transport.write("play\n")
            for (peer, mark) in zip(peers, marks) { try await state("playing", from: mark, peer) }
            try await plays(from: 480_123, peers)
            try await capture.advance(seconds: 0.3)
            transport.write("locate 960077\n")
            try await plays(from: 960_077, peers)
            try await capture.advance(seconds: 0.3)
            transport.write("locate 100000\n")
            try await plays(from: 100_000, below: 960_077, peers)
            try await capture.advance(seconds: 0.3)
            // Past the end: silence, and still playing.
            transport.write("locate 1440000\n")
            try await capture.advance(seconds: 0.3)
            #expect(try await program.peer.value("now/state").texts == ["playing"])
            marks = peers.map(\.mark)
            transport.write("stop\n")
            for (peer, mark) in zip(peers, marks) { try await state("paused", from: mark, peer) }
            try await capture.advance(seconds: 0.2)
            // Commands go to the transport.
            marks = peers.map(\.mark)
            #expect(try await program.peer.command("position", .double(2)) == 0)
            for (peer, mark) in zip(peers, marks) { try await now("frame", is: 96_000, from: mark, peer) }
            #expect(try await program.peer.command("play") == 0)
            try await state("playing", from: marks[1], other.peer)
            try await plays(from: 96_000, peers)
            try await capture.advance(seconds: 0.3)
            let mark = program.peer.mark
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
        let (rendered, recording) = try await JACKServer.run(isPatient: true) { server in
            let program = try await PlayingProgram(
                on: server, ["moving.yaml": TestPatch.moving], options: ["--paused", "--transport", "lead"])
            let rendered = try await program.render("moving.yaml")
            let capture = try await TimedCapture(of: program)
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
        // The transport is as many cycles behind as jackd took more than expected, until it has been located again, a few times at most. On a busy
        // machine it may take another number each time.
        let behind = try zip(runs, [0, 576_000, 720_000, 960_000]).map { run, start in
            #expect((start...start + fade).contains(run.start))
            return try run.end - fade - #require(recording.transportFrame(ofSample: run.frames.upperBound - fade))
        }
        #expect(behind.contains(0) && behind.allSatisfy { $0.isMultiple(of: 256) && abs($0) <= 16 * 256 }, "\(behind)")
        #expect(recording.cycles.last?.transport == nil)
    }
}
