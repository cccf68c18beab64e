import Foundation
import OSC
import OSCRemote
import Playback
import TestSupport
import Testing

/// The server's Unix socket, with Python and with liblo's tools on the other side.
@Suite("Over a Unix socket", .serialized, .ownThread)
struct UnixPeerTests {
    private let folder: TemporaryFolder
    private let host: NetworkTests.Host

    init() throws {
        folder = try TemporaryFolder()
        host = try NetworkTests.Host(unix: [folder.file("one"), folder.file("two")])
    }

    private func peer(_ server: String, _ own: String...) async throws -> RunningProgram {
        let python = try requireTool("python3", package: "python3")
        let peer = try RunningProgram(python, ["-u", PackageRoot.file("Tests/Peers/osc/unix_peer.py"), folder.file(server)] + own)
        _ = try await peer.line(containing: "ready")
        return peer
    }

    @Test("A peer with a path, or with a name without a file, sends commands, is answered and subscribes", arguments: ["path", ""])
    func peer(name: String) async throws {
        for server in ["one", "two"] {
            let peer = try await peer(server, name.isEmpty ? "" : folder.file("\(name)-\(server)"))
            host.receiver.performed = []
            peer.write("[\"/binaural/play\"]\n[\"/binaural/now/title\"]\n[\"/binaural/subscribe\", [\"s\", \"jack\"]]\n")
            #expect(
                host.serve {
                    peer.outputLines.contains { $0.contains("snapshot/end") }
                        && peer.outputLines.contains("{\"received\": \"/binaural/now/title\", \"args\": [\"Deep\"]}")
                }, "\(peer.transcript)")
            #expect(host.receiver.performed == [.play])
            // A Unix socket has no port.
            #expect(peer.outputLines.contains { $0.contains("/binaural/subscribed") && $0.hasSuffix(", 30, 0]}") }, "\(peer.transcript)")
            peer.write("[\"/binaural/subscribe\", [\"s\", \"jack\"], [\"i\", 9000]]\n")
            #expect(host.serve { peer.outputLines.contains { $0.contains("error") && $0.contains("400") } }, "\(peer.transcript)")
            await peer.end()
        }
    }

    @Test("An unnamed peer sends commands and cannot be answered, which is counted and not an error")
    func unnamed() async throws {
        let peer = try await peer("one")
        peer.write("[\"/binaural/ping\"]\n[\"/binaural/subscribe\", [\"s\", \"jack\"]]\n[\"/binaural/play\"]\n")
        #expect(host.serve { host.receiver.performed == [.play] }, "\(peer.transcript)")
        #expect(host.server.statistics.unanswered == 2)
        #expect(peer.outputLines.count == 1)
        await peer.end()
    }

    @Test("oscsend reaches it by its URL")
    func oscsend() async throws {
        let sender = try RunningProgram(
            try requireTool("oscsend", package: "liblo-tools"), ["osc.unix://\(folder.file("one"))", "/binaural/skip/by", "f", "-3.5"])
        #expect(host.serve { host.receiver.performed == [.skip(by: -3.5)] }, "\(sender.transcript)")
        _ = try await sender.exit()
    }

    @Test("A subscriber whose socket is gone is dropped")
    func gone() async throws {
        let peer = try await peer("one", folder.file("own"))
        peer.write("[\"/binaural/subscribe\", [\"s\", \"mixer\"]]\n")
        #expect(host.serve { peer.outputLines.contains { $0.contains("snapshot/end") } }, "\(peer.transcript)")
        await peer.end()
        try FileManager.default.removeItem(atPath: folder.file("own"))
        #expect(
            host.serve {
                host.receiver.player.update { $0.masterGain -= 0.01 }
                let before = host.receiver.snapshotCount
                host.server.changed(at: .current())
                return host.receiver.snapshotCount == before
            })
    }
}
