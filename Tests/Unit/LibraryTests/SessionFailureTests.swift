import Foundation
import Glibc
import Library
import Patches
import Testing

/// Saving that fails or is interrupted must keep the existing file. Each test runs in a process of its own.
@Suite("Saving under failures", .serialized) struct SessionFailureTests {
    @Test("if the disk is full, the old file stays complete, no partial file is left, and the error says so")
    func fullDisk() async throws {
        let folder = try Folder()
        let path = folder.path
        try folder.write(session("old").yaml, to: "s.yaml")
        await #expect(processExitsWith: .success) { [path = path as String] in
            // A limit on the size of files acts like a full disk: a part is written, then the call fails.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let store = try SessionStore.open(file: path + "/s.yaml", initial: Session()).store
            var large = Session(title: "new")
            large.items = (0..<1000).map { Session.Item(patch: "patch-\($0)") }
            do {
                try store.save(large, .explicit, at: 0)
                exit(1)
            } catch let error as SessionStoreError {
                let expected =
                    "The session was not saved; the file is unchanged. Cannot write \(path)/s.yaml.tmp: File too large. Free some disk space."
                guard case .cannotWrite(let cause) = error, cause.operation == .write, error.description == expected else { exit(2) }
            }
            // It continues: a small enough session is saved.
            try store.save(Session(title: "small"), .change, at: 1)
            store.close()
            exit(0)
        }
        #expect(folder.names == ["s.yaml", "s.yaml.1"])
        #expect(try Session.parse(folder.read("s.yaml.1"), file: "").title == "old")
        #expect(try Session.parse(folder.read("s.yaml"), file: "").title == "small")
    }

    @Test("a sound file or a picture in place of a session is refused and stays as it is")
    func foreign() throws {
        let folder = try Folder()
        try folder.write("fLaC music", to: "s.yaml")
        let error = #expect(throws: SessionStoreError.self) { try SessionStore.open(file: folder.file("s.yaml"), initial: Session()) }
        #expect(error?.description.contains("s.yaml: this is a sound file (FLAC)") == true)
        #expect(try folder.read("s.yaml") == "fLaC music")
        #expect(folder.names.filter { $0.contains("damaged") } == [])
    }

    @Test("a damaged session that a link leads to stays where it is; the older state is used, nothing is saved, and the notices say so")
    func damagedTarget() throws {
        let folder = try Folder()
        try folder.write("format: 1\nqueue: {", to: "private.txt")
        symlink(folder.file("private.txt"), folder.file("s.yaml"))
        symlink(folder.file("s.yaml"), folder.file("link.yaml"))
        for hasOlder in [false, true] {
            if hasOlder { try folder.write(session("older").yaml, to: "private.txt.1") }
            for name in ["s.yaml", "link.yaml"] {
                let opened = try SessionStore.open(file: folder.file(name), initial: session("first"))
                #expect(opened.session.title == (hasOlder ? "older" : "first"))
                #expect(opened.isKept)
                let reason = "it is a link to a damaged file, which is kept as it is"
                #expect(opened.store.readOnlyReason == reason)
                let notices = opened.notices.map(\.wordsForPeers)
                #expect(notices.count == 2)
                #expect(notices.first?.contains("private.txt cannot be read.") == true, "\(notices)")
                #expect(notices.last == "Changes to the session \(folder.file("private.txt")) are not saved: \(reason).")
                #expect(throws: SessionStoreError.self) { try opened.store.save(session("new"), .explicit, at: 0) }
                #expect(throws: SessionStoreError.self) { try opened.store.savePosition(SavedPosition(item: 0, elapsed: 1)) }
                opened.store.close()
            }
        }
        #expect(try folder.read("private.txt") == "format: 1\nqueue: {")
        #expect(folder.names.filter { !$0.hasSuffix(".lock") } == ["link.yaml", "private.txt", "private.txt.1", "s.yaml"])
    }

    @Test("a read-only folder is opened for reading only, with the reason, and stays unchanged")
    func readOnlyFolder() async throws {
        let folder = try Folder()
        let path = folder.path
        try folder.write(session("old").yaml, to: "s.yaml")
        chmod(path, 0o555)
        defer { chmod(path, 0o755) }
        await #expect(processExitsWith: .success) { [path = path as String] in
            // The superuser may write anywhere.
            if getuid() == 0 { setuid(65534) }
            let opened = try SessionStore.open(file: path + "/s.yaml", initial: Session())
            let reason = "Cannot lock \(path)/s.yaml.lock: Permission denied. Check its permissions and those of its folder"
            guard opened.session.title == "old", opened.store.readOnlyReason == reason, opened.notices.count == 1 else { exit(1) }
            do {
                try opened.store.save(Session(title: "new"), .explicit, at: 0)
                exit(2)
            } catch let error as SessionStoreError {
                guard case .readOnly = error else { exit(3) }
                exit(0)
            }
        }
        #expect(folder.names == ["s.yaml"])
    }

    @Test("a session too large to be read again is not written, and the old file stays")
    func tooLarge() throws {
        let folder = try Folder()
        try folder.write(session("old").yaml, to: "s.yaml")
        let store = try SessionStore.open(file: folder.file("s.yaml"), initial: Session()).store
        var large = Session(title: "new")
        large.items = (0..<50_000).map { Session.Item(patch: "patch-number-\($0)") }
        let error = #expect(throws: SessionStoreError.self) { try store.save(large, .explicit, at: 0) }
        #expect(error?.description.contains("at most 1048576 can be read. Remove presets or queue items.") == true)
        #expect(try folder.read("s.yaml") == session("old").yaml)
    }

    @Test("a folder that cannot be synced is reported as such: the new file is in place, and is synced later")
    func folderNotSynced() async throws {
        let folder = try Folder()
        let path = folder.path
        try folder.write(session("old").yaml, to: "s.yaml")
        if getuid() == 0 { chown(path, 65534, 65534) }
        await #expect(processExitsWith: .success) { [path = path as String] in
            // The superuser may open anything.
            if getuid() == 0 { setuid(65534) }
            // Its files can be written, but the folder itself cannot be opened.
            chmod(path, 0o333)
            let store = try SessionStore.open(file: path + "/s.yaml", initial: Session()).store
            for _ in 0..<2 {
                do {
                    try store.save(Session(title: "new"), .change, at: 0)
                    exit(1)
                } catch let error as SessionStoreError {
                    let words =
                        "The session was written, but a power failure could still restore its older state. Cannot sync \(path): "
                    guard case .notDurable(let cause) = error, cause.operation == .sync, error.description.hasPrefix(words) else { exit(2) }
                }
            }
            exit(0)
        }
        chmod(path, 0o755)
        #expect(try Session.parse(folder.read("s.yaml"), file: "").title == "new")
        #expect(try Session.parse(folder.read("s.yaml.1"), file: "").title == "old")
        #expect(!folder.has("s.yaml.2"), "trying again uses up no generation")
    }

    @Test("if the new file cannot be created, the old one stays complete and the error names it")
    func blocked() throws {
        let folder = try Folder()
        try folder.write(session("old").yaml, to: "s.yaml")
        let store = try SessionStore.open(file: folder.file("s.yaml"), initial: Session()).store
        try FileManager.default.createDirectory(atPath: folder.file("s.yaml.tmp"), withIntermediateDirectories: true)
        let error = #expect(throws: SessionStoreError.self) { try store.save(session("new"), .explicit, at: 0) }
        #expect(
            error?.description
                == "The session was not saved; the file is unchanged. Cannot create \(folder.file("s.yaml.tmp")): it is a folder, not a file. Remove it, or choose another name."
        )
        #expect(try folder.read("s.yaml") == session("old").yaml)
    }

    @Test("if the program is killed at any time while it saves, the file is the old or the new one, and every generation is complete")
    func killed() async throws {
        let folder = try Folder()
        let path = folder.path
        let start = ContinuousClock.now
        var random = SystemRandomNumberGenerator()
        for round in 0..<12 where ContinuousClock.now - start < .seconds(4) {
            let microseconds = UInt32.random(in: 500...30_000, using: &random)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, round = round as Int, microseconds = microseconds as UInt32] in
                let opened = try SessionStore.open(file: path + "/s.yaml", initial: Session(title: "none"))
                guard opened.notices.isEmpty else { exit(1) }
                var timer = itimerval(it_interval: timeval(), it_value: timeval(tv_sec: 0, tv_usec: Int(microseconds)))
                signal(SIGALRM) { _ in kill(getpid(), SIGKILL) }
                var session = Session()
                session.items = (0..<500).map { Session.Item(patch: "patch-\($0)") }
                var number = 0
                while true {
                    session.title = "\(round).\(number)"
                    try opened.store.save(session, .explicit, at: 0)
                    try opened.store.savePosition(SavedPosition(item: 3, elapsed: Double(number)))
                    // The first save is complete before the time starts, however slow the disk is.
                    if number == 0 { setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil) }
                    number += 1
                }
            }
            for name in folder.names where name.hasPrefix("s.yaml") && !name.hasSuffix(".lock") && !name.hasSuffix(".tmp") {
                let session = try Session.parse(folder.read(name), file: name)
                #expect(session.items.count == 500)
                if name == "s.yaml" { #expect(session.title.hasPrefix("\(round).")) }
            }
            #expect(!folder.has("s.yaml.damaged"))
        }
        let opened = try SessionStore.open(file: folder.file("s.yaml"), initial: Session())
        #expect(opened.notices.isEmpty)
        #expect(opened.session.items.count == 500)
        #expect(opened.position?.item == 3)
    }
}
