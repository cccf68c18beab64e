import Foundation
import OSC
import OSCRemote
import TestSupport
import Testing

@Suite("The layouts in the docs")
struct LayoutTests {
    static let files = ["binaural.tosc", "binaural.json"]

    /// A layout's text: that of TouchOSC is packed.
    private static func text(_ path: String) async throws -> String {
        guard path.hasSuffix(".tosc") else { return try String(contentsOfFile: path, encoding: .utf8) }
        let script = "import sys, zlib; sys.stdout.buffer.write(zlib.decompress(open(sys.argv[1], 'rb').read()))"
        let run = try await RunningProgram.run("python3", ["-c", script, path])
        guard run.exit == .code(0) else { throw ProgramFailure("\(run.command): \(run.errors)") }
        return run.output
    }

    @Test("they are generated from the table by the script")
    func current() async throws {
        let folder = try TemporaryFolder()
        let made = try await RunningProgram.run(
            PackageRoot.file("scripts/make-layouts"), [folder.path], input: AddressTable.standard.json)
        #expect(made.exit == .code(0), "\(made.errors)")
        for file in Self.files {
            let isCurrent = try await Self.text(PackageRoot.file("docs/layouts/\(file)")) == Self.text(folder.file(file))
            #expect(isCurrent, "docs/layouts/\(file) is old: binaural osc-table --json | scripts/make-layouts docs/layouts")
        }
    }

    private struct Line {
        var isSent: Bool
        /// The address without `/binaural/`.
        var path: String
        var arguments: [OSCArgument]

        init?(_ line: String) {
            let fields = line.components(separatedBy: "\t")
            guard fields.count > 1, fields[1].hasPrefix("/binaural/") else { return nil }
            isSent = fields[0] == "send"
            path = String(fields[1].dropFirst("/binaural/".count))
            arguments = fields.dropFirst(2).map { field in
                let value = String(field.dropFirst(2))
                return field.hasPrefix("s:") ? .string(value) : .float(Float(value) ?? .nan)
            }
        }
    }

    private static func lines(_ file: String) async throws -> [Line] {
        let run = try await RunningProgram.run(
            "python3", [PackageRoot.file("Tests/Peers/acceptance/layout_messages.py"), PackageRoot.file("docs/layouts/\(file)")])
        guard run.exit == .code(0) else { throw ProgramFailure("\(run.command): \(run.errors)") }
        return try run.outputLines.map { line in
            guard let line = Line(line) else { throw ProgramFailure("\(file) has an address that is not ours: \(line)") }
            return line
        }
    }

    @Test("the server understands everything that they can send, and sends everything that they listen to", arguments: files)
    func understood(file: String) async throws {
        let lines = try await Self.lines(file)
        #expect(lines.count > 100)
        for line in lines {
            let row = try #require(AddressTable.standard.row(at: line.path), "there is no \(line.path)")
            guard line.isSent else {
                #expect(row.group != nil, "\(line.path) is sent to nobody")
                continue
            }
            let server = TestServer()
            server.send("replies", .int32(2))
            server.drop()
            server.receive(.message(OSCMessage("/binaural/" + line.path, line.arguments)))
            let codes = server.messages().filter { $0.address == "error" }.map { $0.arguments[1] }
            #expect(!codes.contains(.int32(400)), "\(line.path) \(line.arguments)")
        }
    }

    @Test("they contain every command and every settable property", arguments: files)
    func complete(file: String) async throws {
        let present = Set(try await Self.lines(file).map { $0.path.replacing(/^layer\/(selected|[0-9]+)\//, with: "layer/N/") })
        // Buttons do not send touches of a fader.
        let isHand = { (path: String) in path.hasPrefix("touch/") && path != "touch/mode" }
        for row in AddressTable.standard.rows where row.access != .read && row.role != .view && !isHand(row.path) {
            #expect(present.contains(row.path), "\(file) lacks \(row.path)")
        }
        #expect(present.contains("now/text"))
        #expect(present.contains("now/title"))
    }
}
