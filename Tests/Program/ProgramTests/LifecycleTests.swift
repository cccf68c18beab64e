import Foundation
import OSC
import OSCRemote
import ProgramSupport
import TestSupport
import Testing

/// Its steps are in InstanceTests.
@Suite("The lifecycle, as a program", .ownThread)
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
}
