import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("plot")
struct PlotTests {
    let environment: IsolatedEnvironment

    init() throws {
        environment = try IsolatedEnvironment()
        _ = try environment.folder.write("title: Tone\nlayers:\n  - {tone: {carrier: 200}, gain: -20}\n", to: "tone.yaml")
    }

    private func plot(_ arguments: [String]) async throws -> FinishedProgram {
        try await RunningProgram.run(
            try PackageRoot.program(), ["plot"] + arguments, environment: environment.variables, folder: environment.folder.path)
    }

    private func data(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: environment.folder.file(name))) }

    private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: environment.folder.path).sorted() }

    @Test("a patch becomes a picture, the same each time; by its name or its path, light or dark")
    func pictures() async throws {
        for arguments in [
            ["tone.yaml", "-o", "a.svg"], ["tone.yaml", "-o", "b.svg"], ["tone.yaml", "-o", "c.svg", "--dark"], ["welcome", "-o", "d.png"],
            ["--easings", "-o", "e.SVG"],
        ] {
            let run = try await plot(arguments)
            #expect(run.exit == .code(0), "\(run.summary)")
            #expect(run.output.isEmpty, "\(run.summary)")
            #expect(run.errors.isEmpty, "\(run.summary)")
        }
        #expect(try data("a.svg") == data("b.svg"))
        #expect(try data("a.svg") != data("c.svg"))
        #expect(try data("d.png").prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
        #expect(try data("e.SVG").prefix(5) == Data("<?xml".utf8))
    }

    static let failures: [(arguments: [String], code: Int32, sentence: String)] = [
        (["tone.yaml", "-o", "x.pdf"], 64, "Cannot tell the format of 'x.pdf': use a name ending in .svg or .png."),
        (["tone.yaml"], 64, "Missing expected argument '--output <file>'"),
        (["-o", "x.svg"], 64, "Nothing to draw: give a patch or --easings."),
        (["tone.yaml", "--easings", "-o", "x.svg"], 64, "Give a patch or --easings, not both."),
        (["welcom", "-o", "x.svg"], 66, "There is no patch named 'welcom'. Did you mean 'welcome'?"),
        (["nowhere.yaml", "-o", "x.svg"], 66, "There is no file"),
        (
            ["tone.yaml", "-o", "nowhere/x.svg"], 73,
            "Cannot create 'nowhere/x.svg': no such file or directory. Choose another place with -o."
        ),
        (["tone.yaml", "-o", "folder.svg"], 73, "it is a folder, not a file"),
        (["bad.yaml", "-o", "x.svg"], 65, "bad.yaml:1:"),
    ]

    @Test("failures are reported, and leave no file", arguments: failures.indices)
    func refused(index: Int) async throws {
        let failure = Self.failures[index]
        _ = try environment.folder.write("layer: []\n", to: "bad.yaml")
        try FileManager.default.createDirectory(atPath: environment.folder.file("folder.svg"), withIntermediateDirectories: false)
        let before = try files()
        let run = try await plot(failure.arguments)
        #expect(run.exit == .code(failure.code), "\(run.summary)")
        #expect(run.errors.contains(failure.sentence), "\(run.summary)")
        #expect(try files() == before)
    }

    @Test("an existing file stays complete if the disk is full")
    func fullDisk() async throws {
        _ = try environment.folder.write("old", to: "x.png")
        // Files are limited to 4 KiB; the signal for more is ignored, so that the program gets an error.
        let run = try await RunningProgram.run(
            "bash", ["-c", "trap '' XFSZ; ulimit -f 4; exec \"$0\" plot tone.yaml -o x.png --force", try PackageRoot.program()],
            environment: environment.variables, folder: environment.folder.path)
        #expect(run.exit == .code(74), "\(run.summary)")
        #expect(run.errors.contains("Cannot write 'x.png': file too large"), "\(run.summary)")
        #expect(try data("x.png") == Data("old".utf8))
        #expect(try !files().contains { $0.hasSuffix(".part") })
    }

    @Test("an item without a picture of its own has a generated one in now playing, drawn once")
    func artwork() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write("title: Plain\nlayers: [{tone: {}}]\n", to: "plain.yaml")
            _ = try run.folder.write("title: Own\nartwork: own.png\nlayers: [{tone: {}}]\n", to: "own.yaml")
            func artwork() async throws -> String {
                try await run.value(of: "now/artwork").trimmingCharacters(in: CharacterSet(charactersIn: "\""))
            }
            for _ in 0..<2 {
                let program = try run.start("plain.yaml", "own.yaml")
                try await program.state("playing")
                var path = ""
                _ = try await eventually {
                    path = try await artwork()
                    return !path.isEmpty
                }
                let folder = try #require(run.environment.variables["XDG_CACHE_HOME"]) + "/binaural/artwork"
                #expect(path.hasPrefix(folder + "/"))
                #expect(path.hasSuffix(".png"))
                #expect(try Data(contentsOf: URL(filePath: path)).prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
                try await run.ctl("queue/next")
                #expect(try await artwork() == run.folder.file("own.png"))
                // The other item's picture is cached, so it is shown at once.
                try await run.ctl("queue/previous")
                #expect(try await artwork() == path)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
                program.send(signal: SIGTERM)
                #expect(try await program.exit() == .code(0))
            }
        }
    }

    @Test("the program draws the picture for now playing of a patch on standard input, with its notes tuned; or it says why not")
    func drawArtwork() async throws {
        func draw(_ patch: String, a4: String, to name: String) async throws -> FinishedProgram {
            try await RunningProgram.run(
                try PackageRoot.program(), ["draw-artwork", a4, environment.folder.file(name)], environment: environment.variables,
                folder: environment.folder.path, input: patch)
        }
        let (note, frequency) = ("layers: [{tone: {note: A4}}]\n", "layers: [{tone: {carrier: 432}}]\n")
        for (patch, a4, name) in [(note, "432", "a.png"), (frequency, "440", "b.png"), (note, "440", "c.png")] {
            let run = try await draw(patch, a4: a4, to: name)
            #expect(run.exit == .code(0), "\(run.summary)")
            #expect(run.output.isEmpty && run.errors.isEmpty, "\(run.summary)")
        }
        #expect(try data("a.png").prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
        #expect(try data("a.png") == data("b.png"))
        #expect(try data("a.png") != data("c.png"))
        for (patch, name, status, words) in [
            ("layers: 3\n", "x.png", 65, "The patch cannot be read: "), ("", "x.png", 65, "The patch cannot be read: "),
            (note, "nowhere/x.png", 73, "Cannot create '"),
        ] {
            let run = try await draw(patch, a4: "nan", to: name)
            #expect(run.exit == .code(Int32(status)), "\(run.summary)")
            #expect(run.errors.hasPrefix("binaural: error: \(words)"), "\(run.summary)")
            #expect(run.errors.split(separator: "\n").count == 1, "\(run.summary)")
        }
    }

    @Test("if the process that draws fails, its reason is reported, and the item plays")
    func failingProcess() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write("title: Plain\nlayers: [{tone: {}}]\n", to: "plain.yaml")
            let cache = try #require(run.environment.variables["XDG_CACHE_HOME"])
            // Nobody, not even root, can create a file in this folder.
            try? FileManager.default.removeItem(atPath: cache)
            try FileManager.default.createDirectory(atPath: cache + "/binaural", withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: cache + "/binaural/artwork", withDestinationPath: "/proc/self/fdinfo")
            let program = try run.start("plain.yaml")
            let line = try await program.line(containing: "Cannot draw the picture for now playing. Cannot create '\(cache)")
            // The folder is there for the instance, so the error is that of the process.
            #expect(line.text.contains(".png': ") && line.text.contains("Check $XDG_CACHE_HOME"), "\(line.text)")
            #expect(!line.text.contains("-o"), "\(line.text)")
            #expect(try await run.value(of: "now/state").contains("playing"))
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0))
        }
    }

    @Test("if the cache cannot be written, the item has no picture, which is reported once, and it keeps playing")
    func noCache() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write("title: Plain\nlayers: [{tone: {}}]\n", to: "plain.yaml")
            let cache = try #require(run.environment.variables["XDG_CACHE_HOME"])
            try? FileManager.default.removeItem(atPath: cache)
            try Data().write(to: URL(filePath: cache))
            let program = try run.start("plain.yaml")
            let line = try await program.line(containing: "Cannot draw the picture for now playing. Cannot create")
            #expect(line.text.contains(cache))
            #expect(try await run.value(of: "now/artwork") == "\"\"")
            #expect(try await run.value(of: "now/state").contains("playing"))
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0))
            #expect(program.lines.filter { $0.text.contains("Cannot draw the picture") }.count == 1)
        }
    }
}
