import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("A disk that is full", .ownThread)
struct FullDiskTests {
    @Test("a full disk is reported during playback; the old session stays complete, and changes are saved when there is room again")
    func fullWhilePlaying() async throws {
        try await requireMount()
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(PlayTests.tone, to: "tone.yaml")
            let disk = run.folder.file("disk")
            try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
            let script = "mount -t tmpfs -o size=64k none '\(disk)' && exec \"$@\""
            let program = try RunningProgram(
                "unshare",
                ["-m", "sh", "-c", script, "sh", try PackageRoot.program(), "play", "tone.yaml", "--session", "\(disk)/mine.yaml"]
                    + PlayRun.arguments(server.clientName), environment: run.environment.variables, folder: run.folder.path)
            let peer = try await Asker(program)
            try await program.state("playing")
            #expect(try peer.perform("master/gain", .float(-10)) == 0)
            #expect(try peer.perform("session/save") == 0)

            // The disk as the program sees it.
            let seen = "/proc/\(program.pid)/root\(disk)"
            let old = try String(contentsOfFile: "\(seen)/mine.yaml", encoding: .utf8)
            #expect(old.contains("gain: -10"))
            fill("\(seen)/fill")
            #expect(try peer.perform("master/gain", .float(-20)) == 0)
            #expect(try peer.perform("session/save") == 200)
            _ = try await program.line(containing: "The session was not saved; the file is unchanged.")
            #expect(program.transcript.contains("No space left on device. Free some disk space."), "\(program.transcript)")
            #expect(try String(contentsOfFile: "\(seen)/mine.yaml", encoding: .utf8) == old)
            #expect(try peer.value("session/dirty") == [.int32(1)])
            #expect(try peer.value("now/state") == [.string("playing")])

            try await free("\(seen)/fill")
            #expect(try peer.perform("session/save") == 0, "\(peer.heard.suffix(1))")
            #expect(try String(contentsOfFile: "\(seen)/mine.yaml", encoding: .utf8).contains("gain: -20"))
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("a patch that does not fit is not saved, which is answered with the reason; the one before stays, and can be replaced later")
    func fullForPatches() async throws {
        try await requireMount()
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(PlayTests.tone, to: "tone.yaml")
            let disk = run.folder.file("disk")
            try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
            var variables = run.environment.variables
            variables["XDG_DATA_HOME"] = disk
            let program = try RunningProgram(
                "unshare",
                [
                    "-m", "sh", "-c", "mount -t tmpfs -o size=64k none '\(disk)' && exec \"$@\"", "sh", try PackageRoot.program(), "play",
                    "tone.yaml", "--session", "mine.yaml",
                ] + PlayRun.arguments(server.clientName), environment: variables, folder: run.folder.path)
            let peer = try await Asker(program)
            try await program.state("playing")
            #expect(try peer.perform("patch/save", .string("dusk")) == 0)
            let patches = "/proc/\(program.pid)/root\(disk)/binaural/patches"
            let old = try String(contentsOfFile: "\(patches)/dusk.yaml", encoding: .utf8)
            fill("\(patches)/fill")
            #expect(try peer.perform("layer/1/gain", .float(-33)) == 0)
            #expect(try peer.perform("patch/save", .string("dusk"), .int32(1)) == 200)
            #expect(try peer.perform("patch/save", .string("dawn")) == 200)
            #expect(try String(contentsOfFile: "\(patches)/dusk.yaml", encoding: .utf8) == old)
            #expect(try FileManager.default.contentsOfDirectory(atPath: patches).sorted() == ["dusk.yaml", "fill"])
            #expect(try peer.value("now/state") == [.string("playing")])
            try await free("\(patches)/fill")
            #expect(try peer.perform("patch/save", .string("dusk"), .int32(1)) == 0, "\(peer.heard.suffix(1))")
            #expect(try String(contentsOfFile: "\(patches)/dusk.yaml", encoding: .utf8).contains("-33"))
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    /// Skips the test where there can be no small disk.
    private func requireMount() async throws {
        let folder = try TemporaryFolder()
        let run = try await RunningProgram.run(
            "unshare", ["-m", "mount", "-t", "tmpfs", "none", folder.path], environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
        if run.exit != .code(0) { try Test.cancel("a small disk cannot be mounted: this user may not make namespaces (unshare)") }
    }

    /// Fills the disk.
    private func fill(_ path: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
        defer { close(descriptor) }
        let block = [UInt8](repeating: 0, count: 512)
        while write(descriptor, block, block.count) > 0 {}
    }

    /// Deletes what ``fill(_:)`` wrote, and waits until there is room: a program that another test is just starting may still have it open.
    private func free(_ path: String) async throws {
        try FileManager.default.removeItem(atPath: path)
        let folder = URL(filePath: path).deletingLastPathComponent().path
        var disk = statvfs()
        #expect(await eventually { statvfs(folder, &disk) == 0 && disk.f_bfree >= disk.f_blocks / 2 })
    }
}
