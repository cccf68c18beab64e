import Foundation
import OperatingSystem
import Synchronization
import Testing

@testable import Library

@Suite("Outputs of commands")
struct OutputRecordTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private var record: OutputRecord {
        OutputRecord(
            places: Places(
                workingFolder: folder.path, dataHome: folder.file("data"), stateHome: folder.file("state"),
                configHome: folder.file("config"),
                cacheHome: folder.file("cache")))
    }

    /// Writes a file as a command does, and returns its path.
    private func make(_ name: String, _ text: String = "made", by command: String) throws -> String {
        try folder.write(text, to: name)
        #expect(record.add(folder.file(name), by: command) == nil)
        return folder.file(name)
    }

    private func refusal(_ path: String, for command: String?, inputs: [String] = [], replaces: Bool = false) -> OutputError? {
        do throws(OutputError) {
            try record.requireFree(path, for: command, inputs: inputs, replaces: replaces)
            return nil
        } catch {
            return error
        }
    }

    @Test("A file that is there is replaced only if that is wanted; a path without one is free")
    func existing() throws {
        try folder.write("mine", to: "a.wav")
        let path = folder.file("a.wav")
        #expect(refusal(path, for: "render") == .exists(path: path, command: "render"))
        #expect(refusal(path, for: nil) == .exists(path: path, command: nil))
        #expect(refusal(path, for: "render", replaces: true) == nil)
        #expect(refusal(folder.file("b.wav"), for: "render") == nil)
        #expect(refusal(folder.file("nowhere/b.wav"), for: "render") == nil)
        try FileManager.default.createSymbolicLink(atPath: folder.file("link.wav"), withDestinationPath: "a.wav")
        #expect(refusal(folder.file("link.wav"), for: "render") == .exists(path: folder.file("link.wav"), command: "render"))
    }

    @Test("A command replaces what it wrote itself, under any name, and nothing that another command wrote")
    func own() throws {
        let path = try make("a.yaml", by: "import")
        #expect(refusal(path, for: "import") == nil)
        #expect(refusal(path, for: "export") == .exists(path: path, command: "export"))
        #expect(refusal(path, for: nil) == .exists(path: path, command: nil))
        try FileManager.default.moveItem(atPath: path, toPath: folder.file("b.yaml"))
        #expect(refusal(folder.file("b.yaml"), for: "import") == nil)
    }

    @Test("A file that was changed, or put in the place of the written one, is kept")
    func changed() throws {
        let path = try make("a.yaml", by: "import")
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data("# mine".utf8))
        try file.close()
        #expect(refusal(path, for: "import") == .exists(path: path, command: "import"))
        let other = try make("b.yaml", by: "import")
        try folder.write("other", to: "c.yaml")
        #expect(rename(folder.file("c.yaml"), other) == 0)
        #expect(refusal(other, for: "import") == .exists(path: other, command: "import"))
    }

    @Test("A file that is read is never replaced, whatever path leads to it")
    func inputs() throws {
        let input = try make("sea.flac", by: "render")
        #expect(link(input, folder.file("hard.flac")) == 0)
        try FileManager.default.createSymbolicLink(atPath: folder.file("link.flac"), withDestinationPath: "sea.flac")
        try folder.write("", to: "sub/x")
        for name in ["sea.flac", "hard.flac", "link.flac", "sub/../sea.flac", "./sea.flac"] {
            let path = folder.file(name)
            for replaces in [false, true] {
                let error = refusal(path, for: "render", inputs: [folder.file("gone"), input], replaces: replaces)
                #expect(error == .isInput(path: path, input: input))
            }
        }
        #expect(refusal(input, for: "render", inputs: [folder.file("sub/x")]) == nil)
        // One that cannot be looked at may be the output.
        try FileManager.default.createSymbolicLink(atPath: folder.file("loop"), withDestinationPath: "loop")
        let error = refusal(input, for: "render", inputs: [folder.file("loop")], replaces: true)
        #expect(error?.description.contains("it may be '\(folder.file("loop"))', which cannot be looked at") == true)
    }

    @Test("An open file, such as standard output, must not be one that is read; anything else may be open")
    func openFiles() throws {
        try folder.write("mine", to: "tone.yaml")
        try folder.write("", to: "other.raw")
        #expect(link(folder.file("tone.yaml"), folder.file("hard.yaml")) == 0)
        try FileManager.default.createSymbolicLink(atPath: folder.file("link.yaml"), withDestinationPath: "tone.yaml")
        func refusal(_ path: String) -> OutputError? {
            let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
            defer { close(descriptor) }
            do throws(OutputError) {
                try OutputRecord.requireNoInput(
                    descriptor, calledBy: "standard output", inputs: [folder.file("gone"), "/dev/null", folder.file("tone.yaml")])
                return nil
            } catch {
                return error
            }
        }
        for name in ["tone.yaml", "hard.yaml", "link.yaml"] {
            #expect(
                refusal(folder.file(name))?.description
                    == "Cannot write to standard output: it goes into '\(folder.file("tone.yaml"))', which the output is made from. Send it to another file."
            )
        }
        #expect(refusal(folder.file("other.raw")) == nil)
        #expect(refusal("/dev/null") == nil)
        #expect(throws: Never.self) { try OutputRecord.requireNoInput(-1, calledBy: "standard output", inputs: [folder.file("tone.yaml")]) }
    }

    @Test("A link to a missing file is kept; if it may be replaced, the file that it names is created, and belongs to the command")
    func brokenLinks() throws {
        try folder.write("", to: "sub/x")
        let links = [("sub/last.svg", "../made.svg"), ("first.svg", "way/last.svg"), ("way", "sub")]
        for (name, target) in links {
            try FileManager.default.createSymbolicLink(atPath: folder.file(name), withDestinationPath: target)
        }
        let path = folder.file("first.svg")
        #expect(refusal(path, for: "plot") == .isBrokenLink(path: path, target: folder.file("made.svg")))
        #expect(refusal(path, for: nil) == .isBrokenLink(path: path, target: folder.file("made.svg")))
        #expect(refusal(path, for: "plot", replaces: true) == nil)
        try RegularFile.replaceTarget(of: path, with: [1])
        #expect(try RegularFile.read(folder.file("made.svg"), limit: 10) == [1])
        for (name, target) in links { #expect(RegularFile.linkTarget(of: folder.file(name)) == target) }
        #expect(record.add(path, by: "plot") == nil)
        #expect(refusal(path, for: "plot") == nil)
        #expect(refusal(folder.file("made.svg"), for: "plot") == nil)
    }

    @Test("A place that cannot be looked at is not free")
    func unknown() throws {
        try FileManager.default.createSymbolicLink(atPath: folder.file("loop"), withDestinationPath: "loop")
        #expect(refusal(folder.file("loop"), for: "plot", replaces: true) != nil)
    }

    @Test("The record keeps the last 1000 outputs, and one that is damaged only forgets")
    func bounded() throws {
        let path = try make("a.wav", by: "render")
        let line = try folder.read("state/outputs")
        try folder.write(String(repeating: "render 1 2 3 4.5\n", count: 1200) + line, to: "state/outputs")
        _ = try make("b.wav", by: "render")
        #expect(try folder.read("state/outputs").split(separator: "\n").count == 1000)
        #expect(refusal(path, for: "render") == nil)
        try Data([0xFF, 0, 0x0A]).write(to: URL(filePath: folder.file("state/outputs")))
        #expect(refusal(path, for: "render") != nil)
        _ = try make("c.wav", by: "render")
        #expect(refusal(folder.file("c.wav"), for: "render") == nil)
    }

    @Test("Outputs of commands that end at the same time are all recorded, and only the record is left")
    func together() async throws {
        let (folder, record) = (folder, record)
        let paths = (0..<40).map { folder.file("\($0).wav") }
        for path in paths { try Data(path.utf8).write(to: URL(filePath: path)) }
        let recorded = Mutex<[String]>([])
        // Threads, since each waits for the others.
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let all = DispatchGroup()
            for path in paths {
                all.enter()
                Thread {
                    // On a slow disk one may not get the lock in time, and says so.
                    if record.add(path, by: "render") == nil { recorded.withLock { $0.append(path) } }
                    all.leave()
                }.start()
            }
            all.notify(queue: .global()) { continuation.resume() }
        }
        let all = recorded.withLock { $0 }
        #expect(all.count > 1)
        for path in all { #expect(refusal(path, for: "render") == nil) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("state")) == ["outputs"])
    }

    @Test("A lock that another program keeps does not stop a command, which warns that its file is not recorded")
    func heldLock() throws {
        try folder.write("mine", to: "a.wav")
        try folder.write("", to: "state/outputs.lock")
        let lock = try RegularFile.openLock(folder.file("state/outputs.lock"))
        #expect(flock(lock, LOCK_EX) == 0)
        let warning = try #require(record.add(folder.file("a.wav"), by: "render"))
        #expect(warning.hasPrefix("\(folder.file("a.wav")): warning: 'binaural render' will not replace this file without --force"))
        #expect(!folder.has("state/outputs"))
        close(lock)
        #expect(record.add(folder.file("a.wav"), by: "render") == nil)
        #expect(refusal(folder.file("a.wav"), for: "render") == nil)
    }

    @Test("Where nothing can be recorded, the command warns and names the folder and the reason")
    func unwritable() throws {
        try folder.write("mine", to: "a.wav")
        try folder.write("a file in place of the folder", to: "state")
        let warning = try #require(record.add(folder.file("a.wav"), by: "render"))
        #expect(warning.contains(" since its record in \(folder.file("state")) cannot be written: not a directory"))
    }

    @Test("A name may have as many bytes as the system allows, in any script", arguments: ["a", "é", "深", "👩‍👩‍👧‍👦"])
    func longNames(character: String) throws {
        for length in 230...255 {
            let count = (length - 4) / character.utf8.count
            let name = String(repeating: character, count: count) + String(repeating: "x", count: length - 4 - count * character.utf8.count)
            let path = folder.file(name + ".svg")
            try RegularFile.replaceTarget(of: path, with: [1])
            #expect(try RegularFile.read(path, limit: 10) == [1])
            let temporary = RegularFile.replacement(of: path).temporary
            #expect(temporary.hasPrefix(folder.file(".") + String(name.prefix(3))) && temporary.hasSuffix(".\(getpid()).part"))
        }
    }
}
