import Foundation
import Glibc
import Library
import Patches
import TestSupport
import Testing

@Suite("Discarding what nobody has asked to save") struct RequestedStateTests {
    let folder: Folder
    var file: String { folder.file("s.yaml") }

    init() throws { folder = try Folder() }

    private func open() throws -> SessionStore.Opened {
        try SessionStore.open(file: file, initial: session("initial"), keepsRequested: true)
    }

    private func title(_ name: String) throws -> String { try Session.parse(folder.read(name), file: "").title }

    /// A program that was killed after two changes since the session was saved on request.
    private func leaveAsAfterACrash() throws {
        let store = try open().store
        try store.save(session("asked"), .explicit, at: 0)
        try store.save(session("later"), .change, at: 2)
        try store.save(session("latest"), .change, at: 4)
    }

    @Test("the state that was saved on request last is put back, and the discarded one is the newest generation")
    func discarded() throws {
        let opened = try open()
        let store = opened.store
        try store.save(session("asked"), .explicit, at: 0)
        try store.save(session("later"), .change, at: 2)
        try store.save(session("latest"), .change, at: 4)
        #expect(try title("s.yaml") == "latest")
        #expect(try store.putBackRequested())
        #expect(try title("s.yaml") == "asked")
        #expect(try title("s.yaml.1") == "latest")
        store.close()
        #expect(folder.names == ["s.yaml", "s.yaml.1", "s.yaml.2"])
        let again = try open()
        #expect(again.notices.isEmpty && again.requested == nil)
    }

    @Test("the state with which a session was opened counts as saved on request, also if it was written by hand")
    func opened() throws {
        let text = "format: 1\ntitle: by hand\nqueue: []\n"
        try folder.write(text, to: "s.yaml")
        let store = try open().store
        try store.save(session("later"), .change, at: 0)
        #expect(try store.putBackRequested())
        #expect(try folder.read("s.yaml") == text)
        #expect(try title("s.yaml.1") == "later")
    }

    @Test("after a crash a session continues with its last changes, with a notice, and they can still be discarded")
    func crash() throws {
        try leaveAsAfterACrash()
        let opened = try open()
        #expect(opened.session.title == "latest")
        #expect(opened.requested?.title == "asked")
        #expect(
            opened.notices.map(\.wordsForPeers) == [
                "The session \(file) continues with changes that nobody has asked to save, as after a crash. If it is closed without saving, they are discarded."
            ])
        try opened.store.save(session("even later"), .change, at: 0)
        #expect(try opened.store.putBackRequested())
        #expect(try title("s.yaml") == "asked")
        #expect(try title("s.yaml.1") == "even later")
    }

    @Test("once it is saved on request, or closed and left as it is, there is nothing to discard", arguments: [false, true])
    func kept(isAsked: Bool) throws {
        try leaveAsAfterACrash()
        do {
            let opened = try open()
            try opened.store.save(opened.session, isAsked ? .explicit : .closing, at: 0)
            #expect(!folder.has("s.yaml.requested"))
            #expect(try opened.store.putBackRequested())
            #expect(try title("s.yaml") == "latest")
        }
        let again = try open()
        #expect(again.session.title == "latest")
        #expect(again.notices.isEmpty && again.requested == nil)
    }

    @Test("a crash before the first change is written leaves nothing to discard, and no notice")
    func alike() throws {
        try folder.write(session("asked").yaml, to: "s.yaml")
        try folder.write(session("asked").yaml, to: "s.yaml.requested")
        let opened = try open()
        #expect(opened.notices.isEmpty && opened.requested == nil)
        try opened.store.save(session("later"), .change, at: 0)
        #expect(try opened.store.putBackRequested())
        #expect(try title("s.yaml") == "asked")
    }

    @Test(
        "a session that was never saved on request, or of which that state is damaged or of a newer version, keeps its changes",
        arguments: [nil, "queue: [", session("asked").yaml.replacing("asked", with: "askew"), "format: 2\nqueue: []\n"])
    func unknown(requested: String?) throws {
        if let requested {
            try folder.write(session("newest").yaml, to: "s.yaml")
            try folder.write(requested, to: "s.yaml.requested")
        }
        let opened = try open()
        #expect(opened.requested == nil)
        try opened.store.save(session("later"), .change, at: 0)
        #expect(try !opened.store.putBackRequested())
        #expect(try title("s.yaml") == "later")
        if let requested { #expect(try folder.read("s.yaml.requested") == requested) }
        try opened.store.save(session("asked again"), .explicit, at: 2)
        try opened.store.save(session("latest"), .change, at: 4)
        #expect(try title("s.yaml.requested") == "asked again")
        if let requested { #expect(try folder.read("s.yaml.requested.damaged") == requested) }
    }

    @Test("a file that somebody else has written meanwhile is not replaced by what was saved on request")
    func edited() throws {
        let store = try open().store
        try store.save(session("asked"), .explicit, at: 0)
        try store.save(session("later"), .change, at: 2)
        try folder.write(session("by hand").yaml, to: "s.yaml")
        #expect(try !store.putBackRequested())
        #expect(try title("s.yaml") == "by hand")
        #expect(try title("s.yaml.requested") == "asked")
    }

    @Test("the state that was saved on request has the permissions of the session's file")
    func permissions() throws {
        func bits(_ name: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: folder.file(name))[.posixPermissions] as? Int
        }
        try folder.write(session("asked").yaml, to: "s.yaml")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let store = try open().store
        try store.save(session("later"), .change, at: 0)
        #expect(try bits("s.yaml.requested") == 0o600)
        #expect(try store.putBackRequested())
        #expect(try bits("s.yaml") == 0o600)
    }

    @Test("without a session manager no such state is kept, put back, read or removed")
    func unmanaged() throws {
        try folder.write(session("of another program").yaml, to: "s.yaml.requested")
        let opened = try SessionStore.open(file: file, initial: session("initial"))
        for (second, occasion) in [SessionStore.Occasion.explicit, .change, .closing, .explicit].enumerated() {
            try opened.store.save(session("\(occasion)"), occasion, at: Double(second))
        }
        #expect(try !opened.store.putBackRequested())
        #expect(opened.notices.isEmpty && opened.requested == nil)
        #expect(try title("s.yaml") == "explicit")
        #expect(try title("s.yaml.requested") == "of another program")
    }

    @Test("if the disk is full, the file keeps its last changes, and the state that was saved on request stays beside it")
    func fullDisk() async throws {
        let path = folder.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            signal(SIGXFSZ, SIG_IGN)
            let store = try SessionStore.open(file: path + "/s.yaml", initial: Session(), keepsRequested: true).store
            var large = Session(title: "large")
            large.items = (0..<1000).map { Session.Item(patch: "patch-\($0)") }
            try store.save(large, .explicit, at: 0)
            try store.save(Session(title: "small"), .change, at: 2)
            var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            do {
                _ = try store.putBackRequested()
                exit(1)
            } catch let error as SessionStoreError {
                guard case .cannotWrite = error else { exit(2) }
            }
            exit(0)
        }
        #expect(try title("s.yaml") == "small")
        #expect(try title("s.yaml.requested") == "large")
        #expect(try open().requested?.title == "large")
    }

    @Test("another day on which a connection's port was seen does not change the session; another connection does")
    func sightings() {
        func connected(to other: String, on day: Day?, isReported: Bool) -> Session {
            var session = session("one")
            var connection = Session.SavedConnection(port: "out_left", other: other)
            (connection.seen, connection.isReported) = (day, isReported)
            session.connections = [connection]
            return session
        }
        let one = connected(to: "a:b", on: .today, isReported: true)
        #expect(one.matches(connected(to: "a:b", on: nil, isReported: false)))
        #expect(!one.matches(connected(to: "a:c", on: .today, isReported: true)))
        #expect(!one.matches(session("one")))
    }
}
