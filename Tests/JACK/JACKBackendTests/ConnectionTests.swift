import Engine
import JACK
import JACKBackend
import TestSupport
import Testing

extension InProcessTests {
    /// Connections on a real server: learnt, restored, forgotten.
    @Suite struct ConnectionTests {
        private let left = PortLink(port: "out_left", other: "system:playback_1")
        private let right = PortLink(port: "out_right", other: "system:playback_2")

        private func thru(_ server: JACKServer) async throws -> RunningProgram {
            // Its own choice of connections does not matter here.
            let program = try RunningProgram(
                try requireTool("jack_thru", package: "jackd2"), ["other"],
                environment: IsolatedEnvironment().adding(server.environment))
            try await server.waitForPort("other:input_1")
            return program
        }

        @Test("Remembered connections replace --connect; connections made by others are learnt, and those they remove are forgotten")
        func learns() async throws {
            try await JACKServer.run { server in
                let control = soundingEngine()
                let owner = try BackendOwner(on: server, connect: .automatic, connections: [right], engine: control)
                try await owner.event { $0.isAvailable }
                #expect(try await server.hasConnections([], of: "binaural:out_left"))
                #expect(try await server.hasConnections(["system:playback_2"], of: "binaural:out_right"))
                try await server.connect("binaural:out_left", "system:playback_1")
                let learnt = try await owner.event(.connectionsLearnt([right, left]))
                try await server.disconnect("binaural:out_right", "system:playback_2")
                try await owner.event(.connectionsLearnt([left]), from: learnt)
                await owner.backend.close()
            }
        }

        @Test("A connection is lost with its port, and restored when the port is back; an event names the missing port")
        func comesBack() async throws {
            try await JACKServer.run { server in
                let control = soundingEngine()
                let link = PortLink(port: "out_left", other: "other:input_1")
                let owner = try BackendOwner(on: server, connections: [link, right], engine: control)
                try await owner.event(.waiting(for: ["other:input_1"]))
                for _ in 0..<2 {
                    let mark = owner.seen.count
                    let other = try await thru(server)
                    try await owner.event(
                        .connectionsChanged([
                            PortConnections(port: "binaural:out_left", connectedTo: ["other:input_1"]),
                            PortConnections(port: "binaural:out_right", connectedTo: ["system:playback_2"]),
                        ]), from: mark)
                    await other.end()
                    try await owner.event(from: mark) {
                        if case .connectionsChanged(let ports) = $0 { ports[0].connectedTo.isEmpty } else { false }
                    }
                }
                // A later disconnection counts after the time of doubt; if the earlier ones counted, they would before.
                try await server.disconnect("binaural:out_right", "system:playback_2")
                try await owner.event { if case .connectionsLearnt = $0 { true } else { false } }
                #expect(owner.seen.filter { if case .connectionsLearnt = $0 { true } else { false } } == [.connectionsLearnt([link])])
                await owner.backend.close()
            }
        }

        @Test("The owner knows which ports exist, and can have a connection forgotten that waits for its port")
        func forgets() async throws {
            try await JACKServer.run { server in
                let control = soundingEngine()
                let link = PortLink(port: "out_left", other: "other:input_1")
                let owner = try BackendOwner(on: server, connections: [link, right], engine: control)
                try await owner.event {
                    if case .portsChanged(let ports?) = $0 {
                        ports.contains("system:playback_2") && !ports.contains("other:input_1")
                    } else {
                        false
                    }
                }
                // One that exists is not forgotten.
                owner.backend.forget([link, right])
                try await owner.event(.connectionsLearnt([right]))
                let mark = owner.seen.count
                let other = try await thru(server)
                try await owner.event(from: mark) {
                    if case .portsChanged(let ports?) = $0 { ports.contains("other:input_1") } else { false }
                }
                #expect(try await server.hasConnections([], of: "binaural:out_left"))
                await other.end()
                try await server.kill()
                try await owner.event(.portsChanged(nil), from: mark)
                await owner.backend.close()
            }
        }

        @Test("Connections of audio and MIDI inputs are learnt and restored like those of outputs")
        func inputs() async throws {
            try await JACKServer.run { server in
                let other = try await thru(server)
                let keys = try RunningProgram(
                    try requireTool("jack_midiseq", package: "jackd2"), ["keys", "24000", "0", "60", "8000"],
                    environment: IsolatedEnvironment().adding(server.environment))
                try await server.waitForPort("keys:out")
                let links = [PortLink(port: "in_left", other: "other:output_1"), PortLink(port: "midi_in", other: "keys:out")]
                let control = soundingEngine()
                let first = try BackendOwner(on: server, engine: control)
                try await first.event { $0.isAvailable }
                try await server.connect("other:output_1", "binaural:in_left")
                let mark = try await first.event(.connectionsLearnt([links[0]]))
                #expect(await first.connect("midi_in", "keys:out") == nil)
                try await first.event(.connectionsLearnt(links), from: mark)
                #expect(await first.connect("midi_in", "other:output_1") == .noPort(name: "other:output_1"), "sound is not MIDI")
                #expect(await first.connect("in_left", "other:input_1") == .noPort(name: "other:input_1"), "from input to input")
                await first.backend.close()

                let second = try BackendOwner(on: server, connections: links, engine: control)
                try await second.event { $0.isAvailable }
                #expect(try await server.hasConnections(["other:output_1"], of: "binaural:in_left"))
                #expect(try await server.hasConnections(["keys:out"], of: "binaural:midi_in"))
                try await server.disconnect("keys:out", "binaural:midi_in")
                try await second.event(.connectionsLearnt([links[0]]))
                await second.backend.close()
                await keys.end()
                await other.end()
            }
        }

        @Test("On request it connects and disconnects its own ports, and reports failures")
        func asked() async throws {
            try await JACKServer.run { server in
                let control = soundingEngine()
                let owner = try BackendOwner(on: server, engine: control)
                try await owner.event { $0.isAvailable }
                func connect(_ port: String, _ destination: String) async -> JACKError? { await owner.connect(port, destination) }
                func disconnect(_ port: String, _ destination: String) async -> JACKError? {
                    await withCheckedContinuation { done in
                        owner.backend.disconnect(port, from: destination) { done.resume(returning: $0) }
                    }
                }
                #expect(await connect("out_left", "system:playback_1") == nil)
                #expect(await connect("binaural:out_left", "system:playback_1") == nil)
                #expect(try await server.hasConnections(["system:playback_1"], of: "binaural:out_left"))
                try await owner.event(.connectionsLearnt([left]))
                #expect(await connect("out_top", "system:playback_1") == .noPort(name: "out_top"))
                #expect(await connect("out_left", "nobody:in") == .noPort(name: "nobody:in"))
                #expect(await disconnect("out_left", "system:playback_1") == nil)
                try await owner.event(.connectionsLearnt([]))
                #expect(
                    await disconnect("out_left", "system:playback_1")
                        == .notConnected(source: "binaural:out_left", destination: "system:playback_1"))
                // Another session's connections, then those of one that has none yet.
                owner.backend.restore([right])
                try await owner.event(.connectionsLearnt([right]))
                owner.backend.restore([left])
                try await owner.event(.connectionsLearnt([left]))
                #expect(try await server.hasConnections([], of: "binaural:out_right"))
                owner.backend.restore(nil)
                #expect(await connect("out_left", "system:playback_1") == nil)
                #expect(try await server.hasConnections(["system:playback_1"], of: "binaural:out_left"))
                server.pause()
                try await owner.event(.stalled)
                #expect(await connect("out_right", "system:playback_2") == .noAnswer(serverName: server.name))
                server.resume()
                try await owner.event(.resumed)
                try await server.kill()
                try await owner.event { $0.isLost }
                #expect(await connect("out_right", "system:playback_2") == .noServer(name: server.name))
                await owner.backend.close()
            }
        }
    }
}

/// The conclusions drawn from observed connections.
@Suite struct ConnectionMemoryTests {
    private let start = ContinuousClock.now
    private let links = [PortLink(port: "out_left", other: "a:1"), PortLink(port: "out_right", other: "b:1")]

    @Test("No connections are remembered until one is made; then it is restored")
    func learns() {
        var memory = ConnectionMemory()
        memory.record([], at: start)
        #expect(memory.wanted == nil)
        memory.record(links, at: start)
        #expect(memory.wanted == links)
        #expect(memory.missing.isEmpty)
    }

    @Test("A disconnection while both ports stay is forgotten after a second, and not restored meanwhile")
    func disconnected() {
        var memory = ConnectionMemory(links)
        memory.record(links, at: start)
        memory.record([links[1]], at: start)
        memory.judge(existing: ["a:1", "b:1"], at: start + .seconds(0.9))
        #expect(memory.isInDoubt)
        #expect(memory.wanted == links)
        #expect(memory.missing.isEmpty)
        memory.judge(existing: ["a:1", "b:1"], at: start + .seconds(1))
        #expect(!memory.isInDoubt)
        #expect(memory.wanted == [links[1]])
        #expect(memory.missing.isEmpty)
        memory.record([], at: start)
        memory.judge(existing: ["a:1", "b:1"], at: start + .seconds(9))
        #expect(memory.wanted == [], "an empty list, not an unknown one")
    }

    @Test("A connection lost with its port, or with the server, is restored")
    func gone() {
        var memory = ConnectionMemory(links)
        memory.record(links, at: start)
        memory.record([links[1]], at: start)
        memory.judge(existing: ["b:1"], at: start + .seconds(0.1))
        #expect(!memory.isInDoubt)
        #expect(memory.missing == [links[0]])
        // Back, and not yet connected: still remembered.
        memory.judge(existing: ["a:1", "b:1"], at: start + .seconds(9))
        #expect(memory.missing == [links[0]])
        memory.record([], at: start + .seconds(10))
        memory.recordLoss()
        #expect(memory.wanted == links)
        #expect(memory.missing == links)
    }

    @Test("A disconnection that is undone at once is ignored")
    func again() {
        var memory = ConnectionMemory(links)
        memory.record(links, at: start)
        memory.record([], at: start)
        memory.record(links, at: start + .seconds(0.5))
        memory.judge(existing: ["a:1", "b:1"], at: start + .seconds(5))
        #expect(memory.wanted == links)
    }

    @Test("Another session's connections replace the current ones; a session without any takes them over")
    func replaced() {
        var memory = ConnectionMemory()
        memory.record(links, at: start)
        #expect(memory.replace(with: [links[1]]) == [links[0]])
        #expect(memory.wanted == [links[1]])
        #expect(memory.replace(with: nil).isEmpty)
        #expect(memory.wanted == links)
    }
}
