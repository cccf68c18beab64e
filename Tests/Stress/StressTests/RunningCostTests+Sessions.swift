import Foundation
import ProgramSupport
import TestSupport
import Testing

extension RunningCostTests {
    @Test("A session of 200 items opens, and the cost is reported")
    func longSession() async throws {
        // "welcome" is a session as well.
        let names = try FileManager.default.contentsOfDirectory(atPath: PackageRoot.file("patches"))
            .filter { $0.hasSuffix(".yaml") && $0 != "welcome.yaml" }.sorted()
        let queue = (0..<200).map { String(names[$0 % names.count].dropLast(5)) }
        try await JACKServer.run { server in
            let program = try await PlayingProgram(on: server, [:], options: queue + ["--paused"])
            let peer = program.peer
            #expect(try await peer.command("session/save", .string("long")) == 0)
            var (clock, count) = (0.0, 0.0)
            for _ in 0..<10 {
                // A session that is open already is not opened again.
                #expect(try await peer.command("session/load", .string("welcome")) == 0)
                let begin = ContinuousClock.now
                #expect(try await peer.command("session/load", .string("long")) == 0)
                clock += (ContinuousClock.now - begin).timeInterval
                count += 1
                #expect(try await peer.value("now/queue").numbers == [1, 200])
            }
            Figures.report(
                "a session of 200 items opened, from the command to the answer, wall-clock time",
                "\(Figures.text(clock / count * 1000)) ms")
            #expect(try await program.terminate() == .code(0))
        }
    }
}
