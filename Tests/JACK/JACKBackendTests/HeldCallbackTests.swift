import Engine
import Foundation
import JACK
import Patches
import TestSupport
import Testing

@testable import JACKBackend

extension InProcessTests {
    /// A callback that hangs for seconds, since it waits for a disk under freewheel.
    @Suite struct HeldCallbackTests {
        /// A disk that answers when the test allows it, and the state of its waiters.
        private final class Disk: Sendable {
            let isLet = WatchedState(false)
            let soundsGone = WatchedState(0)

            func engine() -> EngineControl {
                let control = EngineControl(sampleRate: 48_000) { _, _ throws(SoundFailure) in Sound(self) }
                var layer = Layer(name: "sea", kind: .file)
                layer.path = "/sea.wav"
                control.start(PlanCompiler.compile(Patch(layers: [layer]), sampleRate: 48_000))
                return control
            }

            private final class Sound: SoundReader {
                let frameCount: Int64 = 1 << 40
                private let disk: Disk

                init(_ disk: Disk) { self.disk = disk }

                deinit { disk.soundsGone.update { $0 += 1 } }

                func read(
                    from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int
                ) throws(SoundFailure) {
                    while !disk.isLet.value { usleep(1000) }
                    left.update(repeating: 0.1, count: count)
                    right.update(repeating: 0.1, count: count)
                }
            }
        }

        @Test(
            "The engine of a hanging callback is kept until the callback ends, whatever the owner does; then it is freed",
            arguments: [1, 2])
        func kept(changes: Int) async throws {
            try await JACKServer.run { server in
                let disk = Disk()
                let owner = try BackendOwner(on: server, engine: nil)
                var mark = try await owner.event { $0.isAvailable }
                var engine: EngineControl? = disk.engine()
                owner.backend.startRendering(EngineHold(try #require(engine)))
                try await server.freewheel(true)
                // No further cycle comes while the callback hangs.
                mark = try await owner.event(.stalled, from: mark)
                for change in 0..<changes {
                    // PipeWire may do this during a cycle.
                    let rate = change % 2 == 0 ? 44_100 : 48_000
                    owner.backend.core.post(.notice(.sampleRate(UInt32(rate)), generation: 1))
                    mark = try await owner.event(.leftBehind, from: mark)
                    mark = try await owner.event(.sampleRateChanged(Double(rate)), from: mark)
                    // The owner makes another engine.
                    engine = soundingEngine(sampleRate: Double(rate))
                    owner.backend.startRendering(EngineHold(try #require(engine)))
                }
                #expect(disk.soundsGone.value == 0)
                disk.isLet.update { $0 = true }
                mark = try await owner.event(.resumed, from: mark)
                let gone = await disk.soundsGone.wait { $0 > 0 ? true : nil }
                #expect(gone == true, "an engine that nobody renders with any more is kept")
                owner.backend.startRendering(EngineHold(try #require(engine)))
                try await server.freewheel(false)
                let wave = try await server.capture(["binaural:out_left"], seconds: 0.2)
                #expect(wave.channels[0].contains { $0 != 0 })
                await owner.backend.close()
            }
        }

        @Test("The engine of a hanging callback is kept forever if the backend closes meanwhile, since its end cannot be detected")
        func closed() async throws {
            try await JACKServer.run { server in
                let disk = Disk()
                let owner = try BackendOwner(on: server, engine: nil)
                let available = try await owner.event { $0.isAvailable }
                var engine: EngineControl? = disk.engine()
                weak let kept = engine
                owner.backend.startRendering(EngineHold(try #require(engine)))
                try await server.freewheel(true)
                try await owner.event(.stalled, from: available)
                engine = nil
                await owner.backend.close(within: Patience.limit)
                // Answers of the disk are ignored now.
                disk.isLet.update { $0 = true }
                #expect(kept != nil)
                #expect(disk.soundsGone.value == 0)
            }
        }
    }
}
