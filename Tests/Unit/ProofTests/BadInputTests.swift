import Glibc
import OSC
import OSCRemote
import Playback
import TestSupport
import Testing

/// Invalid input.
@Suite struct BadInputTests {
    private static let stranger = Endpoint("203.0.113.7:9000")!

    /// Truncated, nested, huge, and with wrong sizes.
    private static let bad: [[UInt8]] = {
        let good = OSCMessage("/binaural/layer/1/beat", [.float(4), .float(10), .string("sineInOut")]).encoded
        var packets = (0..<good.count).map { Array(good[..<$0]) }
        var nested = good
        for _ in 0..<40 { nested = OSCBundle.encoded(timeTag: .immediate, elements: [nested]) }
        packets.append(nested)
        packets.append(OSCBundle.encoded(timeTag: .immediate, elements: Array(repeating: OSCMessage("/a").encoded, count: 2000)))
        packets.append([UInt8](repeating: 0x2F, count: 65_507))
        packets.append(Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 0xFF, 0xFF, 0xFC] + good)
        packets.append(Array("/binaural/ping\0\0,b\0\0".utf8) + [0x7F, 0xFF, 0xFF, 0xFF] + Array("abcd".utf8))
        return packets
    }()

    @Test("Truncated, nested and huge packets get an allowed peer one error of at most 300 bytes, and a stranger nothing")
    func malformed() {
        for packet in Self.bad {
            let server = TestServer()
            server.receive(bytes: packet)
            let answers = server.packetsToAll()
            #expect(answers.count <= 1, "\(packet.prefix(80))")
            #expect(answers.allSatisfy { $0.count <= 300 }, "\(packet.prefix(80))")
            #expect(server.receiver.performed.isEmpty)
            server.receive(bytes: packet, from: Self.stranger)
            #expect(server.isQuiet)
        }
    }

    @Test("A pattern of stars, which takes a backtracking matcher seconds, takes at most 16 times as long as one of question marks")
    func stars() {
        func time(_ pattern: String) -> Duration {
            let server = TestServer()
            let packet = OSCMessage(pattern + "#").encoded
            // The best of many: a single one may include an interrupt.
            let times = (0..<50).map { _ in
                let begin = processorTime()
                server.receive(bytes: packet)
                return processorTime() - begin
            }
            return times.min()!
        }
        for (start, count) in [("/", 9), ("/binaural/", 100)] {
            let stars = time(start + String(repeating: "*?", count: count))
            #expect(stars < time(start + String(repeating: "??", count: count)) * 16, "\(start)")
        }
    }

    @Test("NaN and infinity, in any argument of any address, change nothing")
    func notANumber() {
        let wild: [OSCArgument] = [.float(.nan), .float(.infinity), .float(-.infinity), .double(.nan), .double(.infinity)]
        for row in AddressTable.standard.rows where row.path != "quit" {
            let address = "/binaural/" + row.path.replacing("/N/", with: "/1/")
            for place in 0..<max(1, row.inputs.count) {
                guard row.inputs.isEmpty || Self.isNumber(row.inputs[place].kind) else { continue }
                for value in wild {
                    let server = TestServer()
                    let before = server.receiver.player.state
                    server.receive(.message(OSCMessage(address, [OSCArgument](repeating: .float(0.5), count: place) + [value])))
                    #expect(server.receiver.player.state == before, "\(row.path), argument \(place): \(value)")
                    #expect(server.receiver.performed.isEmpty, "\(row.path), argument \(place): \(value)")
                }
            }
        }
    }

    private static func isNumber(_ kind: Input.Kind) -> Bool {
        switch kind {
        case .text, .timeTag, .blob: false
        default: true
        }
    }

    @Test("3000 bundles far in the future, of one peer or of many, wait within their limits, and panic drops all of them")
    func future() {
        let server = TestServer()
        // Before any of their leases ends.
        for index in 0..<3000 {
            let bundle = OSCBundle(timeTag: server.now.timeTag.advanced(bySeconds: 20), messages: [OSCMessage("/binaural/next")])
            server.receive(
                .bundle(bundle), from: index < 1000 ? TestServer.local : Endpoint(host: .loopback, port: UInt16(20_000 + index % 60)))
        }
        server.advance(seconds: 19)
        #expect(server.receiver.performed.isEmpty)
        server.advance(seconds: 2)
        // 256 of one peer; the others stayed within their limits.
        #expect(server.receiver.performed.count == 256 + 2000)
        #expect(server.server.statistics.refusedBundles == 1000 - 256)
        server.receiver.performed = []
        for _ in 0..<300 {
            server.receive(.bundle(OSCBundle(timeTag: server.now.timeTag.advanced(bySeconds: 9), messages: [OSCMessage("/binaural/next")])))
        }
        server.send("panic")
        server.advance(seconds: 10)
        #expect(server.receiver.performed == [.panic])
    }
}
