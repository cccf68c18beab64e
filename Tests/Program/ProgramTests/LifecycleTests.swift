import Foundation
import OSC
import OSCRemote
import ProgramSupport
import TestSupport
import Testing

@Suite("The lifecycle", .ownThread)
struct LifecycleTests {
    @Test("a program that finds the address is answered at once, also behind 200 earlier packets")
    func firstPackets() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let address = InstanceFile(client: server.clientName, environment: run.environment.variables)
            let program = try run.start("deep-alpha")
            _ = await eventually { FileManager.default.fileExists(atPath: address.path) || program.hasEnded }
            let endpoint = try address.read()
            let socket = try UDPSocket(boundTo: Endpoint(host: .loopback, port: 0))
            for _ in 0..<200 { socket.send(OSCMessage("/binaural/nowhere", [.int32(1)]).encoded, to: endpoint) }
            socket.send(OSCMessage("/binaural/ping", [.int32(77)]).encoded, to: endpoint)
            var isAnswered = false
            _ = await eventually {
                while !isAnswered, case .packet(let bytes, _)? = socket.receive() {
                    guard case .message(let message)? = try? OSCPacket(decoding: bytes) else { continue }
                    isAnswered = message.address == "/binaural/pong" && message.arguments.first == .int32(77)
                }
                return isAnswered || program.hasEnded
            }
            #expect(isAnswered, "\(program.transcript)")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("subscribers get every lifecycle step and every notice in order: start, loss and return of JACK, saving, quitting")
    func transcript() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let ear = try StubInstance { _ in [] }
            let program = try run.start("deep-alpha", "--osc-feedback", "\(ear.endpoint)=session,log")
            func reaches(_ transcript: [String]) async -> Bool {
                let reached = await ear.heard.wait { heard in
                    Self.steps(heard).starts(with: transcript) ? Self.steps(heard) : nil
                }
                return reached != nil
            }
            var expected = ["willRestore", "didRestore", "willBecomeActive", "didBecomeActive"]
            #expect(await reaches(expected), "\(Self.steps(ear.heard.value))")
            try await program.state("playing")
            try await server.kill()
            expected += ["willResignActive", "didResignActive"]
            #expect(await reaches(expected), "\(Self.steps(ear.heard.value))")
            let ctl = try await RunningProgram.run(
                try PackageRoot.program(), ["ctl", "--client", server.clientName, "--wait", Patience.seconds, "jack/reconnect"],
                environment: run.environment.variables)
            #expect(ctl.exit == .code(1), "\(ctl.summary)")
            #expect(ctl.errors.contains("(code 120)"), "\(ctl.summary)")
            try await server.start()
            try await run.ctl("jack/reconnect")
            expected += ["willBecomeActive", "didBecomeActive"]
            #expect(await reaches(expected), "\(Self.steps(ear.heard.value))")

            let before = Self.saves(ear.heard.value).count
            try await run.ctl("session/save")
            let saves = await ear.heard.wait { heard in
                Self.saves(heard).count >= before + 2 ? Self.saves(heard) : nil
            }
            #expect(saves != nil, "\(ear.heard.value)")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
            expected += ["willTerminate"]
            let ended = await ear.heard.wait { heard in heard.last?.address == "/binaural/bye" ? heard : nil }
            let heard = try #require(ended, "\(ear.heard.value)")
            #expect(Self.steps(heard) == expected)
            // Each save starts and finishes, the last one before the program ends.
            let all = Self.texts(heard, of: "lifecycle")
            #expect(all.suffix(3) == ["willSave", "didSave", "willTerminate"])
            #expect(zip(Self.saves(heard), 0...).allSatisfy { $0 == ($1.isMultiple(of: 2) ? "willSave" : "didSave") }, "\(all)")
            #expect(Self.texts(heard, of: "log").contains { $0.hasPrefix("JACK is away:") })
        }
    }

    @Test("SIGUSR1 saves explicitly, which keeps the older state as a generation; playback continues")
    func savesOnSignal() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(PlayTests.tone, to: "tone.yaml")
            let program = try run.start("tone.yaml", "--session", "mine.yaml")
            let peer = try await Asker(program)
            try await program.state("playing")
            // Automatic saves keep no generation for ten minutes after the last one. One may come first now and then, but not always.
            var isKept = false
            for gain in -24 ... -13 where !isKept {
                let before = try? run.folder.read("mine.yaml")
                #expect(try peer.perform("master/gain", .float(Float(gain))) == 0)
                program.send(signal: SIGUSR1)
                let isSaved = await eventually { (try? run.folder.read("mine.yaml"))?.contains("gain: \(gain)") == true }
                try #require(isSaved, "SIGUSR1 saves nothing")
                isKept = before != nil && (try? run.folder.read("mine.yaml.1")) == before
            }
            #expect(isKept, "what was saved was never a save that somebody asked for")
            #expect(try peer.value("now/state") == [.string("playing")])
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    /// All steps except saves, which happen at any change, and memory pressure, which depends on the machine.
    private static func steps(_ heard: [OSCMessage]) -> [String] {
        texts(heard, of: "lifecycle").filter { !$0.hasSuffix("Save") && $0 != "memoryPressure" }
    }

    private static func saves(_ heard: [OSCMessage]) -> [String] { texts(heard, of: "lifecycle").filter { $0.hasSuffix("Save") } }

    private static func texts(_ heard: [OSCMessage], of address: String) -> [String] {
        heard.filter { $0.address == "/binaural/\(address)" }.compactMap { message in
            if case .string(let text)? = message.arguments.first { text } else { nil }
        }
    }
}
