import Engine
import JACK
import Patches
import JACKBackend
import TestSupport
import Testing

extension InProcessTests {
    /// The engine as a JACK client on a server without faults.
    @Suite struct BackendTests {
        private let ports = ["binaural:out_left", "binaural:out_right"]

        @Test("Ports exist and are silent until the owner starts rendering; then the tone has its frequencies")
        func plays() async throws {
            try await JACKServer.run(isPatient: true) { server in
                let control = soundingEngine()
                let owner = try BackendOwner(on: server, engine: nil)
                try await owner.event(.available(sampleRate: 48_000, bufferSize: 256))
                #expect(try await server.ports().suffix(5) == ports + ["binaural:in_left", "binaural:in_right", "binaural:midi_in"])
                let silence = try await server.capture(ports, seconds: 0.2)
                #expect(silence.channels.allSatisfy { $0.allSatisfy { $0 == 0 } })
                owner.backend.startRendering(EngineHold(control))
                let wave = try await frequencies(at: ports, of: server, seconds: 2)
                #expect(abs(wave[0] - 204) < 1e-6)
                #expect(abs(wave[1] - 196) < 1e-6)
                let status = owner.backend.status
                #expect(status.condition == .running)
                #expect(status.clientName == "binaural")
                #expect(status.serverName == server.name)
                #expect(status.load > 0)
                #expect(status.peakLoad >= status.load)
                await owner.backend.close()
                #expect(owner.backend.status.condition == .away)
                #expect(try await server.ports().allSatisfy { !$0.hasPrefix("binaural") })
            }
        }

        @Test("auto connects the physical pair; the owner is notified of the connected ports, and of changes")
        func automaticConnection() async throws {
            try await JACKServer.run { server in
                let control = soundingEngine()
                let owner = try BackendOwner(on: server, connect: .automatic, engine: control)
                let pair = [
                    PortConnections(port: "binaural:out_left", connectedTo: ["system:playback_1"]),
                    PortConnections(port: "binaural:out_right", connectedTo: ["system:playback_2"]),
                ]
                let connected = try await owner.event(.connectionsChanged(pair))
                #expect(owner.backend.status.connections == pair)
                try await server.disconnect("binaural:out_left", "system:playback_1")
                let rest = [PortConnections(port: "binaural:out_left", connectedTo: []), pair[1]]
                try await owner.event(.connectionsChanged(rest), from: connected)
                await owner.backend.close()
            }
        }

        @Test("none connects nothing; an expression connects the first two matching inputs; one without a match is a notice")
        func chosenConnections() async throws {
            try await JACKServer.run { server in
                let control = soundingEngine()
                let first = try BackendOwner(on: server, connect: .none, engine: control)
                try await first.event { $0.isAvailable }
                #expect(try await server.hasConnections([], of: "binaural:out_left"))
                await first.backend.close()

                let pattern = try ConnectionChoice(argument: "playback_[12]$")
                let second = try BackendOwner(on: server, connect: pattern, engine: control)
                try await second.event { $0.isAvailable }
                #expect(try await server.hasConnections(["system:playback_2"], of: "binaural:out_right"))
                await second.backend.close()

                let third = try BackendOwner(on: server, connect: .matching("nowhere"), engine: control)
                try await third.event(.notice("--connect 'nowhere': no input port matches. List the ports with jack_lsp."))
                await third.backend.close()
            }
        }

        @Test("An invalid expression is refused before anything starts, with regcomp's reason", arguments: ["system:(", "*[", ""])
        func badExpression(argument: String) {
            #expect(throws: ConnectionChoiceError.self) { _ = try ConnectionChoice(argument: argument) }
        }

        @Test("auto and none are words, not expressions")
        func words() throws {
            #expect(try ConnectionChoice(argument: "auto") == .automatic)
            #expect(try ConnectionChoice(argument: "none") == .none)
        }

        @Test(
            "For another session the client is opened under another name, with that session's connections or the given ones; then the request is answered"
        )
        func reopens() async throws {
            try await JACKServer.run { server in
                let control = soundingEngine()
                let owner = try BackendOwner(on: server, connect: .automatic, engine: control)
                try await owner.event { $0.isAvailable }
                let right = PortLink(port: "out_right", other: "system:playback_1")
                for (name, links, connect, connected) in [
                    ("second", [right], .automatic, ["", "system:playback_1"]), ("third", nil, .none, ["", ""]),
                    ("fourth", nil, .automatic, ["system:playback_1", "system:playback_2"]), ("fourth", [], .automatic, ["", ""]),
                ] as [(String, [PortLink]?, ConnectionChoice, [String])] {
                    let mark = owner.seen.count
                    let error = await owner.reopen(as: name, connections: links, connect: connect)
                    // Nothing was lost: the change was requested, and earlier and later events are distinguished.
                    let reported = owner.seen.dropFirst(mark)
                    let closed = try #require(reported.firstIndex(of: .reopening(as: name)), "\(reported)")
                    let opened = try #require(reported.firstIndex { $0.isAvailable }, "\(reported)")
                    #expect(closed < opened, "\(reported)")
                    #expect(!reported.contains { if case .lost = $0 { true } else { false } }, "\(reported)")
                    // No waiting: the state applies when the event is delivered.
                    #expect(error == nil)
                    #expect(owner.backend.status.clientName == name)
                    #expect(owner.backend.status.condition == .running)
                    #expect(try await server.ports().filter { $0.hasSuffix(":out_left") } == ["\(name):out_left"])
                    for (port, other) in zip(["out_left", "out_right"], connected) {
                        #expect(try await server.hasConnections(other.isEmpty ? [] : [other], of: "\(name):\(port)"), "\(name)")
                    }
                }
                await owner.backend.close()
            }
        }

        @Test("A second client takes a numbered name, and both sound")
        func nameClash() async throws {
            try await JACKServer.run(isPatient: true) { server in
                let (one, other) = (soundingEngine(), soundingEngine(carrier: 300, beat: 10))
                let first = try BackendOwner(on: server, engine: one)
                let second = try BackendOwner(on: server, engine: other)
                try await first.event { $0.isAvailable }
                try await second.event { $0.isAvailable }
                #expect(first.backend.status.clientName == "binaural")
                #expect(second.backend.status.clientName == "binaural-01")
                let wave = try await frequencies(at: ["binaural:out_left", "binaural-01:out_left"], of: server, seconds: 1)
                #expect(abs(wave[0] - 204) < 1e-5)
                #expect(abs(wave[1] - 305) < 1e-5)
                await first.backend.close()
                await second.backend.close()
            }
        }

        @Test("The buffer size changes while it plays", arguments: [64, 2048])
        func bufferSize(frames: Int) async throws {
            try await JACKServer.run(isPatient: true) { server in
                let control = soundingEngine()
                let owner = try BackendOwner(on: server, engine: control)
                let available = try await owner.event { $0.isAvailable }
                try await server.setBufferSize(frames)
                try await owner.event(.bufferSizeChanged(frames), from: available)
                #expect(owner.backend.status.bufferSize == frames)
                let wave = try await frequencies(at: ports, of: server, seconds: 1)
                #expect(abs(wave[0] - 204) < 1e-5)
                await owner.backend.close()
            }
        }

        /// Beside a tone a bell whose samples become too small for a Float's full precision, and then vanish, while it dies away.
        private static let sounds = [
            binauralPlan(),
            PlanCompiler.compile(
                Patch(layers: [Layer(name: "bell", kind: .bell, values: [.carrier: 523.25, .decay: 1.5, .gain: -119.9999])]),
                sampleRate: 48_000),
        ]

        @Test("Under freewheel the ports give the samples of the offline render, bit for bit", arguments: sounds)
        func freewheel(plan: Plan) async throws {
            try await JACKServer.run { server in
                let control = EngineControl(sampleRate: 48_000)
                let owner = try BackendOwner(on: server, engine: control)
                let available = try await owner.event { $0.isAvailable }
                let seconds = 10.0
                let recording = try await server.startCapture(ports, seconds: seconds, bufferSeconds: seconds + 10)
                control.start(plan)
                try await server.freewheel(true)
                try await owner.event(.freewheelChanged(true), from: available)
                let wave = try await recording.finish()
                // jackd 1.9.21 hangs for seconds on the way out of freewheel, and may then not end.
                try await server.kill()
                await owner.backend.close()

                let offline = render(plan, frameCount: wave.frameCount)
                let begins = try #require(wave.channels[0].firstIndex { $0 != 0 })
                let offset = begins - (try #require(offline[0].firstIndex { $0 != 0 }))
                let count = wave.frameCount - offset
                #expect(count > 48_000 * 8)
                for channel in 0...1 {
                    #expect(wave.channels[channel][offset...].elementsEqual(offline[channel].prefix(count).map(Double.init)))
                }
            }
        }

        private func render(_ plan: Plan, frameCount: Int) -> [[Float]] {
            let renderer = OfflineRenderer(plan)
            var channels = [[Float]](repeating: [Float](repeating: 0, count: frameCount), count: 2)
            var right = channels[1]
            channels[0].withUnsafeMutableBufferPointer { left in
                right.withUnsafeMutableBufferPointer { right in
                    _ = renderer.render(left: left, right: right)
                }
            }
            channels[1] = right
            return channels
        }
    }
}
