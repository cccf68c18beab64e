import Foundation
import InstanceSupport
import OSC
import TestSupport
import Testing

@testable import binaural

/// Pipes, devices and links to private files under the names of the program's files.
@Suite("Files that are not regular or not valid")
struct HostileFileTests {
    enum Obstacle: String, CaseIterable {
        case pipe, folder, zero, terminal, full, large, empty

        /// Whether it is a regular file.
        var isFile: Bool { self == .large || self == .empty }

        /// Puts it at a path.
        func lay(_ path: String) throws {
            try FileManager.default.createDirectory(
                at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
            let result: Int32 =
                switch self {
                case .pipe: mkfifo(path, 0o600)
                case .folder: mkdir(path, 0o700)
                case .zero: symlink("/dev/zero", path)
                case .terminal: symlink("/dev/tty", path)
                case .full: symlink("/dev/full", path)
                case .large, .empty: FileManager.default.createFile(atPath: path, contents: nil) ? 0 : -1
                }
            guard result == 0, self != .large || truncate(path, 3 << 30) == 0 else { throw ProgramFailure("cannot make \(path)") }
        }
    }

    /// Asks for a sign of life.
    private func expectPing(_ peer: SteppedPeer) throws {
        #expect(try peer.ask("ping", .int32(9), answer: "pong").first == .int32(9))
    }

    @Test(
        "A command that saves or loads a session is answered, and so is ping, with any kind of file in the session's place",
        arguments: Obstacle.allCases)
    func sessions(obstacle: Obstacle) throws {
        let home = try InstanceHome.withLibrary()
        let instance = try home.start("reference-440", "--paused")
        let peer = SteppedPeer(instance)
        let sessions = home.places.stateHome + "/sessions"
        #expect(try peer.perform("session/save", .string("mine")) == 0)
        // In place of the session.
        let name = obstacle.rawValue
        try obstacle.lay("\(sessions)/\(name).yaml")
        for address in ["session/save", "session/load"] {
            let answer = try peer.answer(to: address, [.string(name)])
            try expectPing(peer)
            guard !obstacle.isFile else { continue }
            try #require(answer.address == "error", "\(answer)")
            #expect(answer.arguments[1] == .int32(200), "\(answer)")
            guard case .string(let words)? = answer.arguments.last else { throw ProgramFailure("\(answer)") }
            #expect(words.hasPrefix("Cannot read …/\(name).yaml: it is a "), "\(words)")
            #expect(words.hasSuffix(". Put a file there, or name another."), "\(words)")
            // The open session stays open.
            #expect(FileManager.default.fileExists(atPath: "\(sessions)/mine.yaml.lock"))
            #expect(try peer.perform("session/save") == 0)
        }
        #expect(try peer.perform("session/load", .string("mine")) == 0)
        // In place of the files next to it.
        for ending in ["yaml.lock", "yaml.tmp", "yaml.1", "position", "position.tmp"] {
            // A peer gets at most ten errors a second.
            instance.pass(seconds: 1)
            let session = "\(name)-\(ending.split(separator: ".").joined())"
            try obstacle.lay("\(sessions)/\(session).\(ending)")
            _ = try peer.answer(to: "session/save", [.string(session)])
            try expectPing(peer)
            _ = try peer.answer(to: "session/save", [])
            try expectPing(peer)
            // A folder in the way of saving keeps the session open.
            try? FileManager.default.removeItem(atPath: "\(sessions)/\(session).\(ending)")
            #expect(try peer.perform("session/load", .string("mine")) == 0, "\(session)")
            try expectPing(peer)
        }
    }

    @Test("A pipe in place of the files that are kept for the next start stops neither this one nor the next")
    func kept() async throws {
        let home = try InstanceHome.withLibrary()
        let instance = try home.start("reference-440", "--paused")
        let peer = SteppedPeer(instance)
        for path in [home.places.stateHome + "/last-session", home.places.preferencesFile] {
            try? FileManager.default.removeItem(atPath: path)
            try Obstacle.pipe.lay(path)
        }
        #expect(try peer.perform("session/save", .string("other")) == 0)
        #expect(try peer.value("session/dirty") == [.int32(0)])
        #expect(try peer.perform("preferences/crossfade", .float(3)) == 0)
        try expectPing(peer)
        try await instance.end()

        let again = try home.start("reference-440", "--paused")
        try expectPing(SteppedPeer(again))
        #expect(again.lines.contains { $0.contains("preferences.yaml: it is a named pipe, not a file.") }, "\(again.lines)")
    }

    @Test("For any kind of file with the name of a patch, the kind is reported, and ping is answered", arguments: Obstacle.allCases)
    func patches(obstacle: Obstacle) throws {
        let home = try InstanceHome.withLibrary()
        let peer = SteppedPeer(try home.start("reference-440", "--paused"))
        for ending in ["yaml", "sbg"] {
            let patch = "\(obstacle)-\(ending)"
            try obstacle.lay(home.folder.file("patches/\(patch).\(ending)"))
            let answer = try peer.answer(to: "queue/add", [.string(patch)])
            #expect(answer.arguments[1] == .int32(200), "\(answer)")
            try expectPing(peer)
        }
    }

    @Test("A sound file in the library in place of a patch is refused over OSC, and the current item keeps playing")
    func foreignInLibrary() throws {
        let home = try InstanceHome.withLibrary()
        try home.write("fLaC\u{0}", to: "patches/night.yaml")
        let instance = try home.start("reference-440")
        instance.pass(seconds: 1)
        let peer = SteppedPeer(instance)
        let answer = try peer.answer(to: "queue/add", [.string("night")])
        #expect(answer.arguments[1] == .int32(200), "\(answer)")
        #expect(try peer.value("now/state") == [.string("playing")])
    }

    private static let secret = "title: swordfish\nlogin:\n  password: trustno1 # hunter\n"
    private static let words = ["swordfish", "password", "trustno1", "hunter", "login"]

    @Test("No text of a private file that is linked to as a patch or a session is sent; the user's own notices show its line")
    func privateFiles() throws {
        let home = try InstanceHome.withLibrary()
        let notes = try home.folder.write(Self.secret, to: "private/notes.txt")
        let sessions = home.places.stateHome + "/sessions"
        let links = ["patches/secret.yaml", "patches/secret2.sbg", "sessions/secret.yaml"].map(home.folder.file)
        for path in links + ["\(sessions)/kept.yaml"] {
            try FileManager.default.createDirectory(
                at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
            try #require(symlink(notes, path) == 0)
        }
        try home.write("format: 1\nqueue: [{patch: secret}, {patch: reference-440}]\n", to: "sessions/holds-secret.yaml")
        let instance = try home.start("reference-440", "--paused")
        let peer = SteppedPeer(instance)
        for topic in ["now", "commands", "session", "log"] { peer.send("subscribe", .string(topic)) }
        for (address, name) in [
            ("queue/add", "secret"), ("queue/add", "secret2"), ("queue/add", notes), ("queue/play", notes), ("queue/play", "secret"),
            ("session/load", "secret"), ("session/load", "holds-secret"),
            ("queue/select", "1"), ("session/load", "kept"), ("session/save", "kept"),
        ] {
            let argument = Int32(name).map { OSCArgument.int32($0) } ?? .string(name)
            let answer = try peer.answer(to: address, [argument])
            let mayWork = ["holds-secret", "1", "kept"].contains(name)
            #expect(answer.address == "error" || mayWork, "\(answer)")
        }
        _ = try peer.list("queue/list", until: "queue/end")
        for address in ["log", "now/title", "now/text", "now/comment", "toggle"] { peer.send(address) }
        // The log is sent a little later.
        instance.pass(seconds: 2)
        try expectPing(peer)
        for message in peer.heard {
            for word in Self.words {
                for case .string(let text) in message.arguments { #expect(!text.contains(word), "\(message)") }
            }
        }
        // The requesting peer learns the place.
        let received = peer.heard.filter { $0.address == "error" }.map { "\($0.arguments)" }
        #expect(received.contains { $0.contains("patches/secret.yaml:") }, "\(received)")
        #expect(peer.heard.contains { $0.address == "log" }, "the log is looked at, too")
        // The user is shown in full what was set aside.
        let notices = instance.notices.joined(separator: "\n")
        #expect(notices.contains("is a link to a damaged file, which is kept as it is"), "\(notices)")
        #expect(notices.contains("swordfish"), "\(notices)")
    }
}
