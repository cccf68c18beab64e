import Foundation
import OSC
import ProgramSupport
import TestSupport
import Testing

@Suite("play's options of the remote control")
struct RemoteOptionTests {
    @Test("a Unix socket and ::1 besides 127.0.0.1, a lower role for local programs, and ignored time tags all work")
    func listening() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let path = run.folder.file("socket")
            let options = [
                "--osc-listen", "unix:\(path)", "--osc-listen", "::1", "--osc-local-role", "control", "--osc-timetags", "immediate",
            ]
            let first = try run.start(["deep-alpha"] + options)
            try await first.state("playing")
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)

            let peer = try RunningProgram(
                try requireTool("python3", package: "python3"),
                ["-u", PackageRoot.file("Tests/Peers/osc/unix_peer.py"), path, run.folder.file("peer")])
            _ = try await peer.line(containing: "ready")
            peer.write("[\"/binaural/now/title\"]\n[\"/binaural/quit\"]\n")
            _ = try await peer.line(containing: "{\"received\": \"/binaural/now/title\", \"args\": [\"Deep alpha\"]}")
            let refusal = try await peer.line(containing: "/binaural/error")
            #expect(refusal.text.contains("\"/binaural/quit\", 401,"))
            await peer.end()

            // The file contains the UDP address that ctl needs.
            let url = try #require(run.environment.variables["XDG_RUNTIME_DIR"]) + "/binaural/\(server.clientName).url"
            let text = try String(contentsOfFile: url, encoding: .utf8)
            let port = try #require(UInt16(text.split(separator: ":").last?.prefix { $0.isNumber } ?? ""))
            #expect(text == "osc.udp://127.0.0.1:\(port)/\n")
            let client = try UDPSocket(boundTo: Endpoint(host: .loopback6, port: 0))
            let tag = TimeTag(secondsSince1970: Int64(Date().timeIntervalSince1970) + 50, nanoseconds: 0)
            let bundle = OSCBundle(timeTag: tag, messages: [OSCMessage("/binaural/pause")])
            #expect(client.send(bundle.encoded, to: Endpoint(host: .loopback6, port: port)))
            try await first.state("paused")

            func ctl(_ arguments: String...) async throws -> FinishedProgram {
                try await RunningProgram.run(
                    try PackageRoot.program(), ["ctl"] + arguments, environment: run.environment.variables, folder: run.folder.path)
            }
            let answer = try await ctl("--to", "unix:\(path)", "--wait", Patience.seconds, "now/title")
            #expect(answer.outputLines == ["/binaural/now/title \"Deep alpha\""], "\(answer.summary)")
            #expect(answer.exit == .code(0), "\(answer.summary)")
            #expect(try await ctl("--to", "unix:socket", "--wait", Patience.seconds, "quit").errors.contains("(code 401)"))
            let nobody = try await ctl("--to", "unix:nobody", "play")
            #expect(nobody.exit == .code(69), "\(nobody.summary)")
            #expect(nobody.errors.contains("Nothing is listening at unix:\(run.folder.file("nobody"))"), "\(nobody.summary)")
            let wrong = try await ctl("--to", "unix:", "play")
            #expect(wrong.exit == .code(64), "\(wrong.summary)")
            #expect(wrong.errors.contains("unix:PATH takes a path"), "\(wrong.summary)")

            let second = try run.start(["deep-alpha", "--session", run.folder.file("second.yaml")] + options)
            #expect(try await second.exit() == .code(69))
            #expect(second.errors.contains("Another program is listening on \(path)."), "\(second.transcript)")

            first.send(signal: SIGKILL)
            _ = try await first.exit()
            #expect(FileManager.default.fileExists(atPath: path))
            let third = try run.start(["deep-alpha"] + options)
            try await third.state("playing")
            third.send(signal: SIGTERM)
            #expect(try await third.exit() == .code(0), "\(third.transcript)")
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }
}
