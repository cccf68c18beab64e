import HTTP
import TestSupport
import Testing

@Suite("Changed frames", .ownThread) struct FuzzedFrameTests {
    private static let frames: [[UInt8]] = {
        let long = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        let fragments =
            SocketClient.frame(0x01, Array("one ".utf8)) + SocketClient.frame(0x89, [7])
            + SocketClient.frame(0x00, Array("zwö ".utf8)) + SocketClient.frame(0x80, Array("three".utf8))
        return [
            SocketClient.frame(0x81, Array("{\"token\":\"0123456789abcdef\"}".utf8)), SocketClient.frame(0x82, long), fragments,
            SocketClient.frame(0x82, Array("/binaural/play\0\0,\0\0\0".utf8)) + SocketClient.frame(0x8A, [1, 2]),
            SocketClient.frame(0x02, []) + SocketClient.frame(0x80, []) + SocketClient.frame(0x88, [0x03, 0xE8]),
            SocketClient.frame(0x82, [5]) + SocketClient.frame(0x88, [0x0B, 0xB8] + Array("über".utf8)),
            SocketClient.frame(0x82, [UInt8](repeating: 3, count: 4096)),
        ]
    }()

    @Test("However frames are changed, the server echoes those that are right, and closes with a code at the first that is not")
    func changed() throws {
        var mutations = Mutations(
            seed: 17,
            words: [
                "\u{1}\u{7F}", "\u{0}\u{0}\u{0}\u{0}", "ö", "\u{7F}\u{7E}", "\r\n", "\u{9}", "\u{8}\u{2}",
                "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{10}\u{0}",
            ])
        let count = Mutations.count(few: 1000, many: 100_000)
        var ends: [FrameReference.End: Int] = [:]
        let served = try Served()
        for _ in 0..<count {
            let bytes = mutations.next(of: Self.frames)
            let expected = FrameReference(bytes)
            let client = try served.webSocket()
            for part in mutations.parts(of: bytes) { client.send(part) }
            client.finish()
            var answers: [[UInt8]] = []
            var code: Int?
            while let frame = client.frame() {
                try #require(code == nil, "a frame after the close frame: \(bytes)")
                if frame.first == 0x88 {
                    code = frame.payload.reduce(0) { $0 << 8 | Int($1) }
                } else {
                    answers.append([frame.first] + frame.payload)
                }
            }
            ends[expected.end, default: 0] += 1
            try #require(answers == expected.answers, "\(bytes)")
            switch expected.end {
            case .open: try #require(code == nil, "\(bytes)")
            case .closed: try #require(code == expected.code, "\(bytes)")
            case .fault: try #require([1002, 1007, 1009].contains(code), "\(bytes)")
            case .undecided: try #require([nil, 1002, 1009].contains(code), "\(bytes)")
            }
        }
        #expect([.open, .closed, .fault, .undecided].allSatisfy { ends[$0, default: 0] > count / 100 }, "\(ends)")
        let (open, closed, wrong) = (ends[.open] ?? 0, ends[.closed] ?? 0, count - (ends[.open] ?? 0) - (ends[.closed] ?? 0))
        print("figure: \(count) changed sequences of frames: \(open) right, \(closed) closed by the client, \(wrong) wrong")
    }
}
