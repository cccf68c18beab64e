import Foundation
import OSC
import ProgramSupport
import TestSupport
import Testing

@Suite("Peers that vanish", .ownThread)
struct VanishedPeerTests {
    /// Seconds on the processor, all threads together.
    private func processorTime(of program: RunningProgram) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(program.pid)/stat", encoding: .utf8)
        let fields = text.split(separator: ")").last.map { $0.split(separator: " ") } ?? []
        let ticks = try [11, 12].map { try (fields.count > $0 ? Double(fields[$0]) : nil).orThrow("no times in \(text)") }
        return ticks.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    @Test("Packets that cannot be delivered to a subscriber that is gone take no CPU time, even if nothing else arrives")
    func undeliverable() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let program = try run.start("reference-440", "--paused")
            do {
                let peer = try await Asker(program)
                _ = try peer.ask("subscribe", .string("now"), answer: "subscribed")
            }
            // A few more messages are sent to it in vain.
            let before = try processorTime(of: program)
            try await Task.sleep(for: .seconds(3))
            let used = try processorTime(of: program) - before
            #expect(used < 0.5 * 3, "\(used) s of 3")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("Positions sent to a configured surface that is switched off take no CPU time")
    func switchedOff() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            // Nothing listens at this port.
            let program = try run.start("reference-440", "--osc-feedback", "127.0.0.1:1=tick/4")
            // Until ticks come only when something is due.
            try await Task.sleep(for: .seconds(6))
            let before = try processorTime(of: program)
            try await Task.sleep(for: .seconds(3))
            let used = try processorTime(of: program) - before
            #expect(used < 0.5 * 3, "\(used) s of 3")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }
}
