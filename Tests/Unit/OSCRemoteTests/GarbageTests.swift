import OSC
import OSCRemote
import Patches
import Playback
import TestSupport
import Testing

@Suite("Garbage")
struct GarbageTests {
    @Test("Malformed packets are counted, logged at most once a second, and get at most one short error each")
    func malformed() {
        let server = TestServer()
        for count in 1...50 { server.receive(bytes: [UInt8](repeating: 0x2F, count: count)) }
        #expect(server.server.statistics.malformedPackets == 50)
        #expect(server.log.all.count == 1)
        let answers = server.packets()
        #expect(answers.count == 10)
        #expect(answers.allSatisfy { $0.count < 200 })
        server.advance(seconds: 1.1)
        server.receive(bytes: [0])
        #expect(server.log.all.count == 2)
    }

    @Test("A message with an unknown kind of argument is answered under its address, shortened like every text")
    func unknownKind() {
        let server = TestServer()
        server.receive(bytes: Array("/binaural/layer/1/beat\0\0,Q\0\0\0\0\0\0".utf8))
        #expect(
            server.messages(to: TestServer.local) == [
                OSCMessage(
                    "error",
                    [
                        .string("/binaural/layer/1/beat"), .int32(400),
                        .string("Malformed OSC packet: unknown type tag 0x51, at byte 28."),
                    ])
            ])
        server.drop()
        server.receive(bytes: Array(("/" + String(repeating: "x", count: 2002) + "\0,Q\0\0").utf8))
        #expect(server.packets().allSatisfy { $0.count < 200 })
    }

    @Test("Any arguments to any address: no crash, answers within bounds, and numbers stay finite and in range")
    func anything() {
        let server = TestServer()
        var random = SplitMix64(seed: 3)
        server.send("subscribe", .string("layers"))
        let odd: [OSCArgument] = [
            .float(.nan), .float(.infinity), .double(1e308), .double(-1e308), .int64(.max), .int64(.min), .int32(.min), .string(""), .nil,
            .infinitum,
            .string(String(repeating: "𝄞", count: 300)), .blob([0, 1]), .timeTag(TimeTag(rawValue: .max)), .true, .false, .midi(1),
            .character(0),
            .float(.leastNonzeroMagnitude), .float(-0.0), .int32(1), .float(0.5), .symbol("A4"),
        ]
        let paths = AddressTable.standard.rows.map(\.path).filter { $0 != "quit" }
        for round in 0..<20_000 {
            let path = paths.randomElement(using: &random)!
            let layer = ["1", "2", "5", "9", "selected", "*", "[0-9]", "{1,", "0"].randomElement(using: &random)!
            let arguments = (0..<Int.random(in: 0...4, using: &random)).map { _ in odd.randomElement(using: &random)! }
            let address = "/binaural/" + path.replacing("/N/", with: "/\(layer)/")
            if round.isMultiple(of: 10) {
                server.receive(.bundle(OSCBundle(timeTag: TimeTag(rawValue: random.next()), messages: [OSCMessage(address, arguments)])))
            } else {
                server.receive(.message(OSCMessage(address, arguments)))
            }
            if round.isMultiple(of: 100) { server.advance(seconds: 0.05) }
            #expect(server.packetsToAll().allSatisfy { $0.count <= 1400 })
        }
        let state = server.receiver.player.state
        #expect(state.masterGain.isFinite)
        #expect(state.masterGain <= 0)
        #expect(state.a4.isFinite)
        for item in state.items {
            for edit in item.edits {
                let range = item.patch?.layers[edit.setting.layer].description(of: edit.setting.parameter)?.range
                #expect(range?.contains(edit.setting.value) == true)
            }
        }
    }

    @Test("Random mutations of real packets: no crash, answers within bounds")
    func mutations() {
        let server = TestServer()
        var random = SplitMix64(seed: 9)
        let samples = [
            OSCMessage("/binaural/layer/1/beat", [.float(4), .float(10), .string("sineInOut")]).encoded,
            OSCMessage("/binaural/subscribe", [.string("tick/20"), .int32(9000), .int32(30)]).encoded,
            OSCMessage("/binaural/layer/[1-3]/{gain,pan}", [.float(0)]).encoded,
            OSCBundle(messages: [OSCMessage("/binaural/play"), OSCMessage("/binaural/describe", [.string("layer")])]).encoded,
        ]
        for round in 0..<20_000 {
            var bytes = samples.randomElement(using: &random)!
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if round.isMultiple(of: 7) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            server.receive(bytes: bytes)
            if round.isMultiple(of: 100) { server.advance(seconds: 0.05) }
            #expect(server.packetsToAll().allSatisfy { $0.count <= 1400 })
        }
        #expect(server.server.statistics.malformedPackets > 1000)
    }

    @Test("Outgoing texts are cut at a character boundary: 128 bytes for a title, 256 for a comment, 96 for others")
    func texts() throws {
        let server = TestServer()
        server.receiver.player.update { state in
            state.items[0].patch?.details.title = "ab" + String(repeating: "ß", count: 100)
            state.items[0].patch?.details.comment = "a" + String(repeating: "🎧", count: 100)
            state.items[0].patch?.details.artist = String(repeating: "x", count: 100)
            state.items[0].patch?.details.genre = String(repeating: "ß", count: 48)
        }
        func text(_ address: String) -> String {
            server.send(address)
            guard case .string(let text)? = server.messages().first?.arguments.first else { return "" }
            return text
        }
        #expect(text("now/title") == "ab" + String(repeating: "ß", count: 63))
        #expect(text("now/comment") == "a" + String(repeating: "🎧", count: 63))
        #expect(text("now/artist") == String(repeating: "x", count: 96))
        #expect(text("now/genre") == String(repeating: "ß", count: 48))
    }
}
