import Engine
import JACKBackend
import TestSupport
import Testing

extension InProcessTests {
    /// Copies of the output, for those who listen over the network.
    @Suite struct OutputTapTests {
        /// Frames from a tap, interleaved.
        private func take(_ count: Int, from tap: OutputTap) async throws -> [Float] {
            var taken: [Float] = []
            let isEnough = await eventually {
                taken += tap.take()
                return taken.count >= 2 * count
            }
            try #require(isEnough, "\(taken.count / 2) of \(count) frames")
            return taken
        }

        @Test("A tap gives the frames that are output, without a gap, both ears in order; it is silent before the first start")
        func frames() async throws {
            try await JACKServer.run { server in
                let owner = try BackendOwner(on: server, engine: nil)
                try await owner.event(.available(sampleRate: 48_000, bufferSize: 256))
                let tap = try #require(owner.backend.openTap())
                #expect(tap.sampleRate == 48_000)
                #expect(owner.backend.feeds(tap))
                #expect(try await take(1024, from: tap).allSatisfy { $0 == 0 })
                owner.backend.startRendering(EngineHold(soundingEngine()))
                let taken = try await take(96_000, from: tap).suffix(2 * 48_000)
                for (ear, frequency) in [(0, 204.0), (1, 196.0)] {
                    let samples = stride(from: taken.startIndex + ear, to: taken.endIndex, by: 2).map { Double(taken[$0]) }
                    // A gap would move the frequency, or leave a residual.
                    let sine = try #require(measureSine(samples[...], sampleRate: 48_000))
                    #expect(abs(sine.frequency - frequency) < 1e-3, "\(sine)")
                    #expect(sine.residualInDecibels < -80, "\(sine)")
                }
                await owner.backend.close()
            }
        }

        @Test("A closed tap gets nothing; one that nobody reads keeps half a second, and continues when it is read again")
        func bounds() async throws {
            try await JACKServer.run { server in
                let owner = try BackendOwner(on: server, engine: soundingEngine())
                try await owner.event(.available(sampleRate: 48_000, bufferSize: 256))
                let tap = try #require(owner.backend.openTap())
                _ = try await server.capture(["binaural:out_left"], seconds: 1)
                // While it is read, cycles fill the room that this makes.
                let kept = tap.take().count
                #expect(kept >= 2 * 24_000 && kept <= 2 * (24_000 + 4 * 256), "\(kept)")
                #expect(try await take(1000, from: tap).count >= 2000)
                owner.backend.closeTaps()
                // A cycle that has begun may still copy.
                for _ in 0..<2 {
                    _ = tap.take()
                    _ = try await server.capture(["binaural:out_left"], seconds: 0.1)
                }
                #expect(tap.take().isEmpty)
                #expect(owner.backend.openTap() === tap)
                await owner.backend.close()
            }
        }

        @Test("A tap ends with its client and with the server; the next client has a tap of its own")
        func ends() async throws {
            try await JACKServer.run { server in
                let owner = try BackendOwner(on: server, engine: soundingEngine())
                try await owner.event(.available(sampleRate: 48_000, bufferSize: 256))
                let tap = try #require(owner.backend.openTap())
                #expect(await owner.reopen(as: "other", connections: nil, connect: .none) == nil)
                #expect(!owner.backend.feeds(tap))
                let next = try #require(owner.backend.openTap())
                #expect(next !== tap)
                #expect(owner.backend.feeds(next))
                try await server.stop()
                try await owner.event { if case .lost = $0 { true } else { false } }
                #expect(!owner.backend.feeds(next))
                #expect(owner.backend.openTap() == nil)
                await owner.backend.close()
            }
        }
    }
}
