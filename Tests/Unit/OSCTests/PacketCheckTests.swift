import OSC
import Testing

@Suite("Malformed packets")
struct PacketCheckTests {
    static func fault(_ bytes: [UInt8]) -> PacketError? {
        do throws(PacketError) {
            _ = try OSCPacket(decoding: bytes)
            return nil
        } catch { return error }
    }

    static func bytes(_ text: String, _ rest: UInt8...) -> [UInt8] { Array(text.utf8) + rest }

    @Test(
        "Each fault is reported with its place",
        arguments: [
            ([], .empty, 0),
            (bytes("/a\0"), .sizeNotMultipleOfFour(bytes: 3), 0),
            (bytes("abc\0"), .noAddress, 0),
            (bytes("#bundlX\0", 0, 0, 0, 0, 0, 0, 0, 1), .noAddress, 0),
            (bytes("/a\u{7F}\0"), .addressNotPrintable, 0),
            (bytes("/a b\0\0\0\0,\0\0\0"), .addressNotPrintable, 0),
            (bytes("/abcdefg"), .unterminatedString, 0),
            (bytes("/a\0x,\0\0\0"), .paddingNotZero, 2),
            (bytes("/a\0\0i\0\0\0"), .noTypeTags, 4),
            (bytes("/a\0\0,iii"), .unterminatedString, 4),
            (bytes("/a\0\0,Q\0\0"), .unknownTypeTag(UInt8(ascii: "Q")), 8),
            (bytes("/a\0\0,[i]\0\0\0\0", 0, 0, 0, 1), .unknownTypeTag(UInt8(ascii: "[")), 12),
            (bytes("/a\0\0,i\0\0"), .argumentPastEnd, 8),
            (bytes("/a\0\0,h\0\0", 0, 0, 0, 1), .argumentPastEnd, 8),
            (bytes("/a\0\0,s\0\0"), .argumentPastEnd, 8),
            (bytes("/a\0\0,s\0\0abcd"), .unterminatedString, 8),
            (bytes("/a\0\0,b\0\0"), .argumentPastEnd, 8),
            (bytes("/a\0\0,b\0\0", 0, 0, 0, 5, 1, 2, 3, 4), .blobPastEnd(length: 5), 8),
            (bytes("/a\0\0,b\0\0", 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4), .blobPastEnd(length: 0xFFFF_FFFF), 8),
            (bytes("/a\0\0,b\0\0", 0, 0, 0, 3, 1, 2, 3, 4), .paddingNotZero, 15),
            (bytes("/a\0\0,\0\0\0", 0, 0, 0, 1), .bytesAfterArguments(count: 4), 8),
            (bytes("#bundle\0", 0, 0, 0, 0), .bundleTooShort, 0),
            (bytes("#bundle\0", 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 8), .elementPastEnd(length: 8), 16),
            (bytes("#bundle\0", 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0), .elementPastEnd(length: 0), 16),
            (bytes("#bundle\0", 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 3, 0x2F, 0, 0, 0), .sizeNotMultipleOfFour(bytes: 3), 20),
        ] as [([UInt8], PacketError.Reason, Int)])
    func faults(bytes: [UInt8], reason: PacketError.Reason, offset: Int) {
        let fault = Self.fault(bytes)
        #expect(fault?.reason == reason)
        #expect(fault?.offset == offset)
    }

    @Test("A faulty message is reported with its address, if that is readable, also in a bundle")
    func address() {
        func bundle(_ elements: [UInt8]...) -> [UInt8] { OSCBundle.encoded(timeTag: .immediate, elements: elements) }
        let (good, faulty) = (Self.bytes("/a\0\0,\0\0\0"), Self.bytes("/b/c\0\0\0\0,Q\0\0"))
        #expect(Self.fault(faulty)?.address == "/b/c")
        #expect(Self.fault(Self.bytes("/a\0\0,i\0\0"))?.address == "/a")
        #expect(Self.fault(bundle(good, bundle(good, faulty), good))?.address == "/b/c")
        #expect(Self.fault(bundle(good, Self.bytes("/b\0\0,i\0\0"), good))?.address == "/b")
        for nameless in [Self.bytes("/a b\0\0\0\0,\0\0\0"), Self.bytes("/abcdefg"), bundle(good, Self.bytes("abc\0"))] {
            #expect(Self.fault(nameless) != nil)
            #expect(Self.fault(nameless)?.address == nil)
        }
    }

    @Test("An error reads as a sentence with its place")
    func description() {
        #expect(
            Self.fault(Self.bytes("/a\0\0,b\0\0", 0, 0, 0, 5, 1, 2, 3, 4))?.description
                == "Malformed OSC packet: a blob of 5 bytes that goes past the end, at byte 8.")
    }

    @Test("Eight nested bundles are accepted, nine are not")
    func nesting() {
        func nested(_ depth: Int) -> OSCPacket {
            depth == 0 ? .message(OSCMessage("/a")) : .bundle(OSCBundle(elements: [nested(depth - 1)]))
        }
        #expect(Self.fault(nested(8).encoded) == nil)
        #expect(Self.fault(nested(9).encoded)?.reason == .nestedTooDeep)
    }

    @Test("512 elements are accepted, one more is not, wherever they are")
    func elementCount() {
        func bundle(_ count: Int) -> OSCBundle { OSCBundle(messages: Array(repeating: OSCMessage("/a"), count: count)) }
        #expect(Self.fault(bundle(512).encoded) == nil)
        #expect(Self.fault(bundle(513).encoded)?.reason == .tooManyElements)
        #expect(Self.fault(OSCBundle(elements: [.bundle(bundle(300)), .bundle(bundle(210))]).encoded) == nil)
        #expect(Self.fault(OSCBundle(elements: [.bundle(bundle(300)), .bundle(bundle(211))]).encoded)?.reason == .tooManyElements)
    }

    @Test("A packet larger than a datagram is refused")
    func size() {
        let blob = OSCArgument.blob([UInt8](repeating: 0, count: 65_492))
        #expect(Self.fault(OSCMessage("/a", [blob]).encoded) == nil)
        #expect(Self.fault(OSCMessage("/abcd", [blob]).encoded)?.reason == .tooLarge(bytes: 65_508))
    }
}
