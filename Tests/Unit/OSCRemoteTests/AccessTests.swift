import OSC
import OSCRemote
import Playback
import Testing

@Suite("Who may do what")
struct AccessTests {
    private func rig(_ rules: String...) -> TestServer { TestServer { $0.allowed = rules.compactMap { AccessRule($0) } } }

    @Test("A stranger gets no answer to anything, and there is one log line a minute")
    func strangers() {
        let rig = rig("10.0.0.0/8=admin")
        for _ in 0..<100 {
            rig.send("play", from: TestServer.phone)
            rig.receive(bytes: [1, 2, 3], from: TestServer.phone)
        }
        #expect(rig.isQuiet)
        #expect(rig.receiver.performed.isEmpty)
        #expect(rig.log.all.count == 1)
        rig.advance(seconds: 61)
        rig.send("play", from: TestServer.phone)
        #expect(rig.log.all.count == 2)
        #expect(rig.server.statistics.strangersPackets == 201)
    }

    @Test("view reads, control commands, admin quits the program")
    func roles() {
        for (role, codes) in [("view", [401, 401]), ("control", [401]), ("admin", [])] as [(String, [Int32])] {
            let rig = rig("192.168.1.0/24=\(role)")
            rig.send("now/title", from: TestServer.phone)
            #expect(rig.messages(to: TestServer.phone) == [OSCMessage("now/title", [.string("Deep")])])
            rig.send("play", from: TestServer.phone)
            rig.send("quit", from: TestServer.phone)
            #expect(rig.messages(to: TestServer.phone).map { $0.arguments[1] } == codes.map(OSCArgument.int32))
            #expect(rig.receiver.performed.count == 2 - codes.count)
        }
    }

    @Test("The longest matching range decides the role of an address")
    func longestRange() {
        let rig = rig("192.168.0.0/16=admin", "192.168.1.20=view", "192.168.1.0/24=control")
        rig.send("play", from: TestServer.phone)
        #expect(rig.messages(to: TestServer.phone).first?.arguments[1] == .int32(401))
    }

    @Test("Programs on this machine may be given a lower role")
    func localRole() {
        let rig = TestServer { $0.localRole = .view }
        rig.send("play")
        #expect(
            rig.messages().first?.arguments.suffix(2) == [
                .int32(401), .string("This needs the role \"control\": start binaural with --osc-local-role control."),
            ])
        // For other addresses another option applies.
        let far = self.rig("192.168.1.0/24=view")
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
        let rig = rig(rule, "192.168.1.0/24=control")
        rig.send("layer/1/beat", .float(3), from: TestServer.phone)
        let guests = try (0..<200).map { try #require(Endpoint(addresses.replacing("#", with: "\($0)"))) }
        func flood(_ count: Int) -> Int {
            rig.receiver.performed = []
            for index in 0..<count { rig.send("layer/1/beat", .float(3), from: guests[index % 200]) }
            rig.drop()
            return rig.receiver.performed.count
        }
        // Each of the first 64 has its own gate and sends 20; all the others share one.
        #expect((1000...count + 1000).contains(flood(4000)))
        rig.send("layer/1/gain", .float(-30), from: TestServer.phone)
        #expect(rig.receiver.performed.last == RowTests.set(0, .gain, -30))
        rig.advance(seconds: 1)
        #expect((499...count + 501).contains(flood(4000)))
    }

    @Test("At most 500 messages a second are accepted from beyond loopback, 1000 in a burst; panic is never delayed")
    func rate() {
        let rig = rig("192.168.1.0/24=control")
        for _ in 0..<1500 { rig.send("layer/1/beat", .float(3), from: TestServer.phone) }
        #expect(rig.receiver.performed.count == 1000)
        #expect(rig.messages(to: TestServer.phone).allSatisfy { $0.arguments[1] == .int32(429) })
        rig.send("panic", from: TestServer.phone)
        #expect(rig.receiver.performed.last == .panic)
        rig.advance(seconds: 1)
        rig.receiver.performed = []
        for _ in 0..<1500 { rig.send("layer/1/beat", .float(3), from: TestServer.phone) }
        #expect((499...501).contains(rig.receiver.performed.count))
        rig.receiver.performed = []
        for _ in 0..<1500 { rig.send("layer/1/beat", .float(3)) }
        #expect(rig.receiver.performed.count == 1500)
    }

    @Test("At most 10 errors a second are sent to a peer")
    func errorRate() {
        let rig = TestServer()
        for _ in 0..<1000 { rig.send("nowhere") }
        #expect(rig.messages().count == 10)
        rig.advance(seconds: 1.01)
        for _ in 0..<1000 { rig.send("nowhere") }
        #expect(rig.messages().count == 10)
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
        for text in [
            "192.168.1.20:9000", "192.168.1.20:9000=", "192.168.1.20=now", "phone:9000=now", "192.168.1.20:0=now", "192.168.1.20:9000=now,",
        ] {
            #expect(FeedbackPeer(text) == nil, "\(text)")
        }
    }
}
