import Foundation
import OSC
import OSCRemote
import Playback
import Testing

/// Effects that last as long as a button is held.
@Suite struct HoldingTests {
    @Test("the one-button remote toggles after its presses are over, also if only presses are sent")
    func button() {
        let rig = TestServer()
        rig.send("button")
        #expect(rig.meant.isEmpty)
        rig.advance(seconds: 1)
        #expect(rig.meant == [.toggle])
        rig.receiver.performed = []
        for value in [1, 0, 1, 0] { rig.send("button", .float(Float(value))) }
        rig.advance(seconds: 1)
        #expect(rig.meant == [.nextItem])
    }

    @Test("a foot switch, a headset and a button on a screen all press the one button")
    func senders() {
        for arguments in [[OSCArgument.float(1), .float(0)], [.int32(127), .int32(0)], [.true, .false], []] {
            let rig = TestServer()
            for _ in 0..<2 {
                if arguments.isEmpty { rig.send("button") }
                for argument in arguments {
                    rig.send("button", argument)
                    rig.advance(seconds: 0.05)
                }
                rig.advance(seconds: 0.1)
            }
            rig.advance(seconds: 1)
            #expect(rig.meant == [.nextItem], "\(arguments)")
        }
    }

    /// Five seconds of a phone shaken in the middle, with 50 values a second.
    private func shake(_ rig: TestServer, as address: String, from sources: [Endpoint] = [TestServer.local]) {
        for index in 0..<250 {
            let time = Double(index) / 50
            let moved = time > 2 && time < 3.2 ? 3 * sin(2 * .pi * 4 * time) : 0
            let source = sources[index % sources.count]
            rig.receive(.message(OSCMessage(address, [.float(Float(moved)), .float(0), .float(1)])), from: source)
            rig.advance(seconds: 0.02)
        }
    }

    @Test("a shaken phone runs the command of the preference, with the root and without it", arguments: ["/accxyz", "/binaural/accxyz"])
    func shake(address: String) {
        let rig = TestServer()
        rig.receiver.preferences.shake = .next
        shake(rig, as: address)
        #expect(rig.meant == [.next])
        rig.receiver.performed = []
        rig.receiver.preferences.shake = .none
        shake(rig, as: address)
        #expect(rig.receiver.performed.isEmpty)
        #expect(rig.messages().isEmpty)
        rig.send("shake")
        #expect(rig.messages().map { $0.arguments[1] } == [.int32(405)])
    }

    @Test("a shake that means panic drops waiting bundles")
    func panic() {
        let rig = TestServer()
        rig.receiver.preferences.shake = .panic
        rig.receive(.bundle(OSCBundle(timeTag: rig.now.timeTag.advanced(bySeconds: 8), messages: [OSCMessage("/binaural/play")])))
        shake(rig, as: "/accxyz")
        rig.advance(seconds: 10)
        #expect(rig.meant == [.panic])
    }

    @Test("each phone's shakes are recognised separately, and one with the role view shakes without effect or error")
    func phones() {
        let rig = TestServer { $0.allowed = [AccessRule("192.168.1.0/24=view")].compactMap(\.self) }
        rig.receiver.preferences.shake = .next
        shake(rig, as: "/accxyz", from: [TestServer.phone])
        #expect(rig.receiver.performed.isEmpty)
        #expect(rig.isQuiet)
        // Every other value belongs to another phone's movement.
        shake(rig, as: "/accxyz", from: [TestServer.local, TestServer.other])
        #expect(rig.meant == [.next, .next])
    }

    @Test("each press and release is answered once its meaning is clear, to the peer that sent it")
    func replies() {
        let rig = TestServer()
        rig.send("replies", .int32(2))
        rig.drop()
        for value in [1, 0] as [Int32] { rig.send("button", .int32(value)) }
        // The press succeeded; the release is still pending.
        #expect(rig.messages() == [Self.reply(by: "application")])
        rig.send("button")
        #expect(rig.messages() == [Self.reply(by: "application")])
        rig.advance(seconds: 1)
        #expect(rig.messages().filter { $0.address == "reply" } == [Self.reply(by: "queue")])
        rig.send("button", .int32(1))
        #expect(rig.messages().isEmpty)
        rig.advance(seconds: 1)
        rig.send("button", .int32(0))
        #expect(rig.messages() == [Self.reply(by: "application"), Self.reply(by: "application")])
    }

    private static func reply(by name: String) -> OSCMessage {
        OSCMessage("reply", [.string("/binaural/button"), .int32(0), .string(name)])
    }

    @Test("a button command that fails is reported to the peer that pressed it, at its own address")
    func buttonRefused() {
        let rig = TestServer()
        rig.send("queue/select", .int32(2))
        rig.send("button", from: TestServer.other)
        rig.send("button", from: TestServer.other)
        rig.advance(seconds: 1)
        let received = rig.messages(to: TestServer.other)
        #expect(received.map { Array($0.arguments.prefix(2)) } == [[.string("/binaural/button"), .int32(405)]])
        rig.send("queue/remove", .int32(1))
        rig.send("queue/remove", .int32(1))
        rig.send("queue/remove", .int32(1))
        rig.drop()
        rig.send("button", .int32(1), from: TestServer.other)
        rig.send("shake", from: TestServer.other)
        #expect(rig.messages(to: TestServer.other).map { $0.arguments[1] } == [.int32(100), .int32(405)])
    }

    @Test("the seek of a held button ends with the lease of its holder, and when the holder is dropped", arguments: [false, true])
    func heldButton(isDropped: Bool) {
        let rig = TestServer()
        for value in [1, 0, 1] as [Int32] { rig.send("button", .int32(value)) }
        rig.advance(seconds: 1)
        #expect(rig.receiver.player.state.heldSeek?.direction == .forward)
        if isDropped {
            for _ in 0..<3 { rig.server.unreachable(.udp(TestServer.local), at: rig.now) }
        } else {
            rig.advance(seconds: 31)
        }
        #expect(rig.receiver.player.state.heldSeek == nil)
        #expect(rig.receiver.performed.suffix(2) == [.button(isDown: false), .seek(.forward, begins: false)])
    }

    @Test("the end of a lease does not release a button that another peer has pressed since")
    func othersButton() {
        let rig = TestServer()
        rig.send("button", .int32(1))
        rig.send("button", .int32(0), from: TestServer.other)
        rig.advance(seconds: 29)
        for value in [1, 0, 1] as [Int32] { rig.send("button", .int32(value), from: TestServer.other) }
        rig.advance(seconds: 2)
        #expect(rig.receiver.player.state.heldSeek?.direction == .forward)
    }

    @Test("a shake is answered like its command, and with 405 if it has none")
    func shakeReplies() {
        let rig = TestServer()
        rig.receiver.preferences.shake = .next
        rig.send("replies", .int32(2))
        rig.drop()
        rig.send("shake")
        #expect(rig.messages() == [OSCMessage("reply", [.string("/binaural/shake"), .int32(0), .string("patch")])])
        rig.receiver.preferences.shake = .redo
        rig.send("shake")
        #expect(rig.messages().map { $0.arguments[1] } == [.int32(405)])
    }

    @Test("a held seek ends with the lease of its holder")
    func lease() {
        let rig = TestServer()
        rig.send("seek/forward", .int32(1))
        #expect(rig.receiver.player.state.heldSeek != nil)
        rig.advance(seconds: 31)
        #expect(rig.receiver.player.state.heldSeek == nil)
        #expect(rig.receiver.performed.last == .seek(.forward, begins: false))
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
