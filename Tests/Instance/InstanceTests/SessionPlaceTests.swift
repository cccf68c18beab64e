import Foundation
import InstanceSupport
import Testing

@testable import binaural

@Suite("--session")
struct SessionPlaceTests {
    @Test("a bare name is a session of the library; nothing appears in the working folder")
    func name() async throws {
        let home = try InstanceHome.withLibrary()
        let first = try home.start("deep-alpha", "--session", "late-night")
        first.pass(seconds: 1)
        #expect(first.player.playback == .playing)
        try await first.end()
        #expect(FileManager.default.fileExists(atPath: home.places.stateHome + "/sessions/late-night.yaml"))

        // It is resumed by its name, and it is the one played last.
        for arguments in [["--session", "late-night"], ["late-night"], []] {
            let again = try home.start(arguments + ["--paused"])
            #expect(again.player.current?.title == "Deep alpha")
            try await again.end()
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: home.folder.path)
        #expect(Set(names).isSubset(of: ["state", "config", "cache"]), "\(names)")
    }

    @Test("a path, or a name that ends in .yaml, is a file, created if it is missing", arguments: ["mine.yaml", "./mine", "deep/mine.yml"])
    func path(_ path: String) async throws {
        let home = try InstanceHome.withLibrary()
        try home.write("", to: "deep/other")
        let instance = try home.start("deep-alpha", "--session", path)
        instance.pass(seconds: 1)
        #expect(instance.player.playback == .playing)
        try await instance.end()
        #expect(try home.folder.read(path).hasPrefix("format: 1"))
    }

    static let refusals: [(session: String, code: Int32, sentence: String)] = [
        ("gone/deeper/c.yaml", 73, "/gone/deeper for the session: create it, or choose another place with --session."),
        (
            "last-session", 64,
            "--session takes the name of a session, or the path of a file (with a / or ending in .yaml), not 'last-session'."
        ),
        ("", 64, "--session takes the name of a session"),
        ("late/", 64, "--session takes the path of a file, not a folder: add a name, as in 'late/session.yaml'."),
        ("wlecome", 66, "There is no session named 'wlecome'. Did you mean 'welcome'?"),
        (
            "tone.yaml", 65,
            "tone.yaml is a patch, not a session. To play it, and save the session elsewhere, use 'binaural play tone.yaml'."
        ),
        ("./night.flac", 65, "/night.flac: this is a sound file (FLAC)"),
        ("tone.yaml/x.yaml", 73, "/tone.yaml for the session: create it"),
    ]

    @Test("an invalid place is refused, nothing is created, and no file is changed", arguments: refusals)
    func refused(session: String, code: Int32, sentence: String) throws {
        let home = try InstanceHome.withLibrary()
        try home.write(InstanceHome.tone, to: "tone.yaml")
        try home.write("fLaC", to: "night.flac")
        let error = try #require(#expect(throws: (any Error).self) { try home.start("--session", session) })
        #expect(binaural.ExitStatus(describing: error)?.rawValue == code)
        #expect("\(error)".contains(sentence), "\(error)")
        let names = try FileManager.default.contentsOfDirectory(atPath: home.folder.path)
        #expect(names.filter { !$0.hasSuffix(".lock") }.sorted() == ["night.flac", "tone.yaml"])
        #expect(try home.folder.read("tone.yaml") == InstanceHome.tone)
        #expect(try home.folder.read("night.flac") == "fLaC")
    }
}
