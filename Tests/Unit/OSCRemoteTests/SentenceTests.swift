import OSC
import OSCRemote
import Patches
import Playback
import Testing

/// Errors end with the remedy, so their end must not be cut.
@Suite struct SentenceTests {
    private static let long = String(repeating: "n", count: 200)

    /// States that errors depend on: the current item, its layers and the peer's role.
    private static let situations: [(name: String, @Sendable (TestServer) -> Void)] = [
        ("as it is", { _ in }),
        ("the queue is empty", { $0.receiver.player.update { ($0.items, $0.currentIndex) = ([], nil) } }),
        (
            "the item is missing",
            {
                $0.receiver.player.update {
                    $0.items = [QueueItem(reference: "x", patch: nil, problem: "There is no file /\(long)/x.yaml.")]
                }
            }
        ),
        ("JACK is away", { $0.receiver.player.update { $0.hasAudio = false } }),
        ("the transport is followed", { $0.receiver.player.update { $0.transportMode = .follow } }),
        ("a rate is set", { $0.receiver.player.update { $0.chosenRate = 2 } }),
        ("a sound file", { $0.receiver.player.update { $0.items[0].patch?.layers = [Layer(name: "sea", kind: .file)] } }),
        ("another hand", { server in Self.faders.forEach { server.send("touch/\($0)", .int32(1), from: TestServer.other) } }),
    ]

    private static let faders = ["master/gain", "tuning/a4"] + Parameter.allCases.map { "layer/1/\($0.rawValue)" }

    private static let arguments: [[OSCArgument]] = [
        [], [.string(long)], [.string("/\(long)/x")], [.string("")], [.int32(9999)], [.int32(-3)], [.int32(1)], [.float(.nan)],
        [.blob([1])],
        [.float(0.5), .float(0.5)], [.int32(1), .int32(9999)], [.float(1), .string("x")], [.string("x"), .string(long)],
        [.timeTag(.immediate)],
        [.string(long), .int32(1), .int32(1)], [.string("follow")], [.string("x.yaml")], [.float(2), .float(1), .string(long)],
    ]

    @Test("no error of any row is truncated, whatever is sent, by any sender, at any time", arguments: situations.indices)
    func whole(situation: Int) {
        for role in [Role.admin, .view] {
            var codes: Set<Int32> = []
            for row in AddressTable.standard.rows {
                for layer in ["1", "2", "900"] where layer == "1" || row.isOfLayer {
                    let server = TestServer { $0.localRole = role }
                    Self.situations[situation].1(server)
                    server.drop()
                    let path = "/binaural/" + row.path.replacing("/N/", with: "/\(layer)/")
                    let received = Self.arguments.enumerated().flatMap { index, arguments in
                        let peer = Endpoint(host: .loopback, port: UInt16(20_000 + index))
                        server.receive(.message(OSCMessage(path, arguments)), from: peer)
                        return server.messages(to: peer)
                    }
                    for error in received where error.address == "error" {
                        guard case .string(let text) = error.arguments[2], case .int32(let code) = error.arguments[1] else { continue }
                        codes.insert(code)
                        #expect(text.utf8.count <= 96, "\(row.path): \(text)")
                        #expect(text.utf8.count > 10, "\(row.path): \(text)")
                        #expect(text.hasSuffix(".") || text.hasSuffix("?"), "\(row.path): \(text)")
                    }
                }
            }
            #expect(codes.count >= 2, "\(codes)")
        }
    }

    @Test(
        "names and paths are shortened before the remedy",
        arguments: [
            (
                "There is no preset '\(long)': preset/list shows those of this session.",
                "There is no preset '\(String(repeating: "n", count: 30))…': preset/list shows those of this session."
            ),
            (
                "Cannot write the file /home/somebody/.local/share/binaural/sessions/night.yaml: the disk is full. Free some disk space.",
                "Cannot write the file …/night.yaml: the disk is full. Free some disk space."
            ),
            (
                "The session was not saved; the file is unchanged. Cannot write /a/b.yaml: no space is left there. Free some disk space.",
                "The session was not saved; the file is unchanged. Cannot write /a/b.yam… Free some disk space."
            ),
            ("JACK's own sentence.", "JACK's own sentence."),
            (String(repeating: "ß", count: 60), String(repeating: "ß", count: 46) + "…"),
        ])
    func fitting(sentence: String, said: String) {
        #expect(Sentence.fitting(sentence) == said)
        #expect(Sentence.fitting(sentence).utf8.count <= 96)
    }
}
