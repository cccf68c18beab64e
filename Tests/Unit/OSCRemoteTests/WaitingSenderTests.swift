import OSC
import Testing

@testable import OSCRemote

/// The packets of a sender after a change of session are meant for the other session.
@Suite("Senders that change the session")
struct WaitingSenderTests {
    private let sender = PeerAddress.udp(TestServer.local)

    @Test("A sender waits until its change of session is answered, and nobody else does", arguments: ["session/load", "session/save"])
    func waits(address: String) {
        let rig = TestServer()
        rig.receiver.diskIsSlow = true
        rig.send("replies", .int32(2))
        #expect(!rig.server.waits(sender, at: rig.now))
        rig.send(address, .string("night"))
        #expect(rig.server.waits(sender, at: rig.now))
        #expect(rig.server.waitingSenders(at: rig.now) == [sender])
        #expect(!rig.server.waits(.udp(TestServer.other), at: rig.now))
        #expect(!rig.messages().contains { $0.address == "reply" && $0.arguments[0] == .string("/binaural/" + address) })
        rig.receiver.answersOfDisk.removeFirst()()
        #expect(!rig.server.waits(sender, at: rig.now))
        #expect(rig.messages().contains { $0.address == "reply" && $0.arguments[0] == .string("/binaural/" + address) })
    }

    @Test("Two changes of session are waited for, and commands that need no other session are not")
    func several() {
        let rig = TestServer()
        rig.receiver.diskIsSlow = true
        rig.send("session/save")
        rig.send("queue/next")
        #expect(!rig.server.waits(sender, at: rig.now))
        rig.send("session/load", .string("night"))
        rig.send("session/load", .string("welcome"))
        rig.receiver.answersOfDisk.removeFirst()()
        #expect(rig.server.waits(sender, at: rig.now))
        rig.receiver.answersOfDisk.removeFirst()()
        #expect(!rig.server.waits(sender, at: rig.now))
    }

    @Test("If the disk hangs, a sender is served again after a second, so that its panic is")
    func hangs() {
        let rig = TestServer()
        rig.receiver.diskIsSlow = true
        rig.send("session/load", .string("night"))
        rig.advance(seconds: 0.9)
        #expect(rig.server.waits(sender, at: rig.now))
        rig.advance(seconds: 0.2)
        #expect(!rig.server.waits(sender, at: rig.now))
    }
}
