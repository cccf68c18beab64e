import OSC
import TestSupport
import Testing

@testable import OSCRemote

@Suite("Cookies")
struct CookieTests {
    @Test("A cookie is valid only for the address and port that it was made for, for the stated time")
    func bound() {
        let cookies = Cookies(key: (1, 2))
        for start in stride(from: 0.0, to: 130, by: 7.3) {
            let cookie = cookies.make(for: .udp(TestServer.phone), at: start)
            #expect(cookie.text.utf8.count == 16)
            #expect((60...120).contains(cookie.seconds))
            #expect(cookies.isGood(cookie.text, for: .udp(TestServer.phone), at: start))
            #expect(cookies.isGood(cookie.text, for: .udp(TestServer.phone), at: start + Double(cookie.seconds) - 0.001))
            #expect(!cookies.isGood(cookie.text, for: .udp(TestServer.phone), at: start + Double(cookie.seconds) + 1))
            #expect(!cookies.isGood(cookie.text, for: .udp(Endpoint(host: TestServer.phone.host, port: 1)), at: start))
            #expect(!cookies.isGood(cookie.text, for: .udp(Endpoint("192.168.1.21:51000")!), at: start))
            #expect(!Cookies().isGood(cookie.text, for: .udp(TestServer.phone), at: start), "another run of the program believes it")
        }
        for text in ["", "0", "+123456789abcdef", "-123456789abcdef", "zzzzzzzzzzzzzzzz"] {
            #expect(!cookies.isGood(text, for: .udp(TestServer.phone), at: 0))
        }
    }

    /// The cookie from the answer `welcome`.
    private func bakedCookie(_ server: TestServer, for endpoint: Endpoint) -> String? {
        server.send("hello", .string("phone"), .blob([UInt8](repeating: 0, count: 40)), from: endpoint)
        guard let welcome = server.messages(to: endpoint).first, case .string(let cookie)? = welcome.arguments.first else { return nil }
        return welcome.address == "welcome" ? cookie : nil
    }

    @Test("hello is answered with a cookie that subscribe accepts; an invalid one is 401, and allowed peers need none")
    func subscribing() throws {
        let server = TestServer { $0.allowed = [AccessRule("192.168.1.0/24=view")].compactMap(\.self) }
        let cookie = try #require(bakedCookie(server, for: TestServer.phone))
        server.send("subscribe", .string("jack"), .int32(0), .int32(30), .string(cookie), from: TestServer.phone)
        #expect(server.messages(to: TestServer.phone).first?.address == "subscribed")
        server.send("subscribe", .string("jack"), .int32(0), .int32(30), .string(cookie), from: TestServer.local)
        #expect(server.messages().map { $0.arguments[1] } == [.int32(401)])
        server.advance(seconds: 121)
        server.send("subscribe", .string("mixer"), .int32(0), .int32(30), .string(cookie), from: TestServer.phone)
        #expect(server.messages(to: TestServer.phone).last?.arguments[1] == .int32(401))
        server.send("subscribe", .string("mixer"), from: TestServer.phone)
        #expect(server.messages(to: TestServer.phone).first?.address == "subscribed")
    }

    @Test("welcome is never longer than hello: a hello that is too short is not answered", arguments: [TestServer.local, TestServer.phone])
    func size(endpoint: Endpoint) {
        let server = TestServer()
        var answered: Set<Bool> = []
        for length in 0..<64 {
            for name in ["", "a phone", "日本"] {
                let hello = OSCMessage("/binaural/hello", [.string(name), .blob([UInt8](repeating: 1, count: length))]).encoded
                server.receive(bytes: hello, from: endpoint)
                let answers = server.packets(to: endpoint)
                #expect(answers.reduce(0) { $0 + $1.count } <= hello.count)
                answered.insert(answers.isEmpty)
                server.advance(seconds: 0.06)
            }
        }
        #expect(answered == [true, false])
        // Invalid text grows when it is decoded.
        var odd = OSCMessage("/binaural/hello", [.string("nnnnnnnnnnnn"), .blob([])]).encoded
        for index in odd.indices where odd[index] == UInt8(ascii: "n") && index > 16 { odd[index] = 0xFF }
        server.receive(bytes: odd, from: endpoint)
        #expect(server.isQuiet)
    }

    @Test("An address that is not allowed never gets more bytes than it sent, until it sends a valid cookie; then it learns why")
    func notAllowed() throws {
        let server = TestServer()
        var random = SplitMix64(seed: 11)
        let paths = AddressTable.standard.rows.map(\.path)
        var (sent, received) = (0, 0)
        var welcomes = 0
        for round in 0..<1500 {
            let arguments: [OSCArgument] =
                switch Int.random(in: 0..<4, using: &random) {
                case 0: []
                case 1: [.string("now"), .int32(9000), .int32(300), .string("0123456789abcdef")]
                case 2: [.string("x"), .blob([UInt8](repeating: 0, count: .random(in: 0..<60, using: &random)))]
                default: [.float(1)]
                }
            let path = round.isMultiple(of: 3) ? "hello" : paths.randomElement(using: &random) ?? ""
            let message = OSCMessage("/binaural/" + path, arguments)
            let packet = round.isMultiple(of: 7) ? OSCPacket.bundle(OSCBundle(messages: [message, message])) : .message(message)
            server.receive(packet, from: TestServer.phone)
            sent += packet.encoded.count
            if round.isMultiple(of: 5) { server.advance(seconds: 0.1) }
            for answer in server.packets(to: TestServer.phone) {
                welcomes += 1
                received += answer.count
            }
            #expect(received <= sent)
            #expect(server.isQuiet)
        }
        #expect(welcomes > 10)
        let cookie = try #require(bakedCookie(server, for: TestServer.phone))
        server.send("subscribe", .string("now"), .int32(0), .int32(30), .string(cookie), from: TestServer.phone)
        let answers = server.messages(to: TestServer.phone)
        #expect(answers.map(\.address) == ["error"])
        #expect(answers.first?.arguments[1] == .int32(401))
        server.send("subscribe", .string("now"), .int32(0), .int32(30), .string(cookie), from: Endpoint("192.168.1.21:51000")!)
        #expect(server.isQuiet)
        #expect(server.receiver.performed.isEmpty)
    }

    @Test("At most 20 hellos a second of strangers are answered, however many there are")
    func flood() {
        let server = TestServer()
        for index in 0..<1000 {
            server.send(
                "hello", .string("x"), .blob([UInt8](repeating: 0, count: 60)),
                from: Endpoint(host: .ipv4(0x0A00_0000 + UInt32(index)), port: 9))
        }
        #expect(server.packetsToAll().count == 20)
    }
}

@Suite("The clock")
struct ClockTests {
    @Test("A peer whose clock is 2 s ahead computes that from clock; an answer is not answered")
    func offset() throws {
        let server = TestServer()
        let sent = server.now.timeTag.advanced(bySeconds: 2)
        server.send("clock", .timeTag(sent))
        let answer = try #require(server.messages().first)
        guard case .timeTag(let echoed) = answer.arguments[0], case .timeTag(let received) = answer.arguments[1],
            case .timeTag(let answered) = answer.arguments[2]
        else {
            Issue.record("three time tags were expected")
            return
        }
        #expect(echoed == sent)
        let arrived = sent.advanced(bySeconds: 0.001)
        #expect(abs((received.seconds(since: sent) + answered.seconds(since: arrived)) / 2 + 2) < 0.002)
        // It waited for 3 ms before it was read.
        server.server.receive(
            OSCMessage("/binaural/clock", [.timeTag(sent)]).encoded, from: .udp(TestServer.local), at: server.now,
            arrived: server.now.timeTag.advanced(bySeconds: -0.003))
        #expect(
            server.messages().first?.arguments == [
                .timeTag(sent), .timeTag(server.now.timeTag.advanced(bySeconds: -0.003)), .timeTag(server.now.timeTag),
            ])
        server.receive(.message(OSCMessage("/binaural/clock", answer.arguments)))
        #expect(server.isQuiet)
        server.send("clock", .float(1))
        #expect(server.messages().map { $0.arguments[1] } == [.int32(400)])
    }
}
