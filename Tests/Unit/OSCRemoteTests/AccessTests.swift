import OSC
import OSCRemote
import Playback
import Testing

@Suite("Roles and permissions")
struct AccessTests {
    private func server(_ rules: String...) -> TestServer { TestServer { $0.allowed = rules.compactMap { AccessRule($0) } } }

    @Test("A stranger gets no answer to anything, and there is one log line a minute")
    func strangers() {
        let server = server("10.0.0.0/8=admin")
        for _ in 0..<100 {
            server.send("play", from: TestServer.phone)
            server.receive(bytes: [1, 2, 3], from: TestServer.phone)
        }
        #expect(server.isQuiet)
        #expect(server.receiver.performed.isEmpty)
        #expect(server.log.all.count == 1)
        server.advance(seconds: 61)
        server.send("play", from: TestServer.phone)
        #expect(server.log.all.count == 2)
        #expect(server.server.statistics.strangersPackets == 201)
    }

    @Test("view reads, control commands, admin quits the program")
    func roles() {
        for (role, codes) in [("view", [401, 401]), ("control", [401]), ("admin", [])] as [(String, [Int32])] {
            let server = server("192.168.1.0/24=\(role)")
            server.send("now/title", from: TestServer.phone)
            #expect(server.messages(to: TestServer.phone) == [OSCMessage("now/title", [.string("Deep")])])
            server.send("play", from: TestServer.phone)
            server.send("quit", from: TestServer.phone)
            #expect(server.messages(to: TestServer.phone).map { $0.arguments[1] } == codes.map(OSCArgument.int32))
            #expect(server.receiver.performed.count == 2 - codes.count)
        }
    }

    @Test("The longest matching range decides the role of an address")
    func longestRange() {
        let server = server("192.168.0.0/16=admin", "192.168.1.20=view", "192.168.1.0/24=control")
        server.send("play", from: TestServer.phone)
        #expect(server.messages(to: TestServer.phone).first?.arguments[1] == .int32(401))
    }

    @Test("Programs on this machine may be given a lower role")
    func localRole() {
        let server = TestServer { $0.localRole = .view }
        server.send("play")
        #expect(
            server.messages().first?.arguments.suffix(2) == [
                .int32(401), .string("This needs the role \"control\": start binaural with --osc-local-role control."),
            ])
        // For other addresses another option applies.
        let far = self.server("192.168.1.0/24=view")
        far.send("play", from: TestServer.phone)
        #expect(
            far.messages(to: TestServer.phone).first?.arguments.last
                == .string("This needs the role \"control\": start binaural with --osc-allow CIDR=control."))
    }

    @Test(
        "A range of addresses does not get more messages through; a guest with a single address gets its own share",
        arguments: [
            ("10.0.0.0/8=control", "10.1.#.1:5000", 64 * 20), ("fd00::/8=control", "[fd00:0:0:#::1]:5000", 64 * 20),
            ("fd00::/8=control", "[fd00:0:0:1::#]:5000", 0),
        ])
    func ranges(rule: String, addresses: String, count: Int) throws {
        let server = server(rule, "192.168.1.0/24=control")
        server.send("layer/1/beat", .float(3), from: TestServer.phone)
        let guests = try (0..<200).map { try #require(Endpoint(addresses.replacing("#", with: "\($0)"))) }
        func flood(_ count: Int) -> Int {
            server.receiver.performed = []
            for index in 0..<count { server.send("layer/1/beat", .float(3), from: guests[index % 200]) }
            server.drop()
            return server.receiver.performed.count
        }
        // Each of the first 64 has its own gate and sends 20; all the others share one.
        #expect((1000...count + 1000).contains(flood(4000)))
        server.send("layer/1/gain", .float(-30), from: TestServer.phone)
        #expect(server.receiver.performed.last == RowTests.set(0, .gain, -30))
        server.advance(seconds: 1)
        #expect((499...count + 501).contains(flood(4000)))
    }

    @Test("At most 500 messages a second are accepted from beyond loopback, 1000 in a burst; panic is never delayed")
    func rate() {
        let server = server("192.168.1.0/24=control")
        for _ in 0..<1500 { server.send("layer/1/beat", .float(3), from: TestServer.phone) }
        #expect(server.receiver.performed.count == 1000)
        #expect(server.messages(to: TestServer.phone).allSatisfy { $0.arguments[1] == .int32(429) })
        server.send("panic", from: TestServer.phone)
        #expect(server.receiver.performed.last == .panic)
        server.advance(seconds: 1)
        server.receiver.performed = []
        for _ in 0..<1500 { server.send("layer/1/beat", .float(3), from: TestServer.phone) }
        #expect((499...501).contains(server.receiver.performed.count))
        server.receiver.performed = []
        for _ in 0..<1500 { server.send("layer/1/beat", .float(3)) }
        #expect(server.receiver.performed.count == 1500)
    }

    @Test("At most 10 errors a second are sent to a peer")
    func errorRate() {
        let server = TestServer()
        for _ in 0..<1000 { server.send("nowhere") }
        #expect(server.messages().count == 10)
        server.advance(seconds: 1.01)
        for _ in 0..<1000 { server.send("nowhere") }
        #expect(server.messages().count == 10)
    }

    @Test(
        "Rules and feedback peers are written as documented", arguments: ["192.168.1.0/24=control", "10.0.0.1/32=view", "fe80::/10=admin"])
    func rules(text: String) { #expect(AccessRule(text)?.description == text) }

    @Test(
        "Invalid rules are refused",
        arguments: ["192.168.1.0/24", "192.168.1.0/24=root", "phone=view", "=view", "192.168.1.0/24=view=view", ""])
    func noRule(text: String) { #expect(AccessRule(text) == nil) }

    @Test("Feedback peers are read, and invalid ones refused")
    func feedbackPeers() {
        #expect(FeedbackPeer("192.168.1.20:9000=now,layers,tick/5")?.description == "192.168.1.20:9000=now,layers,tick/5")
        #expect(FeedbackPeer("localhost:9104=mixer")?.description == "127.0.0.1:9104=mixer")
        for text in [
            "192.168.1.20:9000", "192.168.1.20:9000=", "192.168.1.20=now", "phone:9000=now", "192.168.1.20:0=now", "192.168.1.20:9000=now,",
        ] {
            #expect(FeedbackPeer(text) == nil, "\(text)")
        }
    }
}
