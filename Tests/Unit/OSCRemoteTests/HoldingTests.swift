import Foundation
import OSC
import OSCRemote
import Playback
import Testing

/// Effects that last as long as a button is held.
@Suite struct HoldingTests {
    @Test("the one-button remote toggles after its presses are over, also if only presses are sent")
    func button() {
        let server = TestServer()
        server.send("button")
        #expect(server.meant.isEmpty)
        server.advance(seconds: 1)
        #expect(server.meant == [.toggle])
        server.receiver.performed = []
        for value in [1, 0, 1, 0] { server.send("button", .float(Float(value))) }
        server.advance(seconds: 1)
        #expect(server.meant == [.nextItem])
    }

    @Test("a foot switch, a headset and a button on a screen all press the one button")
    func senders() {
        for arguments in [[OSCArgument.float(1), .float(0)], [.int32(127), .int32(0)], [.true, .false], []] {
            let server = TestServer()
            for _ in 0..<2 {
                if arguments.isEmpty { server.send("button") }
                for argument in arguments {
                    server.send("button", argument)
                    server.advance(seconds: 0.05)
                }
                server.advance(seconds: 0.1)
            }
            server.advance(seconds: 1)
            #expect(server.meant == [.nextItem], "\(arguments)")
        }
    }

    /// Five seconds of a phone shaken in the middle, with 50 values a second.
    private func shake(_ server: TestServer, as address: String, from sources: [Endpoint] = [TestServer.local]) {
        for index in 0..<250 {
            let time = Double(index) / 50
            let moved = time > 2 && time < 3.2 ? 3 * sin(2 * .pi * 4 * time) : 0
            let source = sources[index % sources.count]
            server.receive(.message(OSCMessage(address, [.float(Float(moved)), .float(0), .float(1)])), from: source)
            server.advance(seconds: 0.02)
        }
    }

    @Test("a shaken phone runs the command of the preference, with the root and without it", arguments: ["/accxyz", "/binaural/accxyz"])
    func shake(address: String) {
        let server = TestServer()
        server.receiver.preferences.shake = .next
        shake(server, as: address)
        #expect(server.meant == [.next])
        server.receiver.performed = []
        server.receiver.preferences.shake = .none
        shake(server, as: address)
        #expect(server.receiver.performed.isEmpty)
        #expect(server.messages().isEmpty)
        server.send("shake")
        #expect(server.messages().map { $0.arguments[1] } == [.int32(405)])
    }

    @Test("a shake that means panic drops waiting bundles")
    func panic() {
        let server = TestServer()
        server.receiver.preferences.shake = .panic
        server.receive(.bundle(OSCBundle(timeTag: server.now.timeTag.advanced(bySeconds: 8), messages: [OSCMessage("/binaural/play")])))
        shake(server, as: "/accxyz")
        server.advance(seconds: 10)
        #expect(server.meant == [.panic])
    }

    @Test("each phone's shakes are recognised separately, and one with the role view shakes without effect or error")
    func phones() {
        let server = TestServer { $0.allowed = [AccessRule("192.168.1.0/24=view")].compactMap(\.self) }
        server.receiver.preferences.shake = .next
        shake(server, as: "/accxyz", from: [TestServer.phone])
        #expect(server.receiver.performed.isEmpty)
        #expect(server.isQuiet)
        // Every other value belongs to another phone's movement.
        shake(server, as: "/accxyz", from: [TestServer.local, TestServer.other])
        #expect(server.meant == [.next, .next])
    }

    @Test("each press and release is answered once its meaning is clear, to the peer that sent it")
    func replies() {
        let server = TestServer()
        server.send("replies", .int32(2))
        server.drop()
        for value in [1, 0] as [Int32] { server.send("button", .int32(value)) }
        // The press succeeded; the release is still pending.
        #expect(server.messages() == [Self.reply(by: "application")])
        server.send("button")
        #expect(server.messages() == [Self.reply(by: "application")])
        server.advance(seconds: 1)
        #expect(server.messages().filter { $0.address == "reply" } == [Self.reply(by: "queue")])
        server.send("button", .int32(1))
        #expect(server.messages().isEmpty)
        server.advance(seconds: 1)
        server.send("button", .int32(0))
        #expect(server.messages() == [Self.reply(by: "application"), Self.reply(by: "application")])
    }

    private static func reply(by name: String) -> OSCMessage {
        OSCMessage("reply", [.string("/binaural/button"), .int32(0), .string(name)])
    }

    @Test("a button command that fails is reported to the peer that pressed it, at its own address")
    func buttonRefused() {
        let server = TestServer()
        server.send("queue/select", .int32(2))
        server.send("button", from: TestServer.other)
        server.send("button", from: TestServer.other)
        server.advance(seconds: 1)
        let received = server.messages(to: TestServer.other)
        #expect(received.map { Array($0.arguments.prefix(2)) } == [[.string("/binaural/button"), .int32(405)]])
        server.send("queue/remove", .int32(1))
        server.send("queue/remove", .int32(1))
        server.send("queue/remove", .int32(1))
        server.drop()
        server.send("button", .int32(1), from: TestServer.other)
        server.send("shake", from: TestServer.other)
        #expect(server.messages(to: TestServer.other).map { $0.arguments[1] } == [.int32(100), .int32(405)])
    }

    @Test("the seek of a held button ends with the lease of its holder, and when the holder is dropped", arguments: [false, true])
    func heldButton(isDropped: Bool) {
        let server = TestServer()
        for value in [1, 0, 1] as [Int32] { server.send("button", .int32(value)) }
        server.advance(seconds: 1)
        #expect(server.receiver.player.state.heldSeek?.direction == .forward)
        if isDropped {
            for _ in 0..<3 { server.server.unreachable(.udp(TestServer.local), at: server.now) }
        } else {
            server.advance(seconds: 31)
        }
        #expect(server.receiver.player.state.heldSeek == nil)
        #expect(server.receiver.performed.suffix(2) == [.button(isDown: false), .seek(.forward, begins: false)])
    }

    @Test("the end of a lease does not release a button that another peer has pressed since")
    func othersButton() {
        let server = TestServer()
        server.send("button", .int32(1))
        server.send("button", .int32(0), from: TestServer.other)
        server.advance(seconds: 29)
        for value in [1, 0, 1] as [Int32] { server.send("button", .int32(value), from: TestServer.other) }
        server.advance(seconds: 2)
        #expect(server.receiver.player.state.heldSeek?.direction == .forward)
    }

    @Test("a shake is answered like its command, and with 405 if it has none")
    func shakeReplies() {
        let server = TestServer()
        server.receiver.preferences.shake = .next
        server.send("replies", .int32(2))
        server.drop()
        server.send("shake")
        #expect(server.messages() == [OSCMessage("reply", [.string("/binaural/shake"), .int32(0), .string("patch")])])
        server.receiver.preferences.shake = .redo
        server.send("shake")
        #expect(server.messages().map { $0.arguments[1] } == [.int32(405)])
    }

    @Test("a held seek ends with the lease of its holder")
    func lease() {
        let server = TestServer()
        server.send("seek/forward", .int32(1))
        #expect(server.receiver.player.state.heldSeek != nil)
        server.advance(seconds: 31)
        #expect(server.receiver.player.state.heldSeek == nil)
        #expect(server.receiver.performed.last == .seek(.forward, begins: false))
    }
}

extension TestServer {
    /// The performed commands, without the presses and shakes that caused them.
    fileprivate var meant: [Command] {
        receiver.performed.filter { command in
            switch command {
            case .button, .shake: false
            default: true
            }
        }
    }
}
