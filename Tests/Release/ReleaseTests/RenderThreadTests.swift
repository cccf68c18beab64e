import Foundation
import OSC
import ProgramSupport
import TestSupport
import Testing

/// Things that the process callback of the release program must not do.
@Suite struct RenderThreadTests {
    /// Plays under the shim.
    private func report(preloading more: String? = nil) async throws -> RealTimeReport {
        let shim = try await RealTimeShim()
        var environment = shim.environment
        if let more { environment["LD_PRELOAD"]? += " \(more)" }
        _ = try await errors(options: ["--outputs", "layers"], preload: environment)
        return try shim.report()
    }

    /// Plays with commands arriving in real time and under freewheel, for more than 10,000 cycles, and with a packet for every address. A
    /// DC offset is found, and its layer muted. Meanwhile somebody listens to the panel's stream.
    ///
    /// - Returns: what the program wrote on standard error.
    private func errors(
        of program: String? = nil, options: [String] = [], preload: [String: String] = [:], exit: ProgramExit = .code(0)
    ) async throws -> [String] {
        try await JACKServer.run(bufferSize: 64) { server in
            let program = try await PlayingProgram(
                on: server,
                [
                    "moving.yaml": TestPatch.moving, "tone.yaml": TestPatch.tone, "noise.yaml": TestPatch.noise,
                    "steady.yaml": TestPatch.dcOffset,
                ],
                options: options + ["--web", "auto"], preload: preload, program: program ?? PackageRoot.releaseProgram())
            let peer = program.peer
            let listener = try await Self.listener(to: program)
            let keyboard = try await MIDIPlayer(to: program)
            // The 14 s under freewheel alone are 10,500 cycles, however fast the commands are.
            let capture = try await TimedCapture(of: program)
            #expect(try await peer.command("repeat", .string("all")) == 0)
            for isFreewheeling in [false, true] {
                if isFreewheeling { try await server.freewheel(true) }
                for round in 0..<12 {
                    let place = Float(round * 2)
                    keyboard.send(Self.played(round))
                    for (address, arguments) in [
                        ("play", []), ("position", [.float(place)]), ("layer/1/gain", [.float(-30), .float(0.01)]),
                        ("layer/1/carrier/norm", [.float(place / 40)]), ("layer/1/mute", [.true]), ("layer/1/mute", [.false]),
                        ("master/gain", [.float(-place)]), ("next", []), ("pause", []), ("play", []), ("layer/1/reset", []),
                        ("queue/select", [.int32(1)]), ("layer/selected/solo", [.int32(Int32(round % 2))]),
                    ] as [(String, [OSCArgument])] {
                        peer.sendBundle([OSCMessage(address, arguments)])
                    }
                    try await peer.sync(Int32(round))
                }
                // There is nothing to listen to under freewheel.
                if !isFreewheeling { try await capture.advance(seconds: 3) }
                if isFreewheeling {
                    try await capture.advance(seconds: 14)
                    // Expected after the master.
                    peer.sendBundle([
                        OSCMessage("master/gain", [.float(0)]), OSCMessage("queue/select", [.int32(4)]), OSCMessage("play", []),
                    ])
                    try await peer.sync(100)
                    let isFound = try await eventually { try await peer.value("status").numbers[6] ?? 0 > 0 }
                    #expect(isFound, "the offset is not found")
                    try await server.freewheel(false)
                }
            }
            try await sendEverything(to: program)
            #expect(try await program.terminate() == exit)
            let heard = await listener.value
            #expect(heard.hasPrefix("HTTP/1.1 200 "), "\(heard.utf8.count) bytes")
            #expect(heard.utf8.count > 50_000, "\(heard.utf8.count) bytes")
            return program.process.errorLines
        }
    }

    /// Reads a stream up to its end.
    private static func listener(to program: PlayingProgram) async throws -> Task<String, Never> {
        let line = try await program.process.line(containing: "Panel: http://127.0.0.1:").text
        let port = UInt16(line.split(separator: ":")[3].prefix { $0.isNumber }) ?? 0
        return Task {
            await withCheckedContinuation { continuation in
                // It blocks.
                Thread.detachNewThread {
                    guard let client = SocketClient(port: port) else { return continuation.resume(returning: "") }
                    client.send(Array("GET /listen.mp3 HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
                    continuation.resume(returning: client.everything())
                }
            }
        }
    }

    /// Notes, bends, pedals, controllers, programs, and other messages.
    private static func played(_ round: Int) -> [(delay: Int, bytes: [UInt8])] {
        (0..<400).map { number in
            let value = UInt8((number * 7 + round) % 128)
            let pedal: UInt8 = number % 16 == 6 ? 64 : value
            let play: [UInt8] = [0xF0, 0x7F, 0x7F, 0x06, 0x02, 0xF7]
            let bytes: [UInt8] =
                switch number % 8 {
                case 0, 1, 2: [0x90, value, UInt8(number % 127 + 1)]
                case 3, 4: [0x80, value, 0]
                case 5: [0xE0, value, value]
                case 6: [0xB0, pedal, value]
                default: number % 3 == 0 ? play : [0xF8]
                }
            return (number % 40, bytes)
        }
    }

    /// Every row of the table has a packet in the fuzzer's corpus. The program plays again for the next one, regardless of what a packet does.
    private func sendEverything(to program: PlayingProgram) async throws {
        let folder = PackageRoot.file("Tests/Stress/Fuzzing/Corpus")
        let socket = try UDPSocket(boundTo: Endpoint(host: .loopback, port: 0))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names.count > 150)
        for name in names where name != "quit" {
            let packet = try Array(Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
            socket.send(packet, to: Endpoint(host: .loopback, port: UInt16(program.oscPort)))
            program.peer.send("play")
            try await program.peer.sync(1000)
        }
    }

    @Test(
        "Over 10,000 cycles with commands arriving, the cycle and xrun callbacks make no allocation, free, lock or system call")
    func clean() async throws {
        let report = try await report()
        let counts = report.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        Figures.report("process callback under commands", "\(report.cycles) cycles: \(counts)")
        #expect(report.cycles >= 10_000)
        #expect(report.xruns >= 1000)
        #expect(report.isClean, "\(report)")
    }

    @Test("The same check detects one allocation planted in the callback of the same program")
    func planted() async throws {
        let folder = try TemporaryFolder()
        let library = folder.file("planted.so")
        try await compile("planted_allocation.c", options: ["-shared", "-fPIC", "-o", library], libraries: ["-ldl"])
        let report = try await report(preloading: library)
        #expect(!report.isClean)
        // Two ports a cycle.
        #expect((report.counts["malloc"] ?? 0) > 10_000, "\(report)")
        #expect(report.counts["malloc"] == report.counts["free"], "\(report)")
    }

    @Test("RealtimeSanitizer finds nothing in the callback of the release program's objects during every command")
    func sanitized() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let program = try await RealTimeSanitizer.linkedProgram(in: folder)
        let cycles = RealTimeSanitizer.cycles(in: try await errors(of: program))
        Figures.report("process callback under RealtimeSanitizer", "\(cycles) cycles")
        #expect(cycles >= 10_000)
    }

    @Test("RealtimeSanitizer stops the same program at one allocation planted in its callback, and reports the place")
    func sanitizedAndPlanted() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let library = folder.file("planted.so")
        try await compile("planted_allocation.c", options: ["-shared", "-fPIC", "-o", library], libraries: ["-ldl"])
        let program = try await RealTimeSanitizer.linkedProgram(in: folder)
        try await JACKServer.run { server in
            let environment = try IsolatedEnvironment(adding: server.environment)
            try environment.folder.write(TestPatch.tone, to: "tone.yaml")
            let run = try await RunningProgram.run(
                program, ["play", "tone.yaml", "--connect", "none", "--osc-port", "auto", "--client-name", server.clientName],
                environment: environment.adding(["LD_PRELOAD": library]), folder: environment.folder.path)
            #expect(run.exit == .code(RealTimeSanitizer.exitCode), "\(run.errors)")
            #expect(run.errors.contains("malloc"), "\(run.errors)")
            #expect(run.errors.contains("jack_port_get_buffer"), "\(run.errors)")
        }
    }
}
