import OSC
import Testing

@testable import OSCRemote

@Suite("Events")
struct EventTests {
    private func subscribed(_ topics: String..., from source: Endpoint = TestServer.local, in rig: TestServer = TestServer()) -> TestServer
    {
        for topic in topics { rig.send("subscribe", .string(topic), from: source) }
        // The snapshots count towards the peer's packet rate.
        rig.advance(seconds: 0.5)
        rig.drop()
        return rig
    }

    private func steps(_ names: String...) -> [OSCMessage] { names.map { OSCMessage("lifecycle", [.string($0)]) } }

    @Test("A burst of lifecycle steps and notices arrives one by one and in order at all subscribers")
    func burst() {
        let rig = subscribed("session", "log")
        _ = subscribed("/binaural/lifecycle", from: TestServer.other, in: rig)
        for step in ["willSave", "didSave", "willSave", "didSave"] { rig.server.publish(.lifecycle(step), at: rig.now) }
        for text in ["one", "two", "two"] { rig.server.publish(.notice(text), at: rig.now) }
        let expected = steps("willSave", "didSave", "willSave", "didSave")
        #expect(rig.messages() == expected + ["one", "two", "two"].map { OSCMessage("log", [.string($0)]) })
        #expect(rig.messages(to: TestServer.other) == expected)
    }

    @Test("All of a hundred events arrive in order, within the peer's packet rate")
    func budget() {
        let rig = subscribed("log")
        for number in 1...100 { rig.server.publish(.notice("\(number)"), at: rig.now) }
        var messages = rig.messages()
        #expect(messages.count < 100)
        rig.advance(seconds: 0.5)
        messages += rig.messages()
        #expect(messages == (1...100).map { OSCMessage("log", [.string("\($0)")]) })
    }

    @Test("Of more than 256 waiting events the oldest are lost, and the number of the change shows the gap")
    func bounded() {
        var outbox = Outbox()
        for number in 1...300 { outbox.add(event: OSCMessage("log", [.int32(Int32(number))])) }
        #expect(outbox.changeNumber == 44)
        var left: [OSCArgument] = []
        while let entry = outbox.next {
            if case .event(let message) = entry { left += message.arguments }
            outbox.removeFirst()
        }
        #expect(left == (45...300).map(OSCArgument.int32))
    }

    @Test("The last event is in the snapshot, can be read, and is not sent again by a comparison")
    func last() {
        let rig = TestServer()
        rig.receiver.lifecycle = "didSave"
        rig.send("subscribe", .string("session"))
        #expect(rig.messages().contains(steps("didSave")[0]))
        rig.server.publish(.lifecycle("willSave"), at: rig.now)
        rig.change { $0.lifecycle = "willSave" }
        rig.advance(seconds: 1)
        #expect(rig.messages() == steps("willSave"))
        rig.send("lifecycle")
        #expect(rig.messages() == steps("willSave"))
    }

    @Test("After its caches are freed, the server still reports changes, and only those")
    func caches() {
        let rig = subscribed("mixer")
        rig.server.dropCaches()
        rig.change { _ in }
        #expect(rig.messages().isEmpty)
        rig.change { $0.player.update { $0.isMasterMuted = true } }
        #expect(rig.messages() == [OSCMessage("master/mute", [.int32(1)])])
    }
}
