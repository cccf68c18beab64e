import OSC
import OSCRemote
import Patches
import Playback
import Testing

/// Two servers, each of which gets everything that the other one sends, as if from a peer.
@Suite struct CrossTalkTests {
    private static let first = Endpoint(host: .loopback, port: 7830)
    private static let second = Endpoint(host: .loopback, port: 7831)

    /// How they were connected to each other.
    enum Bond: CaseIterable { case feedback, subscriptions }

    private static let topics = ["now", "commands", "layers", "mixer", "session", "jack", "log", "tick/10", "meters/100"]

    /// Two rigs, and the packets between them.
    private final class Pair {
        let rigs: [TestServer]
        private(set) var packetCount = 0
        private static let endpoints = [first, second]

        init(_ bond: Bond) {
            rigs = Self.endpoints.indices.map { index in
                TestServer {
                    guard bond == .feedback else { return }
                    $0.feedback = [FeedbackPeer("\(Self.endpoints[1 - index])=\(CrossTalkTests.topics.joined(separator: ","))")!]
                }
            }
            for (index, server) in rigs.enumerated() where bond == .subscriptions {
                for topic in CrossTalkTests.topics + ["/binaural/touch/layer/1/gain"] {
                    server.send("subscribe", .string(topic), from: Self.endpoints[1 - index])
                }
            }
        }

        /// Lets time pass, and exchanges packets.
        func advance(seconds: Double) {
            for _ in 0..<Int((seconds / 0.025).rounded()) {
                for (index, server) in rigs.enumerated() {
                    server.advance(seconds: 0.025)
                    for packet in server.packets(to: Self.endpoints[1 - index]) {
                        packetCount += 1
                        rigs[1 - index].receive(bytes: packet, from: Self.endpoints[index])
                    }
                }
            }
        }

        /// Packets of a second in which nobody does anything.
        func packetsInRest() -> Int {
            let before = packetCount
            advance(seconds: 1)
            return packetCount - before
        }
    }

    /// The packets of two clocks and two meters, and the alive messages.
    private static let clocks = 2 * (10 + 10) + 2

    @Test("two servers without commands send each other nothing but clocks, meters and alive messages", arguments: Bond.allCases)
    func rest(bond: Bond) {
        let pair = Pair(bond)
        pair.advance(seconds: 8)
        #expect(pair.packetsInRest() <= Self.clocks)
    }

    @Test("after any command to one of them, they stop sending each other changes, and execute no other command", arguments: Bond.allCases)
    func sets(bond: Bond) {
        let pair = Pair(bond)
        pair.advance(seconds: 3)
        let hand = Endpoint(host: .loopback, port: 60_000)
        let steps: [(String, [OSCArgument])] = [
            ("layer/1/gain", [.float(-33.37)]), ("layer/1/carrier", [.float(233.3)]), ("layer/1/beat/norm", [.float(0.1234)]),
            ("master/gain", [.float(-7.77)]), ("tuning/a4/norm", [.float(0.333)]), ("layer/1/xy", [.float(0.3), .float(0.7)]),
            ("layer/4/note", [.string("C#4")]), ("layer/2/mute", [.int32(1)]), ("layer/3/solo", [.int32(1)]),
            ("layer/select", [.int32(2)]), ("shuffle", [.string("items")]), ("repeat", [.string("all")]), ("rate", [.float(1.7)]),
            ("rating", [.float(3)]), ("like", [.int32(1)]), ("dislike", [.int32(1)]), ("preferences/crossfade", [.float(3.3)]),
            ("preferences/shake", [.string("next")]), ("touch/mode", [.string("return")]), ("touch/layer/1/gain", [.int32(1)]),
            ("layer/1/gain", [.float(-20)]), ("touch/layer/1/gain", [.int32(0)]), ("play", []), ("queue/select", [.int32(2)]),
            ("stop", []), ("undo", []),
        ]
        for (address, arguments) in steps {
            pair.rigs[0].receive(.message(OSCMessage("/binaural/" + address, arguments)), from: hand)
            pair.rigs[0].drop()
            pair.advance(seconds: 2)
            let rest = pair.packetsInRest()
            #expect(rest <= Self.clocks, "\(rest) packets a second after \(address)")
        }
        // Feedback must not cause commands.
        #expect(!pair.rigs[1].receiver.performed.contains(.play))
    }

    @Test("the other's answers do not change a server's own state: a touch that is read is not a touch")
    func questions() {
        let server = TestServer()
        server.send("jack/connections", from: Self.second)
        let sent = server.messages(to: Self.second)
        #expect(sent == [OSCMessage("jack/connections", [.string("")])])
        let other = TestServer()
        other.send("jack/connections", .string(""), from: Self.first)
        #expect(other.isQuiet)
    }

    @Test("a peer that only answers does not renew its lease")
    func leases() {
        let pair = Pair(.subscriptions)
        pair.advance(seconds: 35)
        #expect(pair.packetsInRest() == 0)
    }
}
