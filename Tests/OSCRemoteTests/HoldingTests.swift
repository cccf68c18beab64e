import Foundation
import OSC
import OSCRemote
import Playback
import Testing

/// What lasts as long as it is held.
@Suite struct HoldingTests {
    @Test("the one button toggles once its presses are over, also when it is only told of presses")
    func button() {
        let rig = Rig()
        rig.send("button")
        #expect(rig.studio.performed.isEmpty)
        rig.advance(seconds: 1)
        #expect(rig.studio.performed == [.toggle])
        rig.studio.performed = []
        for value in [1, 0, 1, 0] { rig.send("button", .float(Float(value))) }
        rig.advance(seconds: 1)
        #expect(rig.studio.performed == [.nextItem])
    }

    @Test("a foot switch, a headset and a button on a screen press the one button alike")
    func senders() {
        for arguments in [[Argument.float(1), .float(0)], [.int32(127), .int32(0)], [.true, .false], []] {
            let rig = Rig()
            for _ in 0..<2 {
                if arguments.isEmpty { rig.send("button") }
                for argument in arguments {
                    rig.send("button", argument)
                    rig.advance(seconds: 0.05)
                }
                rig.advance(seconds: 0.1)
            }
            rig.advance(seconds: 1)
            #expect(rig.studio.performed == [.nextItem], "\(arguments)")
        }
    }

    /// Five seconds of a phone that is shaken in the middle, 50 values a second.
    private func shake(_ rig: Rig, as address: String, from sources: [Endpoint] = [Rig.local]) {
        for index in 0..<250 {
            let time = Double(index) / 50
            let moved = time > 2 && time < 3.2 ? 3 * sin(2 * .pi * 4 * time) : 0
            let source = sources[index % sources.count]
            rig.receive(.message(Message(address, [.float(Float(moved)), .float(0), .float(1)])), from: source)
            rig.advance(seconds: 0.02)
        }
    }

    @Test("a shaken phone does what the preference says, with the root and without it", arguments: ["/accxyz", "/binaural/accxyz"])
    func shake(address: String) {
        let rig = Rig()
        rig.studio.preferences.shake = .next
        shake(rig, as: address)
        #expect(rig.studio.performed == [.next])
        rig.studio.performed = []
        rig.studio.preferences.shake = .none
        shake(rig, as: address)
        #expect(rig.studio.performed.isEmpty)
        #expect(rig.messages().isEmpty)
        rig.send("shake")
        #expect(rig.messages().map { $0.arguments[1] } == [.int32(405)])
    }

    @Test("a shake that is a panic drops what waits")
    func panic() {
        let rig = Rig()
        rig.studio.preferences.shake = .panic
        rig.receive(.bundle(Bundle(timeTag: rig.now.timeTag.advanced(bySeconds: 8), messages: [Message("/binaural/play")])))
        shake(rig, as: "/accxyz")
        rig.advance(seconds: 10)
        #expect(rig.studio.performed == [.panic])
    }

    @Test("each phone is felt by itself, and one that may only look shakes in vain and hears no complaint")
    func phones() {
        let rig = Rig { $0.allowed = [AccessRule("192.168.1.0/24=view")].compactMap(\.self) }
        rig.studio.preferences.shake = .next
        shake(rig, as: "/accxyz", from: [Rig.phone])
        #expect(rig.studio.performed.isEmpty)
        #expect(rig.isQuiet)
        // Every other value of one movement is another one.
        shake(rig, as: "/accxyz", from: [Rig.local, Rig.other])
        #expect(rig.studio.performed.count == 2)
    }

    @Test("a held seek ends with the lease of whoever holds it")
    func lease() {
        let rig = Rig()
        rig.send("seek/forward", .int32(1))
        #expect(rig.studio.player.state.heldSeek != nil)
        rig.advance(seconds: 31)
        #expect(rig.studio.player.state.heldSeek == nil)
        #expect(rig.studio.performed.last == .seek(.forward, begins: false))
    }
}
