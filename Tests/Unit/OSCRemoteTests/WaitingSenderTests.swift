import OSC
import Testing

@testable import OSCRemote

/// The packets of a sender after a change of session are meant for the other session.
@Suite("Senders that change the session")
struct WaitingSenderTests {
    private let sender = PeerAddress.udp(TestServer.local)

    @Test("A sender waits until its change of session is answered, and nobody else does", arguments: ["session/load", "session/save"])
    func waits(address: String) {
        let server = TestServer()
        server.receiver.diskIsSlow = true
        server.send("replies", .int32(2))
        #expect(!server.server.waits(sender, at: server.now))
        server.send(address, .string("night"))
        #expect(server.server.waits(sender, at: server.now))
        #expect(server.server.waitingSenders(at: server.now) == [sender])
        #expect(!server.server.waits(.udp(TestServer.other), at: server.now))
        #expect(!server.messages().contains { $0.address == "reply" && $0.arguments[0] == .string("/binaural/" + address) })
        server.receiver.answersOfDisk.removeFirst()()
        #expect(!server.server.waits(sender, at: server.now))
        #expect(server.messages().contains { $0.address == "reply" && $0.arguments[0] == .string("/binaural/" + address) })
    }

    @Test("Two changes of session are waited for, and commands that need no other session are not")
    func several() {
        let server = TestServer()
        server.receiver.diskIsSlow = true
        server.send("session/save")
        server.send("queue/next")
        #expect(!server.server.waits(sender, at: server.now))
        server.send("session/load", .string("night"))
        server.send("session/load", .string("welcome"))
        server.receiver.answersOfDisk.removeFirst()()
        #expect(server.server.waits(sender, at: server.now))
        server.receiver.answersOfDisk.removeFirst()()
        #expect(!server.server.waits(sender, at: server.now))
    }

    @Test("If the disk hangs, a sender is served again after a second, so that its panic is")
    func hangs() {
        let server = TestServer()
        server.receiver.diskIsSlow = true
        server.send("session/load", .string("night"))
        server.advance(seconds: 0.9)
        #expect(server.server.waits(sender, at: server.now))
        server.advance(seconds: 0.2)
        #expect(!server.server.waits(sender, at: server.now))
    }
}
