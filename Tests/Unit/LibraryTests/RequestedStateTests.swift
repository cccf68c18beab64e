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
        try SessionStore.open(file: file, initial: session("initial"))
    }

    private func title(_ name: String) throws -> String { try Session.parse(folder.read(name), file: "").title }

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
        #expect(try open().notices.isEmpty)
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

    @Test("a session that was never saved on request, and had no file, keeps its changes")
    func unknown() throws {
        let store = try open().store
        try store.save(session("later"), .change, at: 0)
        #expect(try !store.putBackRequested())
        #expect(try title("s.yaml") == "later")
    }

    @Test("once it is saved on request there is nothing to discard, and no generation is made")
    func kept() throws {
        let store = try open().store
        try store.save(session("later"), .change, at: 0)
        try store.save(session("asked"), .explicit, at: 2)
        let names = folder.names
        #expect(try store.putBackRequested())
        #expect(try title("s.yaml") == "asked")
        #expect(folder.names == names)
    }

    @Test("it is noticed that somebody else has written or removed the file")
    func edited() throws {
        let store = try open().store
        try store.save(session("asked"), .explicit, at: 0)
        #expect(store.fileCondition == .untouched)
        try folder.write(session("by hand").yaml, to: "s.yaml")
        #expect(store.fileCondition == .writtenByOthers)
        try FileManager.default.removeItem(atPath: file)
        #expect(store.fileCondition == .gone)
    }

    @Test("if the disk is full, the file keeps its last changes")
    func fullDisk() async throws {
        let path = folder.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            signal(SIGXFSZ, SIG_IGN)
            let store = try SessionStore.open(file: path + "/s.yaml", initial: Session()).store
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
        let one = connected(to: "a:b", on: Day(number: 20_000), isReported: true)
        #expect(one.matches(connected(to: "a:b", on: nil, isReported: false)))
        #expect(!one.matches(connected(to: "a:c", on: Day(number: 20_000), isReported: true)))
        #expect(!one.matches(session("one")))
    }
}
