import Foundation
import Glibc
import Library
import Patches
import TestSupport
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

    @Test(
        "if the files beside it cannot be looked at, as on a file system over a network, saving fails and every file is as it was",
        arguments: FailingStatus.allCases)
    func failingStatus(failing: FailingStatus) async throws {
        let folder = try Folder()
        let path = folder.path
        let files = ["s.yaml": "old", "s.yaml.1": "older", "s.yaml.2": "oldest"]
        for (name, title) in files { try folder.write(session(title).yaml, to: name) }
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            [path = path as String, failing = failing as FailingStatus] in
            let store = try SessionStore.open(file: path + "/s.yaml", initial: Session()).store
            guard failing.begin() else {
                print("seccomp is refused")
                exit(0)
            }
            do {
                try store.save(Session(title: "new"), .explicit, at: 0)
                exit(1)
            } catch let error as SessionStoreError {
                guard case .cannotWrite(let cause) = error, cause.code == ESTALE else { exit(2) }
            }
            store.close()
            exit(0)
        }
        if String(decoding: result?.standardOutputContent ?? [], as: UTF8.self).contains("seccomp is refused") {
            try Test.cancel("no call can be made to fail here (seccomp)")
        }
        // It is also unknown whose lock lies there, so that it stays; the next start takes it.
        #expect(folder.names.filter { $0 != "s.yaml.lock" } == files.keys.sorted())
        for (name, title) in files { #expect(try folder.read(name) == session(title).yaml) }
    }

    @Test("if the disk is full when a damaged session is opened, it stays under its name, and the next start recovers it")
    func damagedOnFullDisk() async throws {
        let folder = try Folder()
        let path = folder.path
        var older = session("older")
        older.items += (0..<1000).map { Session.Item(patch: "patch-\($0)") }
        try folder.write("queue: [", to: "s.yaml")
        try folder.write(older.yaml, to: "s.yaml.1")
        await #expect(processExitsWith: .success) { [path = path as String] in
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            do {
                _ = try SessionStore.open(file: path + "/s.yaml", initial: Session())
                exit(1)
            } catch let error as SessionStoreError {
                guard case .cannotWrite(let cause) = error, cause.operation == .write else { exit(2) }
            }
            exit(0)
        }
        #expect(folder.names.filter { !$0.hasSuffix(".lock") } == ["s.yaml", "s.yaml.1"])
        #expect(try folder.read("s.yaml") == "queue: [")
        let opened = try SessionStore.open(file: folder.file("s.yaml"), initial: session("first"))
        #expect(opened.session == older)
        #expect(try folder.read("s.yaml.damaged") == "queue: [")
    }

    @Test("a link under the name for a damaged session is the user's, also if it leads to that session")
    func linkInPlaceOfDamaged() throws {
        let folder = try Folder()
        try folder.write("queue: [", to: "s.yaml")
        symlink("s.yaml", folder.file("s.yaml.damaged"))
        let opened = try SessionStore.open(file: folder.file("s.yaml"), initial: session("first"))
        #expect(folder.names == ["s.yaml.damaged", "s.yaml.damaged-2", "s.yaml.lock"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("s.yaml.damaged")) == "s.yaml")
        opened.store.close()
    }

    @Test("a damaged session that was set aside by a start that was killed is set aside once")
    func killedWhileSettingAside() throws {
        let folder = try Folder()
        try folder.write("queue: [", to: "s.yaml")
        #expect(link(folder.file("s.yaml"), folder.file("s.yaml.damaged")) == 0)
        try folder.write(session("older").yaml, to: "s.yaml.1")
        let opened = try SessionStore.open(file: folder.file("s.yaml"), initial: session("first"))
        #expect(opened.session == session("older"))
        #expect(folder.names == ["s.yaml", "s.yaml.1", "s.yaml.damaged", "s.yaml.lock"])
        #expect(try folder.read("s.yaml.damaged") == "queue: [")
    }

    @Test("a session in UTF-16 is set aside for an older state; without one it is refused with a remedy and stays as it is")
    func wideText() throws {
        let folder = try Folder()
        let wide = Data([0xFF, 0xFE]) + Data("format: 1".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        try wide.write(to: URL(filePath: folder.file("s.yaml")))
        let error = #expect(throws: SessionStoreError.self) { try SessionStore.open(file: folder.file("s.yaml"), initial: Session()) }
        #expect(error?.description.contains("save the file as UTF-8") == true)
        #expect(folder.names == ["s.yaml"])
        try folder.write(session("older").yaml, to: "s.yaml.1")
        let opened = try SessionStore.open(file: folder.file("s.yaml"), initial: Session())
        #expect(opened.session == session("older"))
        #expect(try Data(contentsOf: URL(filePath: folder.file("s.yaml.damaged"))) == wide)
    }

    @Test("a link to a session that is gone leads to its older state, beside the target or beside the link", arguments: ["real/x", "s"])
    func brokenLink(name: String) throws {
        let folder = try Folder()
        try folder.write(session("older").yaml, to: name + ".yaml.1")
        try FileManager.default.createDirectory(atPath: folder.file("real"), withIntermediateDirectories: true)
        symlink("real/x.yaml", folder.file("s.yaml"))
        let opened = try SessionStore.open(file: folder.file("s.yaml"), initial: session("first"))
        #expect(opened.session == session("older"))
        #expect(opened.notices == [.missing(file: folder.file("real/x.yaml"), loaded: folder.file(name + ".yaml.1"))])
        #expect(try folder.read("real/x.yaml") == session("older").yaml)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("s.yaml")) == "real/x.yaml")
    }

    @Test("a link to a session that a folder has replaced leads to its older state beside the target, and nothing is put there")
    func linkToReplaced() throws {
        let folder = try Folder()
        try folder.write("", to: "real/x.yaml/kept")
        try folder.write(session("older").yaml, to: "real/x.yaml.1")
        symlink("real/x.yaml", folder.file("s.yaml"))
        let opened = try SessionStore.open(file: folder.file("s.yaml"), initial: session("first"))
        #expect(opened.session == session("older"))
        #expect(opened.notices.first == .missing(file: folder.file("s.yaml"), loaded: folder.file("real/x.yaml.1")))
        #expect(throws: SessionStoreError.self) { try opened.store.save(session("new"), .explicit, at: 0) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("real")).sorted() == ["x.yaml", "x.yaml.1"])
        #expect(folder.has("real/x.yaml/kept"))
    }

    @Test(
        "a session or its folder that is a link into a folder that is not there, as on a disk that was removed, is opened for reading only and stays as it is",
        arguments: ["", "/sessions/s.yaml"])
    func linkToMissingFolder(rest: String) throws {
        let folder = try Folder()
        symlink("disk/x", folder.file("link"))
        let opened = try SessionStore.open(file: folder.file("link" + rest), initial: session("first"))
        #expect(opened.session == session("first"))
        #expect(opened.store.readOnlyReason == "Cannot lock \(folder.file("disk/x\(rest).lock")): No such file or directory")
        #expect(folder.names == ["link"])
    }

    @Test("a folder that is removed in mid-play is made again at the next save, for the user alone, with the lock and the state before")
    func folderRemoved() throws {
        let folder = try Folder()
        let file = folder.file("state/sessions/s.yaml")
        let store = try SessionStore.open(file: file, initial: Session()).store
        try store.save(session("one"), .change, at: 0)
        try FileManager.default.removeItem(atPath: folder.file("state"))
        try store.save(session("two"), .explicit, at: 1)
        #expect(try folder.read("state/sessions/s.yaml") == session("two").yaml)
        #expect(try folder.read("state/sessions/s.yaml.1") == session("one").yaml)
        for made in ["state", "state/sessions"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(made))
            #expect(attributes[.posixPermissions] as? Int == 0o700)
        }
        let error = #expect(throws: SessionStoreError.self) { try SessionStore.open(file: file, initial: Session()) }
        guard case .inUse = error else { throw try #require(error) }
        store.close()
        #expect(!folder.has("state/sessions/s.yaml.lock"))
    }

    @Test("a folder that is removed when all is saved is made again for the position, with the session")
    func folderRemovedLater() throws {
        let folder = try Folder()
        let file = folder.file("state/sessions/s.yaml")
        let position = SavedPosition(item: 0, elapsed: 5)
        let store = try SessionStore.open(file: file, initial: Session()).store
        try store.save(session("one"), .change, at: 0)
        try FileManager.default.removeItem(atPath: folder.file("state"))
        try store.savePosition(position)
        store.close()
        let opened = try SessionStore.open(file: file, initial: Session())
        #expect(opened.session == session("one"))
        #expect(opened.position == position)
        opened.store.close()
    }

    @Test(
        "nothing is made where a link leads to a folder that is gone, as on a disk that is removed in mid-play, and the error says what to do"
    )
    func targetRemoved() throws {
        let folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder.file("disk"), withIntermediateDirectories: true)
        symlink("disk", folder.file("link"))
        let store = try SessionStore.open(file: folder.file("link/sessions/s.yaml"), initial: Session()).store
        try store.save(session("one"), .change, at: 0)
        try FileManager.default.moveItem(atPath: folder.file("disk"), toPath: folder.file("away"))
        let error = #expect(throws: SessionStoreError.self) { try store.save(session("two"), .change, at: 1) }
        #expect(
            error?.description
                == "The session was not saved: its folder is gone. Cannot make the folder \(folder.file("link/sessions")): No such file or directory. Put the folder back, then save again."
        )
        #expect(throws: SessionStoreError.self) { try store.savePosition(SavedPosition(item: 0, elapsed: 1)) }
        #expect(folder.names == ["away", "link"])
        try FileManager.default.moveItem(atPath: folder.file("away"), toPath: folder.file("disk"))
        try store.save(session("two"), .change, at: 2)
        store.close()
        #expect(try folder.read("disk/sessions/s.yaml") == session("two").yaml)
    }

    @Test("half a file that a killed process has left is removed when the session is opened")
    func remains() throws {
        let folder = try Folder()
        for name in ["s.yaml.tmp", "s.yaml.1.tmp", "s.position.tmp"] { try folder.write("half", to: name) }
        let opened = try SessionStore.open(file: folder.file("s.yaml"), initial: session("first"))
        #expect(folder.names == ["s.yaml.lock"])
        opened.store.close()
    }

    @Test("a sound file or a picture in place of a session is refused and stays as it is, as do the files beside it")
    func foreign() throws {
        let folder = try Folder()
        let names = ["s.position.tmp", "s.yaml", "s.yaml.1.tmp", "s.yaml.tmp"]
        for name in names { try folder.write("fLaC music", to: name) }
        let error = #expect(throws: SessionStoreError.self) { try SessionStore.open(file: folder.file("s.yaml"), initial: Session()) }
        #expect(error?.description.contains("s.yaml: this is a sound file (FLAC)") == true)
        #expect(try folder.read("s.yaml") == "fLaC music")
        #expect(folder.names == names)
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
        var random = SplitMix64(seed: 6)
        for round in 0..<12 {
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
                #expect(session.items.count == 500, "\(name) after \(microseconds) us")
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
