import OSC
import Testing

@testable import OSCRemote

@Suite("Events")
struct EventTests {
    private func subscribed(_ topics: String..., from source: Endpoint = TestServer.local, in server: TestServer = TestServer())
        -> TestServer
    {
        for topic in topics { server.send("subscribe", .string(topic), from: source) }
        // The snapshots count towards the peer's packet rate.
        server.advance(seconds: 0.5)
        server.drop()
        return server
    }

    private func steps(_ names: String...) -> [OSCMessage] { names.map { OSCMessage("lifecycle", [.string($0)]) } }

    @Test("A burst of lifecycle steps and notices arrives one by one and in order at all subscribers")
    func burst() {
        let server = subscribed("session", "log")
        _ = subscribed("/binaural/lifecycle", from: TestServer.other, in: server)
        for step in ["willSave", "didSave", "willSave", "didSave"] { server.server.publish(.lifecycle(step), at: server.now) }
        for text in ["one", "two", "two"] { server.server.publish(.notice(text), at: server.now) }
        let expected = steps("willSave", "didSave", "willSave", "didSave")
        #expect(server.messages() == expected + ["one", "two", "two"].map { OSCMessage("log", [.string($0)]) })
        #expect(server.messages(to: TestServer.other) == expected)
    }

    @Test("A notice is sent whole, with its remedy, and so is the last one that is read")
    func whole() {
        let text = "The session's master level of -3.5 dB is above the preference maximumLevel: it is now -12 dB. Raise maximumLevel."
        let server = subscribed("log")
        server.receiver.notice = text
        server.server.publish(.notice(text), at: server.now)
        server.send("log")
        #expect(server.messages() == Array(repeating: OSCMessage("log", [.string(text)]), count: 2))
        server.server.publish(.notice("There is no file '\(String(repeating: "n", count: 600))'. Choose another one."), at: server.now)
        guard case .string(let shown)? = server.messages().first?.arguments.first else {
            Issue.record("there is no notice")
            return
        }
        #expect(shown.utf8.count <= 512)
        #expect(shown.hasSuffix("…'. Choose another one."))
    }

    @Test("All of a hundred events arrive in order, within the peer's packet rate")
    func budget() {
        let server = subscribed("log")
        for number in 1...100 { server.server.publish(.notice("\(number)"), at: server.now) }
        var messages = server.messages()
        #expect(messages.count < 100)
        server.advance(seconds: 0.5)
        messages += server.messages()
        #expect(messages == (1...100).map { OSCMessage("log", [.string("\($0)")]) })
    }

    @Test("If more than 256 events wait, the oldest are lost, and the number of the change shows the gap")
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
        let server = TestServer()
        server.receiver.lifecycle = "didSave"
        server.send("subscribe", .string("session"))
        #expect(server.messages().contains(steps("didSave")[0]))
        server.server.publish(.lifecycle("willSave"), at: server.now)
        server.change { $0.lifecycle = "willSave" }
        server.advance(seconds: 1)
        #expect(server.messages() == steps("willSave"))
        server.send("lifecycle")
        #expect(server.messages() == steps("willSave"))
    }

    @Test("After its caches are freed, the server still reports changes, and only those")
    func caches() {
        let server = subscribed("mixer")
        server.server.dropCaches()
        server.change { _ in }
        #expect(server.messages().isEmpty)
        server.change { $0.player.update { $0.isMasterMuted = true } }
        #expect(server.messages() == [OSCMessage("master/mute", [.int32(1)])])
    }
}
