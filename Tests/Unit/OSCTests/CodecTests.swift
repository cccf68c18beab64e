import OSC
import Testing

@Suite("Encoding and decoding")
struct CodecTests {
    static let everyKind: [OSCArgument] = [
        .int32(-2), .int64(1 << 40), .float(0.5), .double(-1e300), .string("Tiefe Wellen – å"), .symbol("sym"), .blob([1, 2, 3, 4, 5]),
        .blob([]), .timeTag(TimeTag(rawValue: 0x8000_0001_0000_0002)), .character(0x41), .midi(0x0190_3C7F), .true, .false, .nil,
        .infinitum,
        .string(""), .int32(7),
    ]

    @Test("A message with every kind of argument is decoded as it was encoded")
    func roundTrip() throws {
        let message = OSCMessage("/binaural/x", Self.everyKind)
        #expect(try OSCPacket(decoding: message.encoded) == .message(message))
        #expect(message.typeTags == "ihfdsSbbtcmTFNIsi")
    }

    @Test("Nested bundles are decoded as they were encoded")
    func nestedBundles() throws {
        let inner = OSCBundle(timeTag: TimeTag(rawValue: 99), messages: [OSCMessage("/b", [.float(1)]), OSCMessage("/c")])
        let bundle = OSCPacket.bundle(
            OSCBundle(elements: [.message(OSCMessage("/a", [.int32(1)])), .bundle(inner), .bundle(OSCBundle(elements: []))]))
        #expect(try OSCPacket(decoding: bundle.encoded) == bundle)
        guard case .bundle(let outer) = bundle else { return }
        #expect(OSCBundle.encoded(timeTag: .immediate, elements: outer.elements.map(\.encoded)) == bundle.encoded)
    }

    /// Bytes after the OSC 1.0 specification, written by hand.
    @Test("The bytes are those of the specification")
    func bytesOfTheSpecification() {
        #expect(
            OSCMessage("/oscillator/4/frequency", [.float(440)]).encoded == Array("/oscillator/4/frequency\0,f\0\0".utf8) + [
                0x43, 0xDC, 0, 0,
            ])
        #expect(
            OSCMessage("/foo", [.character(0x41), .midi(0x0102_0304)]).encoded == Array("/foo\0\0\0\0,cm\0".utf8) + [
                0, 0, 0, 0x41, 1, 2, 3, 4,
            ])
        #expect(OSCBundle(elements: []).encoded == Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1])
    }

    @Test("An address without type tags is a message without arguments")
    func missingTypeTags() throws {
        #expect(try OSCPacket(decoding: Array("/binaural/play\0\0".utf8)) == .message(OSCMessage("/binaural/play")))
        #expect(try OSCPacket(decoding: Array("/abc\0\0\0\0".utf8)) == .message(OSCMessage("/abc")))
    }

    @Test("A string ends at its first NUL, and bytes that are not UTF-8 are replaced")
    func oddStrings() throws {
        #expect(try OSCPacket(decoding: OSCMessage("/a", [.string("ab\0cd")]).encoded) == .message(OSCMessage("/a", [.string("ab")])))
        let invalid = Array("/a\0\0,s\0\0".utf8) + [0x61, 0xFF, 0x62, 0]
        #expect(try OSCPacket(decoding: invalid) == .message(OSCMessage("/a", [.string("a\u{FFFD}b")])))
    }

    @Test("NaN and infinity are decoded unchanged")
    func notANumber() throws {
        guard case .message(let message) = try OSCPacket(decoding: OSCMessage("/a", [.float(.nan), .double(-.infinity)]).encoded),
            case .float(let float) = message.arguments[0]
        else {
            Issue.record("a message was expected")
            return
        }
        #expect(float.isNaN)
        #expect(message.arguments[1] == .double(-.infinity))
    }
}
