import Engine
import JACK
import JACKBackend
import TestSupport
import Testing

extension InProcessTests {
    /// The backend on servers that are missing, end, are suspended and come back.
    @Suite struct BackendFaultTests {
        private let ports = ["binaural:out_left", "binaural:out_right"]
        /// Any time would do: the server never answers.
        private static let allowed = Duration.milliseconds(500)

        @Test("Without a server there is one sentence that names it and the remedy")
        func noServer() async throws {
            try await JACKServer.runWithoutStarting { server in
                do throws(JACKError) {
                    _ = try Backend(configuration: .init(serverName: server.name)) { _ in }
                    Issue.record("there is no server")
                } catch {
                    #expect(
                        error.description
                            == "Cannot open a JACK client: no server named '\(server.name)' is running. Start one first.")
                }
            }
        }

        @Test("With the option to wait, it starts when the server does")
        func waitsForServer() async throws {
            try await JACKServer.runWithoutStarting(sampleRate: 44_100, isPatient: true) { server in
                let control = soundingEngine(sampleRate: 44_100)
                let owner = try BackendOwner(on: server, connect: .automatic, waitForServer: true, engine: control)
                #expect(owner.backend.status.condition == .away)
                try await server.start()
                try await owner.event(.available(sampleRate: 44_100, bufferSize: 256))
                let wave = try await frequencies(at: ports, of: server, seconds: 1)
                #expect(abs(wave[0] - 204) < 1e-5)
                await owner.backend.close()
            }
        }

        @Test("A server that is killed and comes back has the same sound and connections", arguments: [true, false])
        func serverComesBack(isKilled: Bool) async throws {
            try await JACKServer.run(isPatient: true) { server in
                let control = soundingEngine()
                let owner = try BackendOwner(on: server, connect: .automatic, engine: control)
                let available = try await owner.event { $0.isAvailable }
                try await server.connect("binaural:out_left", "system:playback_2")
                let connections = [
                    PortConnections(port: "binaural:out_left", connectedTo: ["system:playback_1", "system:playback_2"]),
                    PortConnections(port: "binaural:out_right", connectedTo: ["system:playback_2"]),
                ]
                try await owner.event(.connectionsChanged(connections), from: available)
                try await isKilled ? server.kill() : server.stop()
                let lost = try await owner.event(from: available) { $0.isLost }
                #expect(owner.backend.status.condition == .away)
                try await server.start()
                let back = try await owner.event(.available(sampleRate: 48_000, bufferSize: 256), from: lost)
                try await owner.event(.connectionsChanged(connections), from: back)
                let wave = try await frequencies(at: ports, of: server, seconds: 1)
                #expect(abs(wave[0] - 204) < 1e-5)
                #expect(owner.backend.status.clientName == "binaural")
                await owner.backend.close()
            }
        }

        @Test("A server that comes back with another rate reports it before anything is rendered")
        func otherRate() async throws {
            try await JACKServer.run(isPatient: true) { server in
                let control = soundingEngine()
                let owner = try BackendOwner(on: server, engine: nil)
                let available = try await owner.event { $0.isAvailable }
                owner.backend.startRendering(EngineHold(control))
                try await server.kill()
                try await owner.event(from: available) { $0.isLost }
                try await server.start(sampleRate: 44_100, bufferSize: 512)
                try await owner.event(.available(sampleRate: 44_100, bufferSize: 512), from: available)
                let silence = try await server.capture(ports, seconds: 0.2)
                #expect(silence.channels.allSatisfy { $0.allSatisfy { $0 == 0 } })
                let engine = soundingEngine(sampleRate: 44_100)
                owner.backend.startRendering(EngineHold(engine))
                let wave = try await frequencies(at: ports, of: server, seconds: 1)
                #expect(abs(wave[0] - 204) < 1e-5)
                await owner.backend.close()
            }
        }

        @Test("A request for a server that is away is answered at once, and the server is opened as soon as it is there")
        func reconnect() async throws {
            try await JACKServer.run { server in
                let control = soundingEngine()
                // The retry interval is a day.
                let owner = try BackendOwner(on: server, engine: control, retryEvery: .seconds(86_400))
                let available = try await owner.event { $0.isAvailable }
                func reconnect() async -> JACKError? {
                    await withCheckedContinuation { continuation in owner.backend.reconnect { continuation.resume(returning: $0) } }
                }
                #expect(await reconnect() == nil)
                try await server.kill()
                let lost = try await owner.event(from: available) { $0.isLost }
                #expect(await reconnect() == .noServer(name: server.name))
                try await server.start()
                #expect(await reconnect() == nil)
                try await owner.event(from: lost) { $0.isAvailable }
                #expect(owner.seen.filter(\.isAvailable).count == 2)
                server.pause()
                try await owner.event(.stalled, from: lost)
                #expect(await reconnect() == .noAnswer(serverName: server.name))
                server.resume()
                await owner.backend.close()
            }
        }

        @Test("A server's history is reported by the events that every device has for it, and by no others")
        func history() async throws {
            try await JACKServer.runWithoutStarting(isPatient: true) { server in
                let owner = try BackendOwner(on: server, waitForServer: true, engine: soundingEngine())
                var expected: [String] = []
                for (happening, events) in ServerHistory.steps {
                    switch happening {
                    case .start: try await server.start()
                    case .end: try await server.kill()
                    case .pause: server.pause()
                    case .resume: server.resume()
                    case .changePeriod: try await server.setBufferSize(512)
                    case .reopen: _ = await owner.reopen(as: "other", connections: nil, connect: .none)
                    case .close: await owner.backend.close()
                    }
                    expected += events
                    let isReported = await eventually { ServerHistory.names(owner.seen.map { "\($0)" }).count >= expected.count }
                    #expect(isReported)
                    #expect(ServerHistory.names(owner.seen.map { "\($0)" }) == expected, "\(happening)")
                }
            }
        }

        @Test("A suspended server is reported as stalled, and resumes when it is continued")
        func stall() async throws {
            try await JACKServer.run(isPatient: true) { server in
                let control = soundingEngine()
                let owner = try BackendOwner(on: server, engine: nil)
                let available = try await owner.event { $0.isAvailable }
                owner.backend.startRendering(EngineHold(control))
                let before = try await frequencies(at: ports, of: server, seconds: 0.5)
                #expect(abs(before[0] - 204) < 1e-4)
                let start = ContinuousClock.now
                server.pause()
                let stalled = try await owner.event(.stalled, from: available)
                print("figure: a stopped server is noticed after \(ContinuousClock.now - start)")
                #expect(owner.backend.status.condition == .stalled)
                server.resume()
                let resumed = try await owner.event(.resumed, from: stalled)
                #expect(owner.backend.status.condition == .running)
                let silence = try await server.capture(ports, seconds: 0.2)
                #expect(silence.channels.allSatisfy { $0.allSatisfy { $0 == 0 } })
                owner.backend.startRendering(EngineHold(control))
                let after = try await frequencies(at: ports, of: server, seconds: 0.5)
                #expect(abs(after[0] - 204) < 1e-4)
                // A suspension of that length is a missed deadline.
                try await owner.event(from: available) { $0.isXrun }
                #expect(owner.backend.status.xruns >= 1)
                #expect(!owner.seen.dropFirst(resumed).contains(.stalled))
                await owner.backend.close()
            }
        }

        @Test(
            "A connection that is requested before a stall is noticed is refused: nothing waits for a suspended server",
            .enabled(if: isStress, "it is in Tests/Quarantine.md, and runs in `make stress`"), arguments: [0, 200, 450])
        func connectsDuringStall(after milliseconds: Int) async throws {
            try await JACKServer.run { server in
                let control = soundingEngine()
                let owner = try BackendOwner(on: server, engine: control)
                let available = try await owner.event { $0.isAvailable }
                // Once everything is certain, the cycles are checked rarely.
                try await owner.event { if case .connectionsChanged = $0 { true } else { false } }
                #expect(await eventually { !owner.backend.status.connectionsAreInDoubt })
                server.pause()
                // Later, the lack of cycles has been seen once, but is not yet a stall; the answer is the same at any time.
                try await Task.sleep(for: .milliseconds(milliseconds))
                let rescue = Task {
                    try await Task.sleep(for: Patience.limit)
                    server.resume()
                }
                #expect(await owner.connect("out_left", "system:playback_1") == .noAnswer(serverName: server.name))
                rescue.cancel()
                try await owner.event(.stalled, from: available)
                server.resume()
                await owner.backend.close()
            }
        }

        @Test("Closing does not wait for a suspended server")
        func closesWithoutServer() async throws {
            try await JACKServer.run { server in
                let control = soundingEngine()
                let owner = try BackendOwner(on: server, engine: control)
                try await owner.event { $0.isAvailable }
                server.pause()
                let isClosed = WatchedState(false)
                let closing = Task {
                    await owner.backend.close()
                    isClosed.update { $0 = true }
                }
                #expect(await isClosed.wait { $0 ? true : nil } == true)
                server.resume()
                await closing.value
            }
        }

        // A cycle of jackd at lower rates lasts so long that it does not answer; ServerFaultTests has those.
        @Test("A server with an unsupported sample rate is an error that says what to do", arguments: [4000, 1_000_000])
        func absurdRate(sampleRate: Int) async throws {
            try await JACKServer.runWithoutStarting(sampleRate: sampleRate) { server in
                try await server.start(sampleRate: sampleRate)
                let error = JACKError.unplayableSampleRate(Double(sampleRate), serverName: server.name, playable: 8000...768_000)
                #expect(throws: error) { _ = try BackendOwner(on: server, engine: nil) }
            }
        }

        @Test("A server that never answers is an error after the allowed time")
        func noAnswer() async throws {
            try await JACKServer.run { server in
                server.pause()
                #expect(throws: JACKError.noAnswer(serverName: server.name)) {
                    _ = try BackendOwner(on: server, engine: nil, openWithin: Self.allowed)
                }
                try await server.kill()
            }
        }
    }
}

/// The timing rules of the backend.
@Suite struct BackendRuleTests {
    @Test("A stall is reported only for an old cycle that was seen several times")
    func cycleWatch() {
        let start = ContinuousClock.now
        var watch = CycleWatch()
        func look(_ count: UInt64, _ milliseconds: Int) -> CycleWatch.Verdict {
            watch.look(at: count, now: start + .milliseconds(milliseconds), limit: .milliseconds(300))
        }
        #expect(watch.isInDoubt)
        #expect(look(1, 0) == .running)
        #expect(!watch.isInDoubt)
        // This program itself was suspended for a second.
        #expect(look(1, 1000) == .running)
        #expect(look(1, 1050) == .running)
        #expect(watch.isInDoubt)
        #expect(look(2, 1100) == .running)
        #expect(!watch.isInDoubt)
        #expect((1...5).map { look(2, 1100 + $0 * 50) }.allSatisfy { $0 == .running })
        #expect(look(2, 1400) == .stalled)
        #expect(look(3, 1450) == .running)
    }
}
