import Foundation
import InstanceSupport
import TestSupport
import Testing

@Suite("A disk that is full")
struct FullDiskTests {
    @Test("a full disk is reported during playback; the old session stays complete, and changes are saved when there is room again")
    func fullWhilePlaying() async throws {
        let disk = try await SmallDisk.mounted()
        let home = try InstanceHome()
        try home.write(InstanceHome.tone, to: "tone.yaml")
        let instance = try home.start("tone.yaml", "--session", "\(disk.path)/mine.yaml")
        let peer = SteppedPeer(instance)
        instance.pass(seconds: 1)
        #expect(try peer.perform("master/gain", .float(-10)) == 0)
        #expect(try peer.perform("session/save") == 0)
        let old = try disk.read("mine.yaml")
        #expect(old.contains("gain: -10"))
        disk.fill()
        #expect(try peer.perform("master/gain", .float(-20)) == 0)
        #expect(try peer.perform("session/save") == 200)
        let notices = instance.notices.joined(separator: "\n")
        #expect(notices.contains("The session was not saved; the file is unchanged."), "\(notices)")
        #expect(notices.contains("No space left on device. Free some disk space."), "\(notices)")
        #expect(try disk.read("mine.yaml") == old)
        #expect(try peer.value("session/dirty") == [.int32(1)])
        #expect(try peer.value("now/state") == [.string("playing")])

        try await disk.free()
        #expect(try peer.perform("session/save") == 0, "\(peer.heard.suffix(1))")
        #expect(try disk.read("mine.yaml").contains("gain: -20"))
        try await instance.end()
        await disk.remove()
    }

    @Test("a patch that does not fit is not saved, which is answered with the reason; the one before stays, and can be replaced later")
    func fullForPatches() async throws {
        let disk = try await SmallDisk.mounted()
        let home = try InstanceHome(dataHome: disk.path)
        try home.write(InstanceHome.tone, to: "tone.yaml")
        let instance = try home.start("tone.yaml", "--session", "mine.yaml")
        let peer = SteppedPeer(instance)
        instance.pass(seconds: 1)
        #expect(try peer.perform("patch/save", .string("dusk")) == 0)
        let old = try disk.read("patches/dusk.yaml")
        disk.fill()
        #expect(try peer.perform("layer/1/gain", .float(-33)) == 0)
        #expect(try peer.perform("patch/save", .string("dusk"), .int32(1)) == 200)
        #expect(try peer.perform("patch/save", .string("dawn")) == 200)
        #expect(try disk.read("patches/dusk.yaml") == old)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(disk.path)/patches") == ["dusk.yaml"])
        #expect(try peer.value("now/state") == [.string("playing")])
        try await disk.free()
        #expect(try peer.perform("patch/save", .string("dusk"), .int32(1)) == 0, "\(peer.heard.suffix(1))")
        #expect(try disk.read("patches/dusk.yaml").contains("-33"))
        await disk.remove()
    }
}

/// A disk of 64 kB, mounted where only one idle program sees it; others reach it through that.
private final class SmallDisk: Sendable {
    private let folder: TemporaryFolder
    private let holder: RunningProgram
    let path: String
    private var filling: String { "\(path)/fill" }

    /// Cancels the test where there can be no such disk.
    static func mounted() async throws -> SmallDisk {
        let disk = try SmallDisk()
        _ = await eventually { disk.holder.hasEnded || disk.holder.outputLines.contains("mounted") }
        if disk.holder.hasEnded { try Test.cancel("a small disk cannot be mounted: this user may not make namespaces (unshare)") }
        return disk
    }

    private init() throws {
        folder = try TemporaryFolder()
        let script = "mount -t tmpfs -o size=64k none \"$0\" && echo mounted && exec cat"
        holder = try RunningProgram(
            "unshare", ["-m", "sh", "-c", script, folder.path], environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
        path = "/proc/\(holder.pid)/root\(folder.path)"
    }

    func remove() async { await holder.end() }

    func read(_ name: String) throws -> String { try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

    func fill() {
        let descriptor = open(filling, O_WRONLY | O_CREAT, 0o600)
        defer { close(descriptor) }
        let block = [UInt8](repeating: 0, count: 512)
        while write(descriptor, block, block.count) > 0 {}
    }

    /// Deletes what ``fill()`` wrote, and waits until there is room: a program that another test is just starting may still have it open.
    func free() async throws {
        try FileManager.default.removeItem(atPath: filling)
        var disk = statvfs()
        #expect(await eventually { statvfs(path, &disk) == 0 && disk.f_bfree >= disk.f_blocks / 2 })
    }
}
