import OSC
import Patches
import Playback
import Testing

@testable import OSCRemote

@Suite("Subscriptions")
struct SubscriptionTests {
    private func subscribe(_ server: TestServer, _ topic: String, _ rest: OSCArgument..., from source: Endpoint = TestServer.local) {
        server.receive(.message(OSCMessage("/binaural/subscribe", [.string(topic)] + rest)), from: source)
    }

    @Test("A snapshot of every topic ends with snapshot/end, and nothing follows while nothing changes", arguments: Topic.Group.allCases)
    func snapshots(group: Topic.Group) {
        let server = TestServer()
        let topic = group == .tick ? "tick/1" : group == .meters ? "meters/1000" : group.rawValue
        subscribe(server, topic)
        var messages = server.messages()
        #expect(messages.first == OSCMessage("subscribed", [.string(topic), .int32(1), .int32(30), .int32(50_000)]))
        // A peer gets at most 50 packets at once.
        server.advance(seconds: 0.2)
        messages += server.messages()
        #expect(messages.last == OSCMessage("snapshot/end", [.string(topic)]))
        let expected = AddressTable.standard.rows.filter { $0.group == group && $0.access != .write }
        let received = Set(messages.map { $0.address.replacing("layer/1/", with: "layer/N/") })
        // A parameter that the first layer lacks.
        let others = [
            "pulseRate", "duty", "edge", "pulseDepth", "amRate", "amDepth", "spinRate", "spinDepth", "spinDelay", "orbitRate",
            "distance", "decay", "delay", "depth", "correlation", "attack", "release",
        ]
        for row in expected where !others.contains(where: { row.path.contains("/\($0)") }) {
            #expect(received.contains(row.path), "\(row.path) is not in the snapshot of \(topic)")
        }
        server.advance(seconds: 0.7)
        #expect(server.messages().isEmpty)
    }

    @Test("A snapshot that waits because of a flood is whole, whatever event comes meanwhile")
    func eventDuringSnapshot() {
        let (calm, flooded) = (TestServer(), TestServer())
        for number in 0..<100 { flooded.send("master/gain", .float(Float(-number)), from: TestServer.other) }
        for server in [calm, flooded] {
            server.drop()
            subscribe(server, "session")
        }
        flooded.server.publish(.lifecycle("willSave"), at: flooded.now)
        let messages = [calm, flooded].map { server in
            server.advance(seconds: 0.5)
            return server.messages()
        }
        let event = OSCMessage("lifecycle", [.string("willSave")])
        #expect(messages[1].filter { $0 == event }.count == 1)
        #expect(messages[1].filter { $0 != event } == messages[0])
    }

    @Test("Subscribing again does not make a second subscription, and sends the snapshot again")
    func idempotent() {
        let server = TestServer()
        subscribe(server, "jack")
        let first = server.messages()
        server.advance(seconds: 0.1)
        subscribe(server, "jack")
        #expect(server.messages() == first)
        server.change { $0.jack.state = .away }
        #expect(server.messages() == [OSCMessage("jack/state", [.string("away")])])
    }

    @Test("Only changes are sent, to all subscribers of the topic, and to nobody else")
    func changesOnly() {
        let server = TestServer()
        subscribe(server, "mixer")
        subscribe(server, "commands", from: TestServer.other)
        server.drop()
        server.change { $0.player.update { $0.masterGain = -6 } }
        #expect(server.messages() == [OSCMessage("master/gain", [.float(-6)]), OSCMessage("master/gain/norm", [.float(0.9)])])
        #expect(server.messages(to: TestServer.other).isEmpty)
        server.change { _ in }
        server.advance(seconds: 0.2)
        #expect(server.messages().isEmpty)
    }

    @Test(
        "Ticks that come only when something is due send the same messages as frequent ones",
        arguments: [("now", 1...12), ("mixer", 1...12), ("tick/4", 20...60), ("meters/250", 20...60), ("layers", 1...12)])
    func due(topic: String, ticks: ClosedRange<Int>) {
        let (frequent, rare) = (TestServer(), TestServer())
        for server in [frequent, rare] {
            subscribe(server, topic)
            server.advance(seconds: 3)
            server.send("master/gain", .float(-6))
            server.drop()
        }
        frequent.advance(seconds: 10)
        let count = rare.advanceWhenDue(seconds: 10)
        #expect(ticks.contains(count), "\(count) ticks")
        let (all, some) = (frequent.packetsToAll(), rare.packetsToAll())
        #expect(!all.isEmpty)
        #expect(abs(all.count - some.count) <= 1)
        #expect(Set(all.map(\.count)) == Set(some.map(\.count)))
    }

    @Test("Values of layers that chapters move are due every 45 ms")
    func movingLayers() {
        let server = TestServer()
        server.change { $0.player.update { $0.playback = .playing } }
        subscribe(server, "layers")
        server.advance(seconds: 3)
        // More than 222, since the budget of a peer holds back some messages.
        #expect((222...400).contains(server.advanceWhenDue(seconds: 10)))
    }

    @Test("Without a subscriber nothing is sent, and the state is not even read")
    func nobody() {
        let server = TestServer()
        let before = server.receiver.snapshotCount
        server.change { $0.jack.state = .away }
        server.advance(seconds: 1)
        #expect(server.isQuiet)
        #expect(server.receiver.snapshotCount == before)
    }

    @Test("Unsubscribing ends one topic, or all")
    func unsubscribe() {
        let server = TestServer()
        for topic in ["jack", "mixer", "log"] { subscribe(server, topic) }
        server.drop()
        server.send("unsubscribe", .string("jack"))
        #expect(server.messages() == [OSCMessage("unsubscribed", [.string("jack")])])
        server.change { $0.jack.state = .away }
        #expect(server.messages().isEmpty)
        server.send("unsubscribe")
        #expect(server.messages() == [OSCMessage("unsubscribed", [.string("mixer")]), OSCMessage("unsubscribed", [.string("log")])])
        server.change { $0.notice = "x" }
        server.advance(seconds: 6)
        #expect(server.isQuiet)
    }

    @Test("A lease ends after 30 s of silence, is reported, and any packet renews it")
    func leases() {
        let server = TestServer()
        subscribe(server, "jack")
        server.advance(seconds: 29)
        server.drop()
        server.send("ping")
        server.advance(seconds: 29)
        #expect(!server.messages().map(\.address).contains("expired"))
        server.advance(seconds: 1.1)
        #expect(server.messages() == [OSCMessage("expired", [.string("jack")])])
        server.change { $0.jack.state = .away }
        server.advance(seconds: 6)
        #expect(server.isQuiet)
    }

    @Test("A lease lasts as long as requested, at most 300 s")
    func leaseLength() {
        let server = TestServer()
        subscribe(server, "jack", .int32(0), .int32(5))
        subscribe(server, "mixer", .int32(0), .int32(100_000))
        #expect(server.messages().filter { $0.address == "subscribed" }.map { $0.arguments[2] } == [.int32(5), .int32(300)])
        server.advance(seconds: 5.1)
        #expect(server.messages() == [OSCMessage("expired", [.string("jack")])])
        server.advance(seconds: 290)
        #expect(server.messages().isEmpty)
        server.advance(seconds: 6)
        #expect(server.messages() == [OSCMessage("expired", [.string("mixer")])])
    }

    @Test("Answers and feedback go to the requested port of the same address")
    func port() {
        let server = TestServer()
        let answers = Endpoint(host: .loopback, port: 9000)
        subscribe(server, "jack", .int32(9000))
        #expect(server.messages().isEmpty)
        #expect(server.messages(to: answers).first == OSCMessage("subscribed", [.string("jack"), .int32(1), .int32(30), .int32(9000)]))
        server.send("ping", .int32(3))
        #expect(server.messages(to: answers) == [OSCMessage("pong", [.int32(3), .int64(TestServer.bootID)])])
        // The app was restarted and sends from another port.
        subscribe(server, "jack", .int32(9000), from: TestServer.other)
        _ = server.messages(to: answers)
        server.change { $0.jack.state = .away }
        #expect(server.messages(to: answers) == [OSCMessage("jack/state", [.string("away")])])
        #expect(server.isQuiet)
    }

    @Test("The server's own port is refused, since it would send to itself")
    func ownPort() {
        let server = TestServer()
        subscribe(server, "jack", .int32(7830))
        #expect(server.messages().map { $0.arguments[1] } == [.int32(400)])
        #expect(server.isQuiet)
    }

    @Test("alive is sent every 5 s, and every 250 ms for 2 s after a change, with the number of the last change")
    func alive() {
        let server = TestServer()
        subscribe(server, "jack")
        let first = server.alive()
        #expect(first == [OSCMessage("alive", [.int64(TestServer.bootID), .int32(1)])])
        server.advance(seconds: 2.2)
        #expect((7...9).contains(server.alive().count))
        server.advance(seconds: 20)
        #expect((3...5).contains(server.alive().count))
        server.change { $0.jack.state = .away }
        #expect(server.alive() == [OSCMessage("alive", [.int64(TestServer.bootID), .int32(2)])])
        server.advance(seconds: 0.3)
        #expect(server.alive() == [OSCMessage("alive", [.int64(TestServer.bootID), .int32(2)])])
    }

    @Test("A peer that the network reports as unreachable three times is dropped; one that sends meanwhile is not")
    func unreachable() {
        let server = TestServer()
        subscribe(server, "jack")
        for _ in 0..<2 { server.server.unreachable(.udp(TestServer.local), at: server.now) }
        server.send("ping")
        for _ in 0..<2 { server.server.unreachable(.udp(TestServer.local), at: server.now) }
        server.drop()
        server.change { $0.jack.state = .away }
        #expect(server.messages().count == 1)
        server.server.unreachable(.udp(TestServer.local), at: server.now)
        server.change { $0.jack.state = .running }
        #expect(server.isQuiet)
    }

    @Test("A peer has at most 16 topics; of 64 peers, those that only read give way")
    func limits() {
        let server = TestServer()
        for hertz in 1...16 { subscribe(server, "tick/\(hertz)") }
        server.drop()
        subscribe(server, "tick/17")
        #expect(server.messages().map(\.address) == ["error"])
        for port in 0..<100 { server.send("ping", from: Endpoint(host: .loopback, port: UInt16(10_000 + port))) }
        for port in 0..<63 { subscribe(server, "jack", from: Endpoint(host: .loopback, port: UInt16(20_000 + port))) }
        server.drop()
        let late = Endpoint(host: .loopback, port: 30_000)
        subscribe(server, "jack", from: late)
        #expect(server.messages(to: late).first?.arguments[1] == .int32(413))
        server.send("ping", .int32(1), from: late)
        #expect(server.messages(to: late) == [OSCMessage("pong", [.int32(1), .int64(TestServer.bootID)])])
    }

    @Test("An invalid topic is 400", arguments: ["", "tick", "tick/x", "now/1", "nowhere", "/a[", "meters/"])
    func noTopic(name: String) {
        let server = TestServer()
        subscribe(server, name)
        let messages = server.messages()
        #expect(messages.count == 1)
        #expect(messages.first?.arguments.dropFirst().first == .int32(400))
    }

    @Test("An address pattern is a topic: its addresses are sent, and no others")
    func pattern() {
        let server = TestServer()
        subscribe(server, "/binaural/layer/[12]/gain")
        #expect(server.messages().map(\.address) == ["subscribed", "layer/1/gain", "layer/2/gain", "snapshot/end"])
        server.send("layer/2/gain", .float(-40), from: TestServer.other)
        server.send("layer/3/gain", .float(-40), from: TestServer.other)
        #expect(server.messages() == [OSCMessage("layer/2/gain", [.float(-40)])])
        subscribe(server, "/binaural/session/dirty", from: TestServer.other)
        server.drop()
        server.change { $0.session.isDirty = true }
        #expect(server.messages(to: TestServer.other) == [OSCMessage("session/dirty", [.int32(1)])])
    }

    @Test(
        "A pattern does not subscribe to anything that changes because time passes",
        arguments: ["/binaural/*", "/binaural/now/*", "/binaural/position/*", "/binaural/{meter,repeat}"])
    func patternsWithoutClock(pattern: String) {
        let server = TestServer()
        server.send("play")
        subscribe(server, pattern)
        let snapshot = server.messages().map(\.address)
        #expect(!snapshot.contains { ["meter", "position", "now/tick", "now/norm", "now/text", "position/norm"].contains($0) })
        for step in 1...20 {
            server.receiver.meter.peakLeft = Double(-step)
            server.advance(seconds: 0.1)
        }
        #expect(server.messages().isEmpty)
    }

    @Test("A pattern omits only addresses that change by themselves; an address without wildcards can be any of them")
    func withoutTopic() {
        let rows = AddressTable.standard.rows.filter { $0.isPatternTarget && $0.group == nil && $0.access != .write }
        #expect(rows.map(\.path) == ["position", "position/norm", "sleep", "sleep/norm"])
        let server = TestServer()
        server.send("play")
        subscribe(server, "/binaural/position")
        server.drop()
        server.advance(seconds: 10)
        // Often enough to follow it, and no more often than the clock topic.
        #expect((190...205).contains(server.messages().filter { $0.address == "position" }.count))
        server.send("pause")
        server.advance(seconds: 1)
        server.drop()
        server.advance(seconds: 1)
        #expect(server.messages().isEmpty)
        // Another peer's set is sent at once.
        server.send("position", .float(200), from: TestServer.other)
        #expect(server.messages() == [OSCMessage("position", [.float(200)])])
    }

    @Test(
        "An address that can never be sent is not a topic, and one that other layers may have is",
        arguments: [
            ("/binaural/jack/*", 404), ("/binaural/session/*", 404), ("/binaural/preferences/*", 404), ("/binaural/nowhere", 404),
            ("/binaural/play", 404), ("/binaural/now/ti[ck]", 404), ("/binaural/{meter,position}", 404), ("/layer/1/gain", 404),
            ("/binaural/layer/*/gain/norm/x", 404), ("/binaural/layer/900/gain", nil), ("/binaural/layer/9[0-9]/gain", nil),
            ("/binaural/jack/state", nil), ("/binaural/meter", nil), ("/binaural/touch/layer/1/gain", nil), ("/binaural/*", nil),
        ] as [(String, Int32?)])
    func reachable(topic: String, code: Int32?) {
        let server = TestServer()
        subscribe(server, topic)
        let messages = server.messages()
        #expect(messages.first?.address == (code == nil ? "subscribed" : "error"))
        if let code { #expect(messages.map { $0.arguments[1] } == [.int32(code)]) }
    }

    @Test("A bookmark and the note of a carrier are sent to the subscribers of their topics")
    func bookmarkAndNote() {
        let server = TestServer()
        subscribe(server, "commands")
        subscribe(server, "layers")
        server.advance(seconds: 2)
        server.drop()
        server.send("bookmark", .int32(1), from: TestServer.other)
        server.send("layer/4/carrier", .float(110), from: TestServer.other)
        server.advance(seconds: 1)
        let received = server.messages()
        #expect(received.contains(OSCMessage("bookmark", [.int32(1)])))
        #expect(received.contains(OSCMessage("layer/4/note", [.int32(45)])))
    }

    @Test("A peer that holds a seek or a control, or has sent bundles ahead, does not give way to new peers; its lease ends all of it")
    func givingWay() {
        let server = TestServer()
        server.send("seek/forward", .int32(1))
        server.send("touch/layer/1/gain", .int32(1), from: TestServer.other)
        let (idle, ahead) = (Endpoint(host: .loopback, port: 9998), Endpoint(host: .loopback, port: 9999))
        server.send("ping", from: idle)
        let later = OSCBundle(timeTag: server.now.timeTag.advanced(bySeconds: 1), messages: [OSCMessage("/binaural/next")])
        server.receive(.bundle(later), from: ahead)
        let muchLater = OSCBundle(timeTag: server.now.timeTag.advanced(bySeconds: 50), messages: [OSCMessage("/binaural/previous")])
        server.receive(.bundle(muchLater), from: ahead)
        server.drop()
        for port in 0..<63 { server.send("subscribe", .string("jack"), from: Endpoint(host: .loopback, port: UInt16(20_000 + port))) }
        #expect(server.receiver.player.state.heldSeek != nil)
        #expect(server.receiver.player.state.held.count == 1)
        // One of them took the place of the one that was only known; for the two others there was none.
        let answers = (0..<63).flatMap { server.messages(to: Endpoint(host: .loopback, port: UInt16(20_000 + $0))) }
        #expect(answers.filter { $0.address == "subscribed" }.count == 61)
        #expect(answers.filter { $0.address == "error" }.map { $0.arguments[1] } == [.int32(413), .int32(413)])
        server.advance(seconds: 2)
        #expect(server.receiver.performed.contains(.next))
        // They are still known: the end of their leases ends their holds and waiting bundles.
        server.advance(seconds: 58)
        #expect(!server.receiver.performed.contains(.previous))
        #expect(server.server.nextDue == nil)
        #expect(server.receiver.performed.contains(.seek(.forward, begins: false)))
        #expect(server.receiver.player.state.held.isEmpty)
    }

    @Test("A peer without a place among the 64 cannot have waiting bundles; what is due is applied all the same")
    func crowded() {
        let server = TestServer()
        for port in 0..<64 { server.send("subscribe", .string("jack"), from: Endpoint(host: .loopback, port: UInt16(20_000 + port))) }
        server.drop()
        for (seconds, command) in [(1.0, "next"), (-1, "play")] {
            let tag = server.now.timeTag.advanced(bySeconds: seconds)
            server.receive(.bundle(OSCBundle(timeTag: tag, messages: [OSCMessage("/binaural/\(command)")])))
        }
        #expect(server.messages().map { $0.arguments[1] } == [.int32(413)])
        server.advance(seconds: 2)
        #expect(server.receiver.performed == [.play])
    }

    @Test("Clock and meter are sent at exactly their rate, on average")
    func rates() {
        let server = TestServer()
        server.send("play")
        subscribe(server, "tick/20")
        subscribe(server, "meters/40", from: TestServer.other)
        server.drop()
        server.advance(seconds: 10)
        let ticks = server.messages()
        #expect((198...201).contains(ticks.filter { $0.address == "now/tick" }.count))
        #expect((198...201).contains(ticks.filter { $0.address == "now/text" }.count))
        #expect((248...251).contains(server.messages(to: TestServer.other).filter { $0.address == "meter" }.count))
    }

    @Test("Patterns that are subscribed to one after the other leave nothing behind")
    func passingPatterns() {
        let server = TestServer()
        for number in 0..<200 {
            let pattern = "/binaural/{x\(number),layer}/*/*"
            server.send("subscribe", .string(pattern))
            server.send("unsubscribe", .string(pattern))
            server.advance(seconds: 0.025)
        }
        #expect(server.server.feedback.watched.topicCount <= 1)
        subscribe(server, "mixer")
        server.advance(seconds: 0.025)
        #expect(server.server.feedback.watched.topicCount == 1)
    }

    @Test("All subscribers get bye")
    func bye() {
        let server = TestServer()
        subscribe(server, "jack")
        server.send("ping", from: TestServer.other)
        server.advance(seconds: 1)
        server.drop()
        server.server.close(reason: "quit", at: server.now)
        #expect(server.messages() == [OSCMessage("bye", [.string("quit")])])
        #expect(server.isQuiet)
    }

    @Test("Events that come too fast to be sent at once are sent before bye")
    func lastEvents() {
        let server = TestServer()
        subscribe(server, "session")
        server.advance(seconds: 1)
        server.drop()
        for step in ["willSave", "didSave", "willTerminate"] { server.server.publish(.lifecycle(step), at: server.now) }
        server.server.close(reason: "quit", at: server.now)
        let messages = server.messages()
        #expect(
            messages.filter { $0.address == "lifecycle" }.map(\.arguments) == [
                [.string("willSave")], [.string("didSave")], [.string("willTerminate")],
            ])
        #expect(messages.last == OSCMessage("bye", [.string("quit")]))
    }

    @Test("At most 50 packets a second are sent, with the latest values, however fast things change")
    func coalescing() {
        let server = TestServer()
        subscribe(server, "mixer")
        server.advance(seconds: 1)
        server.drop()
        for step in 1...1000 {
            server.advance(seconds: 0.001)
            server.change { $0.player.update { $0.masterGain = -Double(step) / 100 } }
        }
        #expect(server.packets().count <= 50)
        server.advance(seconds: 0.1)
        #expect(server.messages().contains(OSCMessage("master/gain", [.float(-10)])))
    }

    @Test("Now playing in two packets, the clock, the meter and layers together are at most 50 packets a second, however fast they change")
    func budget() {
        let server = TestServer()
        server.change {
            $0.player.update { state in
                for part in [\Patch.Details.title, \.artist, \.album, \.composer, \.genre, \.comment] {
                    state.items[0].patch?.details[keyPath: part] = String(repeating: "x", count: 500)
                }
                state.items[0].patch?.details.artwork = "/" + String(repeating: "x", count: 90)
            }
        }
        for topic in ["now", "tick/20", "meters/40", "layers"] { subscribe(server, topic) }
        server.advance(seconds: 5)
        server.drop()
        var (counts, wholeSets) = ([Int](), 0)
        for step in 1...300 {
            server.change {
                $0.moment.frame += 480
                $0.player.update { state in
                    state.items[0].rating = Double(step % 5 + 1)
                    state.items[0].mutedLayers = step % 2 == 0 ? [0] : []
                }
                $0.nowPlaying.update(from: $0.player.state, at: $0.moment)
            }
            server.advance(seconds: 0.01)
            let packets = server.packets()
            counts.append(packets.count)
            wholeSets += packets.filter { $0.count > 1200 }.count
        }
        let worst = (0...200).map { counts[$0..<$0 + 100].reduce(0, +) }.max() ?? 0
        #expect((40...50).contains(worst), "\(worst) in a second, \(wholeSets) halves of sets")
        #expect(wholeSets > 30, "\(worst) in a second, \(wholeSets) halves of sets")
    }

    @Test("Packets have at most 1400 bytes, also for a thousand layers, which all arrive")
    func packetSize() {
        let server = TestServer()
        server.change {
            $0.player.update { state in
                state.items[0].patch?.layers = (1...1000).map { .init(name: "layer\($0)", kind: .binaural) }
                state.items[0].patch?.details.comment = String(repeating: "ß", count: 5000)
                state.items[0].patch?.details.album = String(repeating: "🎧", count: 500)
                for part in [\Patch.Details.artist, \.composer, \.genre, \.artwork] {
                    state.items[0].patch?.details[keyPath: part] = String(repeating: "x", count: 500)
                }
            }
            $0.nowPlaying.update(from: $0.player.state, at: $0.moment)
        }
        subscribe(server, "layers")
        subscribe(server, "now", from: TestServer.other)
        let now = server.packets(to: TestServer.other)
        // The answer, the set in two, and the end of the snapshot.
        #expect(now.count == 4)
        #expect(now.allSatisfy { $0.count <= 1400 })
        var received: Set<String> = []
        for _ in 0..<400 {
            let packets = server.packets()
            #expect(packets.allSatisfy { $0.count <= 1400 })
            for packet in packets {
                guard case .bundle(let bundle)? = try? OSCPacket(decoding: packet) else { continue }
                for case .message(let message) in bundle.elements { received.insert(message.address) }
            }
            server.advance(seconds: 0.1)
        }
        #expect((1...1000).allSatisfy { received.contains("/binaural/layer/\($0)/width/norm") })
        #expect(received.contains("/binaural/snapshot/end"))
    }
}
