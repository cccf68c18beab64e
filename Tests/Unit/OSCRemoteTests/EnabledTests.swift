import OSC
import OSCRemote
import Patches
import Playback
import Testing

/// `…/enabled`, as a subscriber follows it.
@Suite struct EnabledTests {
    private static let paths = AddressTable.standard.rows.map(\.path).filter { $0.hasSuffix("/enabled") }

    @Test("every command of the contract has an enabled address")
    func all() {
        let commands = [
            "play", "pause", "toggle", "stop", "next", "previous", "queue/next", "queue/previous", "skip/forward", "skip/backward",
            "skip/by",
            "seek/forward", "seek/backward", "position", "position/norm", "rate", "repeat", "shuffle", "rating", "like", "dislike",
            "bookmark", "button", "shake", "panic", "undo", "redo",
        ]
        for command in commands { #expect(Self.paths.contains("\(command)/enabled"), "\(command)") }
    }

    @Test("at any time, the last value sent to a subscriber is the one that it would read")
    func followed() {
        let server = TestServer()
        server.receiver.preferences.shake = .next
        server.send("subscribe", .string("commands"))
        var received: [String: [OSCArgument]] = [:]
        func listen() {
            for message in server.messages() where message.address.hasSuffix("/enabled") { received[message.address] = message.arguments }
        }
        var seen: [String: Set<String>] = [:]
        let steps: [(String, (TestServer) -> Void)] = [
            ("at the start", { _ in }), ("playing", { $0.send("play", from: TestServer.other) }),
            ("in the last chapter", { $0.send("position", .float(400), from: TestServer.other) }),
            ("an edit", { $0.send("layer/1/mute", .int32(1), from: TestServer.other) }),
            ("undone", { $0.send("undo", from: TestServer.other) }),
            ("in the last item", { $0.send("queue/select", .int32(2), from: TestServer.other) }),
            ("repeating", { $0.send("repeat", .string("all"), from: TestServer.other) }),
            ("not repeating", { $0.send("repeat", .string("off"), from: TestServer.other) }),
            ("stopped", { $0.send("stop", from: TestServer.other) }),
            (
                "a sound file",
                { server in server.change { $0.player.update { $0.items[1].patch?.layers = [Layer(name: "sea", kind: .file)] } } }
            ),
            ("alone", { $0.send("queue/remove", .int32(1), from: TestServer.other) }),
            ("only what has vanished", { $0.send("queue/remove", .int32(1), from: TestServer.other) }),
            ("nothing", { $0.send("queue/remove", .int32(1), from: TestServer.other) }),
            ("a shake does nothing", { $0.change { $0.preferences.shake = .none } }),
        ]
        for (name, step) in steps {
            step(server)
            server.advance(seconds: 1)
            listen()
            for path in Self.paths {
                server.send(path, from: TestServer.phoneOnThisMachine)
                let read = server.messages(to: TestServer.phoneOnThisMachine).first?.arguments
                #expect(received[path] == read, "\(path), \(name)")
                seen[path, default: []].insert("\(read ?? [])")
            }
        }
        // Those that never changed are always enabled.
        let constant = seen.filter { $0.value.count == 1 }.map(\.key)
        #expect(Set(constant) == ["stop/enabled", "repeat/enabled", "shuffle/enabled", "sleep/enabled", "panic/enabled"])
    }

    @Test("next is reported as disabled when playback itself reaches the last chapter")
    func byTime() {
        let server = TestServer()
        server.send("queue/remove", .int32(2))
        server.send("play")
        server.send("position", .float(299))
        server.send("subscribe", .string("commands"))
        #expect(server.messages().contains(OSCMessage("next/enabled", [.int32(1)])))
        server.advance(seconds: 2)
        #expect(server.messages() == [OSCMessage("next/enabled", [.int32(0)])])
    }
}

extension TestServer {
    fileprivate static let phoneOnThisMachine = Endpoint(host: .loopback, port: 50_009)
}
