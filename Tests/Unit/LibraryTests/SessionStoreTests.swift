import Foundation
import Library
import Patches
import OperatingSystem
import Testing

@Suite("Keeping sessions") struct SessionStoreTests {
    let folder: Folder
    var file: String { folder.file("s.yaml") }

    init() throws { folder = try Folder() }

    private func open() throws -> SessionStore.Opened { try SessionStore.open(file: file, initial: session("initial")) }

    @Test("a missing session is the initial one, and nothing is written before it is saved")
    func firstTime() throws {
        let opened = try open()
        #expect(opened.session == session("initial"))
        #expect(opened.position == nil)
        #expect(opened.notices.isEmpty)
        #expect(folder.names == ["s.yaml.lock"])
        try opened.store.save(opened.session, .change, at: 0)
        #expect(try folder.read("s.yaml") == session("initial").yaml)
        opened.store.close()
        #expect(folder.names == ["s.yaml"])
    }

    @Test("a saved session is the same when it is opened again, with the position")
    func restart() throws {
        do {
            let store = try open().store
            try store.save(session("one"), .change, at: 0)
            try store.savePosition(SavedPosition(item: 0, elapsed: 1234.5678))
        }
        let again = try open()
        #expect(again.session.title == "one")
        #expect(again.position == SavedPosition(item: 0, elapsed: 1234.5678))
    }

    @Test(
        "a truncated or damaged position is ignored, with a notice",
        arguments: ["", "{item: 1, elapsed: 5", "{item: 0, elapsed: 5}\n", "{item: 1, elapsed: -5}\n", "\u{0}\n", "5\n"])
    func badPosition(text: String) throws {
        try folder.write(text, to: "s.position")
        let opened = try open()
        #expect(opened.position == nil)
        #expect(
            opened.notices.map(\.wordsForPeers) == [
                "The position \(folder.file("s.position")) is not as this program has written it and is ignored: the item starts from the beginning."
            ])
    }

    @Test("a position of an older version, without a checksum, is read")
    func formerPosition() throws {
        try folder.write("{item: 2, elapsed: 1234.5}\n", to: "s.position")
        let opened = try open()
        #expect(opened.position == SavedPosition(item: 1, elapsed: 1234.5))
        #expect(opened.notices.isEmpty)
    }

    @Test("a position in which any bit has changed since it was written is ignored, with a notice")
    func bitsOfPosition() throws {
        let position = SavedPosition(item: 1, elapsed: 1234.5)
        try open().store.savePosition(position)
        let bytes = try Array(Data(contentsOf: URL(filePath: folder.file("s.position"))))
        let text = "{item: 2, elapsed: 1234.5}\n"
        #expect(String(decoding: bytes, as: UTF8.self) == text + "# checksum: 30a22e5dbc455985\n...\n")
        for bit in 0..<(8 * bytes.count) {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            try Data(changed).write(to: URL(filePath: folder.file("s.position")))
            let opened = try open()
            let read = opened.position
            // If the line of the checksum itself is another, nothing is lost.
            #expect(read == nil || bit / 8 >= text.utf8.count && read == position, "bit \(bit)")
            #expect(opened.notices.isEmpty == (read != nil), "bit \(bit)")
        }
    }

    @Test("a second owner is refused with the first one's pid, until the first one closes")
    func lock() throws {
        let first = try open()
        let error = #expect(throws: SessionStoreError.self) { try open() }
        guard case .inUse = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(
            error?.description
                == "The session \(file) is in use by process \(getpid()). Stop that process, or choose another file with --session.")
        first.store.close()
        _ = try open()
    }

    @Test("the lock of a session can be released before it is taken, and then never is, for a program that ends meanwhile")
    func lockWhileReading() throws {
        try folder.write("layers: [", to: "s.yaml")
        _ = try SessionStore.open(file: file, initial: session("initial")) { lock in
            #expect(folder.names == ["s.yaml"])
            lock.release()
        }
        #expect(folder.names == ["s.yaml.damaged"])
    }

    @Test("the lock file of a killed process is not a lock")
    func staleLock() throws {
        try folder.write("1\n", to: "s.yaml.lock")
        _ = try open()
    }

    @Test(
        "another file under the lock's name stays as it is, and the session is opened for reading only",
        arguments: ["version = 4\n", "12345678901234567"])
    func foreignLock(text: String) throws {
        try folder.write(text, to: "s.yaml.lock")
        let opened = try open()
        #expect(opened.store.readOnlyReason == "Cannot lock \(file).lock: File exists. Choose another name")
        opened.store.close()
        #expect(try folder.read("s.yaml.lock") == text)
    }

    @Test("a lock that was removed and taken by another owner outlives the first one")
    func removedLock() throws {
        let first = try open()
        unlink(file + ".lock")
        let second = try open()
        first.store.close()
        #expect(folder.names == ["s.yaml.lock"])
        #expect(throws: SessionStoreError.self) { try open() }
        second.store.close()
        #expect(folder.names == [])
    }

    @Test("every explicit save makes a generation, five are kept, newest first")
    func explicitGenerations() throws {
        let store = try open().store
        for number in 0..<9 { try store.save(session("\(number)"), .explicit, at: 0) }
        #expect(try Session.parse(folder.read("s.yaml"), file: "").title == "8")
        for generation in 1...5 { #expect(try Session.parse(folder.read("s.yaml.\(generation)"), file: "").title == "\(8 - generation)") }
        #expect(!folder.has("s.yaml.6"))
    }

    @Test("a state that was saved on request becomes a generation as soon as it changes, also if it had been saved as a change before")
    func requestedGeneration() throws {
        let store = try open().store
        try store.save(session("mine"), .change, at: 0)
        try store.save(session("mine"), .explicit, at: 1)
        try store.save(session("later"), .change, at: 2)
        try store.save(session("latest"), .change, at: 3)
        #expect(try Session.parse(folder.read("s.yaml"), file: "").title == "latest")
        #expect(try Session.parse(folder.read("s.yaml.1"), file: "").title == "mine")
        #expect(!folder.has("s.yaml.2"))
    }

    @Test("changes make a generation at the first save after loading, and then at most every ten minutes")
    func generationsByTime() throws {
        try folder.write(session("loaded").yaml, to: "s.yaml")
        let store = try open().store
        for second in 0..<1300 where second % 2 == 0 { try store.save(session("at \(second)"), .change, at: Double(second)) }
        func title(_ name: String) throws -> String { try Session.parse(folder.read(name), file: "").title }
        #expect(try title("s.yaml") == "at 1298")
        #expect(try title("s.yaml.1") == "at 1198")
        #expect(try title("s.yaml.2") == "at 598")
        #expect(try title("s.yaml.3") == "loaded")
        #expect(!folder.has("s.yaml.4"))
    }

    @Test("restarting again and again without a change does not use up generations")
    func restartsWithoutChange() throws {
        for number in 0..<3 { try open().store.save(session("\(number)"), .explicit, at: 0) }
        let names = folder.names
        for _ in 0..<10 {
            let opened = try open()
            try opened.store.save(opened.session, .explicit, at: 0)
        }
        #expect(folder.names == names)
        #expect(try Session.parse(folder.read("s.yaml.2"), file: "").title == "0")
    }

    @Test("changes by another program meanwhile are kept as a generation")
    func editedByHand() throws {
        let store = try open().store
        try store.save(session("mine"), .change, at: 0)
        try folder.write(session("by hand").yaml, to: "s.yaml")
        try store.save(session("mine again"), .change, at: 1)
        #expect(try Session.parse(folder.read("s.yaml.1"), file: "").title == "by hand")
    }

    @Test(
        "an invalid file is set aside, the newest valid generation replaces it, and the user is notified",
        arguments: ["queue: [", "", "format: 1 # the last line is ...\nqueue: []\n", "\u{0}\u{0}"])
    func damaged(text: String) throws {
        try folder.write(text, to: "s.yaml")
        try folder.write("also wrong", to: "s.yaml.1")
        try folder.write(session("two").yaml, to: "s.yaml.2")
        try folder.write(session("three").yaml, to: "s.yaml.3")
        let opened = try open()
        #expect(opened.session.title == "two")
        #expect(try folder.read("s.yaml.damaged") == text)
        #expect(try folder.read("s.yaml") == session("two").yaml)
        guard case .setAside(file, folder.file("s.yaml.damaged"), _, folder.file("s.yaml.2")) = opened.notices.first else {
            Issue.record("\(opened.notices)")
            return
        }
        #expect(
            opened.notices[0].description.hasPrefix(
                "The session \(file) cannot be read and was kept as \(file).damaged. Its older state in \(file).2 is used.\n\(file):"))
        try opened.store.save(session("later"), .explicit, at: 0)
        #expect(try folder.read("s.yaml.damaged") == text)
    }

    @Test("a session whose file is gone continues from its newest valid generation, and the user is notified")
    func gone() throws {
        try folder.write("wrong", to: "s.yaml.1")
        try folder.write(session("two").yaml, to: "s.yaml.2")
        let opened = try open()
        #expect(opened.session.title == "two")
        #expect(!opened.isNew)
        #expect(opened.notices.map(\.wordsForPeers) == ["The session \(file) is gone. Its older state in \(file).2 is used."])
        #expect(try folder.read("s.yaml") == session("two").yaml)
    }

    @Test("a session whose file is gone and whose older states are all damaged starts as a new one, and the user is notified")
    func goneWithAll() throws {
        for generation in [1, 3] { try folder.write("wrong", to: "s.yaml.\(generation)") }
        #expect(!SessionStore.isSaved(in: file))
        let opened = try open()
        #expect(opened.session == session("initial"))
        #expect(
            opened.notices.map(\.wordsForPeers) == [
                "The session \(file) is gone, and no older state can be read. It starts as a new session."
            ])
    }

    @Test("an edit of the file by hand, and misspelt keys, are used as they are, and the user is notified", arguments: [false, true])
    func edited(hasOlder: Bool) throws {
        try folder.write(session("evening").yaml.replacing("queue:", with: "mster: {gain: -20}\nqueue:"), to: "s.yaml")
        if hasOlder { try folder.write(session("older").yaml, to: "s.yaml.1") }
        let opened = try open()
        let kept = hasOlder ? "Older states are in \(file).1 to \(file).5; the" : "The"
        #expect(opened.session.title == "evening")
        #expect(
            opened.notices.map(\.wordsForPeers) == [
                "The session \(file) is not as this program has written it. If nobody has edited it, it is damaged. \(kept) next save keeps this one as \(file).1.",
                "The session \(file) contains keys that this version does not know; they are kept and ignored. 'binaural check \(file)' shows them.",
            ])
    }

    @Test(
        "a check gives the warning of a start, and none for a session as it was written, by hand or of a newer version",
        arguments: [false, true])
    func checked(hasOlder: Bool) throws {
        let text = session("evening").yaml
        if hasOlder { try folder.write(session("older").yaml, to: "s.yaml.1") }
        for unaltered in [text, "format: 1\nqueue: []\n", text.replacing("format: 1", with: "format: 2"), "queue: ["] {
            try folder.write(unaltered, to: "s.yaml")
            #expect(SessionNotice.alteration(at: file, calling: "s.yaml") == nil)
        }
        try folder.write(text.replacing("welcome", with: "welcomf"), to: "s.yaml")
        #expect(SessionNotice.alteration(at: file, calling: "s.yaml") == .altered(file: "s.yaml", hasOlder: hasOlder))
        #expect(try open().notices == [.altered(file: file, hasOlder: hasOlder)])
    }

    @Test("without a generation the session starts empty, and a second invalid file does not replace the first")
    func damagedTwice() throws {
        for (index, name) in ["s.yaml.damaged", "s.yaml.damaged-2", "s.yaml.damaged-3"].enumerated() {
            try folder.write("wrong \(index)", to: "s.yaml")
            let opened = try open()
            #expect(opened.session == session("initial"))
            #expect(opened.notices.count == 1)
            #expect(try folder.read(name) == "wrong \(index)")
        }
    }

    @Test("a newer format is opened for reading only; an unreadable one is refused; neither is changed")
    func newer() throws {
        let understood = "format: 2\nqueue: [{patch: a}]\nhologram: on\n"
        try folder.write(understood, to: "s.yaml")
        do {
            let opened = try open()
            #expect(opened.session.items.map(\.patch) == ["a"])
            #expect(opened.store.readOnlyReason != nil)
            #expect(
                opened.notices.map(\.description) == [
                    "Changes to the session \(file) are not saved: it was written by a newer version of the program."
                ])
            let error = #expect(throws: SessionStoreError.self) { try opened.store.save(opened.session, .explicit, at: 0) }
            guard case .readOnly = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(throws: SessionStoreError.self) { try opened.store.savePosition(SavedPosition(item: 0, elapsed: 0)) }
        }
        #expect(try folder.read("s.yaml") == understood)
        let strange = "format: 2\nqueue: {a: b}\n"
        try folder.write(strange, to: "s.yaml")
        let error = #expect(throws: SessionStoreError.self) { try open() }
        guard case .newerFormat = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try folder.read("s.yaml") == strange)
        #expect(folder.names == ["s.yaml"])
    }

    @Test("a session has one canonical path, also before it, its folder or the parent folder exists")
    func place() throws {
        try FileManager.default.createDirectory(atPath: folder.file("real"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: folder.file("real"))
        for rest in ["s.yaml", "one/s.yaml", "one/two/s.yaml"] {
            for way in ["real/", "real//", "link/", ".//link/./"] {
                #expect(SessionStore.place(of: folder.file(way + rest)) == folder.file("real/" + rest))
            }
            #expect(SessionStore.place(of: folder.file("link//" + rest.replacing("/", with: "//"))) == folder.file("real/" + rest))
        }
        let opened = try SessionStore.open(file: folder.file("link//one//s.yaml"), initial: session("initial"))
        #expect(opened.store.file == folder.file("real/one/s.yaml"))
        try opened.store.save(opened.session, .change, at: 0)
        #expect(SessionStore.place(of: folder.file("link//one//s.yaml")) == opened.store.file)
        #expect(SessionStore.place(of: "/") == "/")
        #expect(SessionStore.place(of: "no-such-file") == FileManager.default.currentDirectoryPath + "/no-such-file")
    }

    @Test("a link stays a link, and a file keeps its permissions")
    func links() throws {
        try folder.write(session("real").yaml, to: "real/x.yaml")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.file("real/x.yaml"))
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: folder.file("real/x.yaml"))
        try open().store.save(session("new"), .explicit, at: 0)
        #expect(try Session.parse(folder.read("real/x.yaml"), file: "").title == "new")
        #expect(try FileManager.default.attributesOfItem(atPath: folder.file("real/x.yaml"))[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file) == folder.file("real/x.yaml"))
    }

    @Test("anything else in place of the file is an error that says so, if there is no valid generation", arguments: HostileFile.allCases)
    func otherInPlace(hostile: HostileFile) throws {
        let otherEnd = try hostile.lay(at: file)
        try folder.write("wrong", to: "s.yaml.1")
        let names = folder.names
        let error = #expect(throws: SessionStoreError.self) { try open() }
        #expect(
            error?.description
                == "Cannot read \(file): it is \(hostile.kind.noun), not a file. Put a file there, or name another.")
        #expect(folder.names == names)
        withExtendedLifetime(otherEnd) {}
    }

    @Test(
        "a session that something else has replaced continues from its newest valid generation and is not saved, until that is moved away",
        arguments: HostileFile.allCases)
    func replaced(hostile: HostileFile) throws {
        let otherEnd = try hostile.lay(at: file)
        try folder.write("wrong", to: "s.yaml.1")
        try folder.write(session("two").yaml, to: "s.yaml.2")
        let (names, state) = (folder.names, try FileIdentity(file, followsLinks: false))
        let reason = "there is \(hostile.kind.noun) in its place. Move it away, then open the session again"
        do {
            let opened = try open()
            #expect(opened.session == session("two"))
            #expect(!opened.isNew)
            #expect(opened.notices == [.missing(file: file, loaded: folder.file("s.yaml.2")), .readOnly(file: file, reason: reason)])
            #expect(SessionStore.place(of: file) == opened.store.file)
            for error in [
                #expect(throws: SessionStoreError.self) { try opened.store.save(session("new"), .explicit, at: 0) },
                #expect(throws: SessionStoreError.self) { try opened.store.savePosition(SavedPosition(item: 0, elapsed: 1)) },
            ] {
                #expect(error?.description == "The session \(file) is not saved: \(reason).")
            }
            opened.store.close()
        }
        #expect(folder.names == names)
        #expect(try FileIdentity(file, followsLinks: false) == state)
        try FileManager.default.moveItem(atPath: file, toPath: folder.file("away"))
        let opened = try open()
        #expect(opened.notices == [.missing(file: file, loaded: folder.file("s.yaml.2"))])
        try opened.store.save(session("new"), .explicit, at: 0)
        withExtendedLifetime(otherEnd) {}
    }
}
