import Library
import Testing

@testable import Application

@Suite("The position of a session whose changes are discarded")
struct RequestedSessionTests {
    private func session(_ patches: [String], current: Int?) -> Session {
        var session = Session(title: "", items: patches.map { Session.Item(patch: $0) })
        session.current = current
        return session
    }

    private let place = SavedPosition(item: 1, elapsed: 30)

    @Test("while the same item is playing, the position stays")
    func sameItem() {
        let requested = RequestedSession(session(["a", "b"], current: 1), at: SavedPosition(item: 1, elapsed: 5))
        #expect(requested.place(insteadOf: place, in: session(["c", "b"], current: 1)) == place)
    }

    @Test("of another item the position is not taken, but the one of the save, or the beginning", arguments: [nil, 5])
    func otherItem(elapsed: Double?) {
        let former = elapsed.map { SavedPosition(item: 1, elapsed: $0) }
        let requested = RequestedSession(session(["a", "b"], current: 1), at: former)
        let expected = SavedPosition(item: 1, elapsed: elapsed ?? 0)
        #expect(requested.place(insteadOf: place, in: session(["a", "c"], current: 1)) == expected)
        #expect(requested.place(insteadOf: SavedPosition(item: 0, elapsed: 30), in: session(["a", "b"], current: 0)) == expected)
    }

    @Test("a queue that was emptied, or filled only since then, has the position of the save, or the beginning")
    func empty() {
        let beginning = SavedPosition(item: 0, elapsed: 0)
        let requested = RequestedSession(session(["a"], current: 0), at: nil)
        #expect(requested.place(insteadOf: beginning, in: session([], current: nil)) == beginning)
        let wasEmpty = RequestedSession(session([], current: nil), at: nil)
        #expect(wasEmpty.place(insteadOf: place, in: session(["a", "b"], current: 1)) == beginning)
    }
}
