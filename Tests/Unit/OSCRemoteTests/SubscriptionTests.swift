import OSC
import Patches
import Playback
import Testing

@testable import OSCRemote

@Suite("Subscriptions")
struct SubscriptionTests {
    private func subscribe(_ rig: TestServer, _ topic: String, _ rest: OSCArgument..., from source: Endpoint = TestServer.local) {
        rig.receive(.message(OSCMessage("/binaural/subscribe", [.string(topic)] + rest)), from: source)
    }

    @Test("A snapshot of every topic ends with snapshot/end, and nothing follows while nothing changes", arguments: Topic.Group.allCases)
    func snapshots(group: Topic.Group) {
        let rig = TestServer()
        let topic = group == .tick ? "tick/1" : group == .meters ? "meters/1000" : group.rawValue
        subscribe(rig, topic)
        let messages = rig.messages()
        #expect(messages.first == OSCMessage("subscribed", [.string(topic), .int32(1), .int32(30), .int32(50_000)]))
        #expect(messages.last == OSCMessage("snapshot/end", [.string(topic)]))
        let expected = AddressTable.standard.rows.filter { $0.group == group && $0.access != .write }
        let received = Set(messages.map { $0.address.replacing("layer/1/", with: "layer/N/") })
        // A parameter that the first layer lacks.
        let others = ["pulseRate", "duty", "edge", "decay", "delay", "depth", "correlation", "attack", "release"]
        for row in expected where !others.contains(where: { row.path.contains("/\($0)") }) {
            #expect(received.contains(row.path), "\(row.path) is not in the snapshot of \(topic)")
        }
        rig.advance(seconds: 0.9)
        #expect(rig.messages().isEmpty)
    }

    @Test("Subscribing again does not make a second subscription, and sends the snapshot again")
    func idempotent() {
        let rig = TestServer()
        subscribe(rig, "jack")
        let first = rig.messages()
        rig.advance(seconds: 0.1)
        subscribe(rig, "jack")
        #expect(rig.messages() == first)
        rig.change { $0.jack.state = .away }
        #expect(rig.messages() == [OSCMessage("jack/state", [.string("away")])])
    }

    @Test("Only changes are sent, to all subscribers of the topic, and to nobody else")
    func changesOnly() {
        let rig = TestServer()
        subscribe(rig, "mixer")
        subscribe(rig, "commands", from: TestServer.other)
        rig.drop()
        rig.change { $0.player.update { $0.masterGain = -6 } }
        #expect(rig.messages() == [OSCMessage("master/gain", [.float(-6)]), OSCMessage("master/gain/norm", [.float(0.9)])])
        #expect(rig.messages(to: TestServer.other).isEmpty)
        rig.change { _ in }
        rig.advance(seconds: 0.2)
        #expect(rig.messages().isEmpty)
    }

    @Test("Without a subscriber nothing is sent, and the state is not even read")
    func nobody() {
        let rig = TestServer()
        let before = rig.receiver.snapshotCount
        rig.change { $0.jack.state = .away }
        rig.advance(seconds: 1)
        #expect(rig.isQuiet)
        #expect(rig.receiver.snapshotCount == before)
    }

    @Test("Unsubscribing ends one topic, or all")
    func unsubscribe() {
        let rig = TestServer()
        for topic in ["jack", "mixer", "log"] { subscribe(rig, topic) }
        rig.drop()
        rig.send("unsubscribe", .string("jack"))
        #expect(rig.messages() == [OSCMessage("unsubscribed", [.string("jack")])])
        rig.change { $0.jack.state = .away }
        #expect(rig.messages().isEmpty)
        rig.send("unsubscribe")
        #expect(rig.messages() == [OSCMessage("unsubscribed", [.string("mixer")]), OSCMessage("unsubscribed", [.string("log")])])
        rig.change { $0.notice = "x" }
        rig.advance(seconds: 6)
        #expect(rig.isQuiet)
    }

    @Test("A lease ends after 30 s of silence, is reported, and any packet renews it")
    func leases() {
        let rig = TestServer()
        subscribe(rig, "jack")
        rig.advance(seconds: 29)
        rig.drop()
        rig.send("ping")
        rig.advance(seconds: 29)
        #expect(!rig.messages().map(\.address).contains("expired"))
        rig.advance(seconds: 1.1)
        #expect(rig.messages() == [OSCMessage("expired", [.string("jack")])])
        rig.change { $0.jack.state = .away }
        rig.advance(seconds: 6)
        #expect(rig.isQuiet)
    }

    @Test("A lease lasts as long as requested, at most 300 s")
    func leaseLength() {
        let rig = TestServer()
        subscribe(rig, "jack", .int32(0), .int32(5))
        subscribe(rig, "mixer", .int32(0), .int32(100_000))
        #expect(rig.messages().filter { $0.address == "subscribed" }.map { $0.arguments[2] } == [.int32(5), .int32(300)])
        rig.advance(seconds: 5.1)
        #expect(rig.messages() == [OSCMessage("expired", [.string("jack")])])
        rig.advance(seconds: 290)
        #expect(rig.messages().isEmpty)
        rig.advance(seconds: 6)
        #expect(rig.messages() == [OSCMessage("expired", [.string("mixer")])])
    }

    @Test("Answers and feedback go to the requested port of the same address")
    func port() {
        let rig = TestServer()
        let answers = Endpoint(host: .loopback, port: 9000)
        subscribe(rig, "jack", .int32(9000))
        #expect(rig.messages().isEmpty)
        #expect(rig.messages(to: answers).first == OSCMessage("subscribed", [.string("jack"), .int32(1), .int32(30), .int32(9000)]))
        rig.send("ping", .int32(3))
        #expect(rig.messages(to: answers) == [OSCMessage("pong", [.int32(3)])])
        // The app was restarted and sends from another port.
        subscribe(rig, "jack", .int32(9000), from: TestServer.other)
        _ = rig.messages(to: answers)
        rig.change { $0.jack.state = .away }
        #expect(rig.messages(to: answers) == [OSCMessage("jack/state", [.string("away")])])
        #expect(rig.isQuiet)
    }

    @Test("The server's own port is refused, since it would send to itself")
    func ownPort() {
        let rig = TestServer()
        subscribe(rig, "jack", .int32(7830))
        #expect(rig.messages().map { $0.arguments[1] } == [.int32(400)])
        #expect(rig.isQuiet)
    }

    @Test("alive is sent every 5 s, and every 250 ms for 2 s after a change, with the number of the last change")
    func alive() {
        let rig = TestServer()
        subscribe(rig, "jack")
        let first = rig.alive()
        #expect(first == [OSCMessage("alive", [.int64(TestServer.bootID), .int32(1)])])
        rig.advance(seconds: 2.2)
        #expect((7...9).contains(rig.alive().count))
        rig.advance(seconds: 20)
        #expect((3...5).contains(rig.alive().count))
        rig.change { $0.jack.state = .away }
        #expect(rig.alive() == [OSCMessage("alive", [.int64(TestServer.bootID), .int32(2)])])
        rig.advance(seconds: 0.3)
        #expect(rig.alive() == [OSCMessage("alive", [.int64(TestServer.bootID), .int32(2)])])
    }

    @Test("A peer that the network reports as unreachable three times is dropped; one that sends meanwhile is not")
    func unreachable() {
        let rig = TestServer()
        subscribe(rig, "jack")
        for _ in 0..<2 { rig.server.unreachable(.udp(TestServer.local), at: rig.now) }
        rig.send("ping")
        for _ in 0..<2 { rig.server.unreachable(.udp(TestServer.local), at: rig.now) }
        rig.drop()
        rig.change { $0.jack.state = .away }
        #expect(rig.messages().count == 1)
        rig.server.unreachable(.udp(TestServer.local), at: rig.now)
        rig.change { $0.jack.state = .running }
        #expect(rig.isQuiet)
    }

    @Test("A peer has at most 16 topics; of 64 peers, those that only read give way")
    func limits() {
        let rig = TestServer()
        for hertz in 1...16 { subscribe(rig, "tick/\(hertz)") }
        rig.drop()
        subscribe(rig, "tick/17")
        #expect(rig.messages().map(\.address) == ["error"])
        for port in 0..<100 { rig.send("ping", from: Endpoint(host: .loopback, port: UInt16(10_000 + port))) }
        for port in 0..<63 { subscribe(rig, "jack", from: Endpoint(host: .loopback, port: UInt16(20_000 + port))) }
        rig.drop()
        let late = Endpoint(host: .loopback, port: 30_000)
        subscribe(rig, "jack", from: late)
        #expect(rig.messages(to: late).first?.arguments[1] == .int32(413))
        rig.send("ping", .int32(1), from: late)
        #expect(rig.messages(to: late) == [OSCMessage("pong", [.int32(1)])])
    }

    @Test("An invalid topic is 400", arguments: ["", "tick", "tick/x", "now/1", "nowhere", "/a[", "meters/"])
    func noTopic(name: String) {
        let rig = TestServer()
        subscribe(rig, name)
        let messages = rig.messages()
        #expect(messages.count == 1)
        #expect(messages.first?.arguments.dropFirst().first == .int32(400))
    }

    @Test("An address pattern is a topic: its addresses are sent, and no others")
    func pattern() {
        let rig = TestServer()
        subscribe(rig, "/binaural/layer/[12]/gain")
        #expect(rig.messages().map(\.address) == ["subscribed", "layer/1/gain", "layer/2/gain", "snapshot/end"])
        rig.send("layer/2/gain", .float(-40), from: TestServer.other)
        rig.send("layer/3/gain", .float(-40), from: TestServer.other)
        #expect(rig.messages() == [OSCMessage("layer/2/gain", [.float(-40)])])
        subscribe(rig, "/binaural/session/dirty", from: TestServer.other)
        rig.drop()
        rig.change { $0.session.isDirty = true }
        #expect(rig.messages(to: TestServer.other) == [OSCMessage("session/dirty", [.int32(1)])])
    }

    @Test(
        "A pattern does not subscribe to anything that changes because time passes",
        arguments: ["/binaural/*", "/binaural/now/*", "/binaural/position/*", "/binaural/{meter,repeat}"])
    func patternsWithoutClock(pattern: String) {
        let rig = TestServer()
        rig.send("play")
        subscribe(rig, pattern)
        let snapshot = rig.messages().map(\.address)
        #expect(!snapshot.contains { ["meter", "position", "now/tick", "now/norm", "now/text", "position/norm"].contains($0) })
        for step in 1...20 {
            rig.receiver.meter.peakLeft = Double(-step)
            rig.advance(seconds: 0.1)
        }
        #expect(rig.messages().isEmpty)
    }

    @Test("A pattern omits only addresses that change by themselves; an address without wildcards can be any of them")
    func withoutTopic() {
        let rows = AddressTable.standard.rows.filter { $0.isPatternTarget && $0.group == nil && $0.access != .write }
        #expect(rows.map(\.path) == ["position", "position/norm", "sleep", "sleep/norm"])
        let rig = TestServer()
        rig.send("play")
        subscribe(rig, "/binaural/position")
        rig.drop()
        rig.advance(seconds: 10)
        // Often enough to follow it, and no more often than the clock topic.
        #expect((190...205).contains(rig.messages().filter { $0.address == "position" }.count))
        rig.send("pause")
        rig.advance(seconds: 1)
        rig.drop()
        rig.advance(seconds: 1)
        #expect(rig.messages().isEmpty)
        // Another peer's set is sent at once.
        rig.send("position", .float(200), from: TestServer.other)
        #expect(rig.messages() == [OSCMessage("position", [.float(200)])])
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
        let rig = TestServer()
        subscribe(rig, topic)
        let messages = rig.messages()
        #expect(messages.first?.address == (code == nil ? "subscribed" : "error"))
        if let code { #expect(messages.map { $0.arguments[1] } == [.int32(code)]) }
    }

    @Test("A bookmark and the note of a carrier are sent to the subscribers of their topics")
    func bookmarkAndNote() {
        let rig = TestServer()
        subscribe(rig, "commands")
        subscribe(rig, "layers")
        rig.advance(seconds: 2)
        rig.drop()
        rig.send("bookmark", .int32(1), from: TestServer.other)
        rig.send("layer/4/carrier", .float(110), from: TestServer.other)
        rig.advance(seconds: 1)
        let received = rig.messages()
        #expect(received.contains(OSCMessage("bookmark", [.int32(1)])))
        #expect(received.contains(OSCMessage("layer/4/note", [.int32(45)])))
    }

    @Test("A peer that holds a seek or a control, or has sent bundles ahead, does not give way to new peers; its lease ends all of it")
    func givingWay() {
        let rig = TestServer()
        rig.send("seek/forward", .int32(1))
        rig.send("touch/layer/1/gain", .int32(1), from: TestServer.other)
        let (idle, ahead) = (Endpoint(host: .loopback, port: 9998), Endpoint(host: .loopback, port: 9999))
        rig.send("ping", from: idle)
        let later = OSCBundle(timeTag: rig.now.timeTag.advanced(bySeconds: 1), messages: [OSCMessage("/binaural/next")])
        rig.receive(.bundle(later), from: ahead)
        let muchLater = OSCBundle(timeTag: rig.now.timeTag.advanced(bySeconds: 50), messages: [OSCMessage("/binaural/previous")])
        rig.receive(.bundle(muchLater), from: ahead)
        rig.drop()
        for port in 0..<63 { rig.send("subscribe", .string("jack"), from: Endpoint(host: .loopback, port: UInt16(20_000 + port))) }
        #expect(rig.receiver.player.state.heldSeek != nil)
        #expect(rig.receiver.player.state.held.count == 1)
        // One of them took the place of the one that was only known; for the two others there was none.
        let answers = (0..<63).flatMap { rig.messages(to: Endpoint(host: .loopback, port: UInt16(20_000 + $0))) }
        #expect(answers.filter { $0.address == "subscribed" }.count == 61)
        #expect(answers.filter { $0.address == "error" }.map { $0.arguments[1] } == [.int32(413), .int32(413)])
        rig.advance(seconds: 2)
        #expect(rig.receiver.performed.contains(.next))
        // They are still known: the end of their leases ends their holds and waiting bundles.
        rig.advance(seconds: 58)
        #expect(!rig.receiver.performed.contains(.previous))
        #expect(rig.server.nextDue == nil)
        #expect(rig.receiver.performed.contains(.seek(.forward, begins: false)))
        #expect(rig.receiver.player.state.held.isEmpty)
    }

    @Test("A peer without a place among the 64 cannot have waiting bundles; what is due is applied all the same")
    func crowded() {
        let rig = TestServer()
        for port in 0..<64 { rig.send("subscribe", .string("jack"), from: Endpoint(host: .loopback, port: UInt16(20_000 + port))) }
        rig.drop()
        for (seconds, command) in [(1.0, "next"), (-1, "play")] {
            let tag = rig.now.timeTag.advanced(bySeconds: seconds)
            rig.receive(.bundle(OSCBundle(timeTag: tag, messages: [OSCMessage("/binaural/\(command)")])))
        }
        #expect(rig.messages().map { $0.arguments[1] } == [.int32(413)])
        rig.advance(seconds: 2)
        #expect(rig.receiver.performed == [.play])
    }

    @Test("Clock and meter are sent at exactly their rate, on average")
    func rates() {
        let rig = TestServer()
        rig.send("play")
        subscribe(rig, "tick/20")
        subscribe(rig, "meters/40", from: TestServer.other)
        rig.drop()
        rig.advance(seconds: 10)
        let ticks = rig.messages()
        #expect((198...201).contains(ticks.filter { $0.address == "now/tick" }.count))
        #expect((198...201).contains(ticks.filter { $0.address == "now/text" }.count))
        #expect((248...251).contains(rig.messages(to: TestServer.other).filter { $0.address == "meter" }.count))
    }

    @Test("Patterns that are subscribed to one after the other leave nothing behind")
    func passingPatterns() {
        let rig = TestServer()
        for number in 0..<200 {
            let pattern = "/binaural/{x\(number),layer}/*/*"
            rig.send("subscribe", .string(pattern))
            rig.send("unsubscribe", .string(pattern))
            rig.advance(seconds: 0.025)
        }
        #expect(rig.server.feedback.watched.topicCount <= 1)
        subscribe(rig, "mixer")
        rig.advance(seconds: 0.025)
        #expect(rig.server.feedback.watched.topicCount == 1)
    }

    @Test("All subscribers get bye")
    func bye() {
        let rig = TestServer()
        subscribe(rig, "jack")
        rig.send("ping", from: TestServer.other)
        rig.drop()
        rig.server.close(reason: "quit", at: rig.now)
        #expect(rig.messages() == [OSCMessage("bye", [.string("quit")])])
        #expect(rig.isQuiet)
    }

    @Test("At most 50 packets a second are sent, with the latest values, however fast things change")
    func coalescing() {
        let rig = TestServer()
        subscribe(rig, "mixer")
        rig.advance(seconds: 1)
        rig.drop()
        for step in 1...1000 {
            rig.advance(seconds: 0.001)
            rig.change { $0.player.update { $0.masterGain = -Double(step) / 100 } }
        }
        #expect(rig.packets().count <= 50)
        rig.advance(seconds: 0.1)
        #expect(rig.messages().contains(OSCMessage("master/gain", [.float(-10)])))
    }

    @Test("Now playing in two packets, the clock, the meter and layers together are at most 50 packets a second, however fast they change")
    func budget() {
        let rig = TestServer()
        rig.change {
            $0.player.update { state in
                for part in [\Patch.Details.title, \.artist, \.album, \.composer, \.genre, \.comment] {
                    state.items[0].patch?.details[keyPath: part] = String(repeating: "x", count: 500)
                }
                state.items[0].patch?.details.artwork = "/" + String(repeating: "x", count: 90)
            }
        }
        for topic in ["now", "tick/20", "meters/40", "layers"] { subscribe(rig, topic) }
        rig.advance(seconds: 5)
        rig.drop()
        var (counts, wholeSets) = ([Int](), 0)
        for step in 1...300 {
            rig.change {
                $0.moment.frame += 480
                $0.player.update { state in
                    state.items[0].rating = Double(step % 5 + 1)
                    state.items[0].mutedLayers = step % 2 == 0 ? [0] : []
                }
                $0.nowPlaying.update(from: $0.player.state, at: $0.moment)
            }
            rig.advance(seconds: 0.01)
            let packets = rig.packets()
            counts.append(packets.count)
            wholeSets += packets.filter { $0.count > 1200 }.count
        }
        let worst = (0...200).map { counts[$0..<$0 + 100].reduce(0, +) }.max() ?? 0
        #expect((40...50).contains(worst), "\(worst) in a second, \(wholeSets) halves of sets")
        #expect(wholeSets > 30, "\(worst) in a second, \(wholeSets) halves of sets")
    }

    @Test("Packets have at most 1400 bytes, also for a thousand layers, which all arrive")
    func packetSize() {
        let rig = TestServer()
        rig.change {
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
        subscribe(rig, "layers")
        subscribe(rig, "now", from: TestServer.other)
        let now = rig.packets(to: TestServer.other)
        // The answer, the set in two, and the end of the snapshot.
        #expect(now.count == 4)
        #expect(now.allSatisfy { $0.count <= 1400 })
        var received: Set<String> = []
        for _ in 0..<400 {
            let packets = rig.packets()
            #expect(packets.allSatisfy { $0.count <= 1400 })
            for packet in packets {
                guard case .bundle(let bundle)? = try? OSCPacket(decoding: packet) else { continue }
                for case .message(let message) in bundle.elements { received.insert(message.address) }
            }
            rig.advance(seconds: 0.1)
        }
        #expect((1...1000).allSatisfy { received.contains("/binaural/layer/\($0)/width/norm") })
        #expect(received.contains("/binaural/snapshot/end"))
    }
}
