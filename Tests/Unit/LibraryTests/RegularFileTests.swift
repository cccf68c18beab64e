import Foundation
import OperatingSystem
import Synchronization
import TestSupport
import Testing

@testable import Library

/// Nothing waits for a file, whatever kind it is.
@Suite("Opening files", .ownThread)
struct RegularFileTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    private var path: String { folder.file("x.yaml") }

    /// Errno and file kind in one value.
    private func cause(_ body: () throws -> Void) -> FileError? { #expect(throws: FileError.self) { try body() } }

    @Test("The age of a file has a value whatever time its file system keeps", arguments: [Int.min + 1, 0, Int.max])
    func age(seconds: Int) throws {
        let file = "/dev/shm/binaural-age-\(getpid())-\(UInt(bitPattern: seconds))"
        try RegularFile.writeNew(file, [1])
        defer { unlink(file) }
        var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, file, &times, 0) == 0)
        #expect(RegularFile.age(of: file)?.isFinite == true)
    }

    @Test(
        "A file that is not regular is neither read, locked nor replaced, and the error says what it is and what to do",
        arguments: HostileFile.allCases)
    func kinds(hostile: HostileFile) throws {
        let end = try hostile.lay(at: path)
        defer { withExtendedLifetime(end) {} }
        let kind = hostile.kind
        #expect(try FileKind.at(path) == kind)
        #expect(cause { _ = try RegularFile.read(path, limit: 100) } == FileError(operation: .read, path: path, cause: .kind(kind)))
        #expect(cause { _ = try RegularFile.openLock(path) } == FileError(operation: .lock, path: path, cause: .kind(kind)))
        let error = cause { try RegularFile.replace(path, with: [1], by: path + ".tmp") }
        #expect(error == FileError(operation: .create, path: path, cause: .kind(kind)))
        #expect(
            error?.description
                == "Cannot create \(path): it is \(kind.noun), not a file. Remove it, or choose another name.")
        // It is unchanged, and there is nothing else.
        #expect(try FileKind.at(path) == kind)
        #expect(!folder.has("x.yaml.tmp"))
    }

    @Test("A pipe is not even opened: a process at its other end keeps waiting, and data in it stays there")
    func pipeIsLeftAlone() throws {
        try #require(mkfifo(path, 0o644) == 0)
        let end = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        defer { close(end) }
        #expect(write(end, "abc", 3) == 3)
        _ = cause { _ = try RegularFile.read(path, limit: 100) }
        _ = cause { try RegularFile.replace(path, with: [1], by: path + ".tmp") }
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(read(end, &bytes, 8) == 3)
    }

    @Test("A file that becomes a pipe between the check and the opening is read or refused, and never waited for")
    func race() throws {
        let (file, pipe) = (folder.file("file"), folder.file("pipe"))
        try folder.write("text", to: "file")
        try #require(mkfifo(pipe, 0o644) == 0)
        try #require(symlink(file, path) == 0)
        let isDone = Atomic(false)
        var outcomes: Set<String> = []
        withoutActuallyEscaping({
            var isPipe = false
            while !isDone.load(ordering: .relaxed) {
                isPipe.toggle()
                unlink(path + ".next")
                symlink(isPipe ? pipe : file, path + ".next")
                rename(path + ".next", path)
            }
        }) { swap in
            let group = DispatchGroup()
            let work = DispatchWorkItem(block: swap)
            DispatchQueue.global().async(group: group, execute: work)
            func read() {
                do throws(FileError) {
                    outcomes.insert(String(decoding: try RegularFile.read(path, limit: 100), as: UTF8.self))
                } catch {
                    outcomes.insert(error.reason)
                }
            }
            // Many rounds, for the moments in between; and both happen sooner or later.
            for _ in 0..<20_000 { read() }
            _ = eventually {
                read()
                return outcomes.count >= 2
            }
            isDone.store(true, ordering: .relaxed)
            group.wait()
        }
        #expect(outcomes == ["text", "it is a named pipe, not a file"])
    }

    @Test("A file of 3 GB, and one that grows while it is read, are read up to one byte beyond the limit")
    func bound() throws {
        try folder.write("", to: "x.yaml")
        try #require(truncate(path, 3 << 30) == 0)
        #expect(try RegularFile.read(path, limit: 1000).count == 1001)
        try #require(truncate(path, 0) == 0)
        let isDone = Atomic(false)
        let group = DispatchGroup()
        let growing = path
        withoutActuallyEscaping({
            let end = open(growing, O_WRONLY | O_APPEND | O_CLOEXEC)
            let block = [UInt8](repeating: 0x78, count: 65_536)
            var size = 0
            while !isDone.load(ordering: .relaxed), size < 1 << 30 { size += max(0, write(end, block, block.count)) }
            close(end)
        }) { grow in
            DispatchQueue.global().async(group: group, execute: DispatchWorkItem(block: grow))
            for _ in 0..<20 { #expect((try? RegularFile.read(path, limit: 1 << 20)).map { $0.count <= 1 << 20 + 1 } == true) }
            isDone.store(true, ordering: .relaxed)
            group.wait()
        }
    }

    @Test(
        "A file that has no data yet, such as the kernel's messages, is an error and not waited for",
        .enabled(if: getuid() == 0, "Only root may read the kernel's messages."))
    func endlessFile() throws {
        // A regular file by its mode.
        guard try FileKind.at("/proc/kmsg") == .regular, access("/proc/kmsg", R_OK) == 0 else {
            try Test.cancel("the kernel's messages cannot be read here")
        }
        for _ in 0..<100 {
            do throws(FileError) { _ = try RegularFile.read("/proc/kmsg", limit: 1 << 24) } catch {
                #expect(error.code == EAGAIN || error.code == EPERM)
            }
        }
    }

    @Test("A temporary file is new, whatever had its name; only a folder stays, and is an error", arguments: HostileFile.allCases)
    func temporary(hostile: HostileFile) throws {
        try folder.write("old", to: "x.yaml")
        let end = try hostile.lay(at: path + ".tmp")
        defer { withExtendedLifetime(end) {} }
        guard hostile == .folder else {
            try RegularFile.replace(path, with: Array("new".utf8), by: path + ".tmp")
            #expect(try folder.read("x.yaml") == "new")
            return
        }
        let error = cause { try RegularFile.replace(path, with: Array("new".utf8), by: path + ".tmp") }
        #expect(error == FileError(operation: .create, path: path + ".tmp", cause: .kind(.folder)))
        #expect(try folder.read("x.yaml") == "old")
    }

    // MARK: Files of the library

    @Test(
        "Nothing under the name of a session, its lock or an older state is waited for, and nothing is lost",
        arguments: HostileFile.allCases)
    func session(hostile: HostileFile) throws {
        for name in ["", ".lock", ".tmp", ".1", ".5"] {
            let session = Session(title: "Kept", items: [.init(patch: "welcome")])
            let file = folder.file("\(name).d/s.yaml")
            try folder.write(session.yaml, to: "\(name).d/s.yaml")
            if name.isEmpty { unlink(file) }
            let end = try hostile.lay(at: file + name)
            defer { withExtendedLifetime(end) {} }
            do {
                let opened = try SessionStore.open(file: file, initial: Session())
                #expect(opened.session == session)
                #expect((opened.store.readOnlyReason != nil) == (name == ".lock"))
                try opened.store.save(Session(title: "New"), .explicit, at: 0)
                #expect(try Session.parse(folder.read("\(name).d/s.yaml"), file: "").title == "New")
                // A folder, which a file cannot replace.
                #expect(hostile != .folder || name == ".5" || name == ".1")
            } catch let error as SessionStoreError {
                #expect([":", ".lock:", ".tmp:"].contains("\(name):") || hostile == .folder, "\(name) \(error)")
                #expect("\(error)".contains(file), "\(error)")
                if !name.isEmpty { #expect(try Session.parse(folder.read("\(name).d/s.yaml"), file: "") == session) }
            }
        }
    }

    @Test("Neither a position, the last session, preferences nor a patch is waited for", arguments: HostileFile.allCases)
    func others(hostile: HostileFile) throws {
        let library = Library(
            places: Places(
                workingFolder: folder.file("here"), dataHome: folder.file("data"), stateHome: folder.file("state"),
                configHome: folder.file("config"), cacheHome: folder.file("cache")))
        var ends: [HostileFile.OtherEnd?] = []
        defer { withExtendedLifetime(ends) {} }
        let names = [
            "state/sessions/s.position", "state/last-session", "config/preferences.yaml", "here/patches/p.yaml", "here/patches/q.sbg",
        ]
        for name in names {
            try folder.write("", to: name)
            unlink(folder.file(name))
            ends.append(try hostile.lay(at: folder.file(name)))
        }
        let opened = try SessionStore.open(file: folder.file("state/sessions/s.yaml"), initial: Session())
        #expect(opened.position == nil)
        let unsaved = #expect(throws: SessionStoreError.self) { try opened.store.savePosition(SavedPosition(item: 0, elapsed: 1)) }
        #expect("\(unsaved!)".contains("s.position: it is \(hostile.kind.noun), not a file. Remove it"))
        #expect(throws: LibraryError.self) { try library.lastSession }
        #expect(throws: LibraryError.self) { try library.rememberLastSession("x") }
        let preferences = PreferencesFile(path: folder.file("config/preferences.yaml"))
        #expect("\(preferences.load().notice!)".contains("it is \(hostile.kind.noun), not a file"))
        #expect(throws: PreferencesError.self) { try preferences.save(.init()) }
        for name in ["p", "q", "./patches/p.yaml"] {
            let error = #expect(throws: LibraryError.self) { try library.loadPatch(name) }
            let known = "\(error!)"
            #expect(known.hasPrefix("Cannot read "), "\(known)")
            #expect(known.contains(name.contains("p") ? "p.yaml" : "q.sbg"), "\(known)")
            #expect(known.contains(": it is \(hostile.kind.noun), not a file. Put a file there"), "\(known)")
        }
        #expect(library.list(.patches).isEmpty)
    }

    @Test("A patch of 3 GB is refused by its size, without being read")
    func largePatch() throws {
        try folder.write("", to: "here/patches/large.yaml")
        try #require(truncate(folder.file("here/patches/large.yaml"), 3 << 30) == 0)
        let library = Library(
            places: Places(
                workingFolder: folder.file("here"), dataHome: folder.file("data"), stateHome: folder.file("state"),
                configHome: folder.file("config"), cacheHome: folder.file("cache")))
        let error = #expect(throws: LibraryError.self) { try library.loadPatch("large") }
        #expect(
            error?.description
                == "patches/large.yaml: the file has more than 1048576 bytes\n  a patch or session of that size is likely another kind of file"
        )
    }
}
