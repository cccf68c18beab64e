import OSC
import TestSupport
import Testing

extension AcceptanceTests {
    /// What the process callback of the release program does not do.
    @Suite struct RenderThreadTests {
        /// Plays under the shim, with commands arriving in real time and under freewheel, for more than 10,000 cycles.
        private func report(preloading more: String? = nil) async throws -> RealTimeReport {
            let shim = try await RealTimeShim()
            var environment = shim.environment
            if let more { environment["LD_PRELOAD"]? += " \(more)" }
            try await JACKServer.run(bufferSize: 64, ownClientName: true) { [environment] server in
                let program = try await PlayingProgram(
                    on: server, ["moving.yaml": TestPatch.moving, "tone.yaml": TestPatch.tone], preload: environment)
                let peer = program.peer
                // 10 s are 7500 cycles, 20 s at least in all.
                let capture = try await TimedCapture(of: program, seconds: 60)
                #expect(try await peer.command("repeat", .string("all")) == 0)
                for isFreewheeling in [false, true] {
                    if isFreewheeling { try await server.freewheel(true) }
                    for round in 0..<12 {
                        let place = Float(round * 2)
                        for (address, arguments) in [
                            ("play", []), ("position", [.float(place)]), ("layer/1/gain", [.float(-30), .float(0.01)]),
                            ("layer/1/carrier/norm", [.float(place / 40)]), ("layer/1/mute", [.true]), ("layer/1/mute", [.false]),
                            ("master/gain", [.float(-place)]), ("next", []), ("pause", []), ("play", []), ("layer/1/reset", []),
                            ("queue/select", [.int32(1)]), ("layer/selected/solo", [.int32(Int32(round % 2))]),
                        ] as [(String, [Argument])] {
                            peer.sendBundle([Message(address, arguments)])
                        }
                        try await peer.sync(Int32(round))
                    }
                    if isFreewheeling {
                        try await capture.advance(seconds: 10)
                        try await server.freewheel(false)
                    }
                }
                #expect(try await program.terminate() == .code(0))
            }
            return try shim.report()
        }

        @Test("Over 10,000 cycles with commands arriving the callback allocates, frees, locks and calls the system not once")
        func clean() async throws {
            let report = try await report()
            let counts = report.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            Figures.tell("process callback under commands", "\(report.cycles) cycles: \(counts)")
            #expect(report.cycles >= 10_000)
            #expect(report.isClean, "\(report)")
        }

        @Test("The same check catches one allocation planted in the callback of the same program")
        func planted() async throws {
            let folder = try TemporaryFolder()
            let library = folder.file("planted.so")
            try await compile("planted_allocation.c", options: ["-shared", "-fPIC", "-o", library], libraries: ["-ldl"])
            let report = try await report(preloading: library)
            #expect(!report.isClean)
            // Two ports a cycle.
            #expect((report.counts["malloc"] ?? 0) > 10_000 && report.counts["malloc"] == report.counts["free"], "\(report)")
        }
    }
}
