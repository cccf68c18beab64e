import OSC
import TestSupport
import Testing

@Suite("Any bytes are a packet or a typed error")
struct GarbageTests {
    static let samples: [[UInt8]] = [
        OSCMessage("/binaural/layer/1/beat", [.float(4), .float(10), .string("sineInOut")]).encoded,
        OSCMessage("/everything", CodecTests.everyKind).encoded,
        OSCBundle(
            timeTag: TimeTag(rawValue: 77),
            elements: [
                .message(OSCMessage("/a", [.blob([9, 8, 7])])),
                .bundle(OSCBundle(messages: [OSCMessage("/b", CodecTests.everyKind), OSCMessage("/c")])),
            ]
        ).encoded,
    ]

    /// An accepted packet must be the same after encoding and decoding again; and nothing may crash.
    private func decode(_ bytes: [UInt8]) throws -> Bool {
        do throws(PacketError) {
            let packet = try OSCPacket(decoding: bytes)
            let again = packet.encoded
            #expect(try OSCPacket(decoding: again).encoded == again)
            return true
        } catch {
            if case .refusedByDecoder = error.reason { Issue.record("the check let through what liblo refuses: \(bytes)") }
            return false
        }
    }

    @Test("Packets truncated anywhere", arguments: samples)
    func truncations(sample: [UInt8]) throws {
        for length in 0..<sample.count {
            // Some prefixes of a message are messages, such as its address alone; none is as long as the whole.
            _ = try decode(Array(sample[..<length]))
        }
        #expect(try decode(sample))
    }

    @Test("Packets mutated at random", arguments: samples)
    func mutations(sample: [UInt8]) throws {
        var random = SplitMix64(seed: UInt64(sample.count))
        var taken = 0
        for _ in 0..<20_000 {
            var bytes = sample
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 2: bytes[place] = [0, 0xFF, 0x7F, 0x80, 0x2C, 0x23].randomElement(using: &random)!
                case 3 where bytes.count > 8: bytes.removeSubrange(place / 4 * 4..<min(place / 4 * 4 + 4, bytes.count))
                default: bytes.insert(contentsOf: bytes[(place / 4 * 4)...].prefix(4), at: place / 4 * 4)
                }
            }
            if try decode(bytes) { taken += 1 }
        }
        // Mutations must be both accepted and refused, or the test proves nothing.
        #expect(taken > 500)
        #expect(taken < 19_500)
    }

    @Test("Random bytes, and random type tags with random arguments")
    func noise() throws {
        var random = SplitMix64(seed: 1)
        var taken = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...16, using: &random) * 4
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            if count > 0 { bytes[0] = [0x2F, 0x23].randomElement(using: &random)! }
            _ = try decode(bytes)
            let tags = (0..<Int.random(in: 0...2, using: &random)).map { _ in Array("ifsbhTNQ".utf8).randomElement(using: &random)! }
            let head = Array("/a\0\0,".utf8) + tags + [UInt8](repeating: 0, count: 3 - tags.count)
            if try decode(head + bytes.prefix(4 * Int.random(in: 0...3, using: &random))) { taken += 1 }
        }
        // Without arguments alone one in twelve is a packet, and arguments without a type tag never are.
        #expect(taken > 1000)
        #expect(taken < 15_000)
    }
}
