import Playback
import Testing

@testable import Application

@Suite("Opening sessions in a row")
@MainActor struct SessionLoadsTests {
    @Test("after a session that took 10 ms to open, the next is opened 40 ms later")
    func busy() {
        var loads = SessionLoads()
        loads.begin(at: 100)
        loads.end(at: 100.01)
        #expect(loads.mustWait(at: 100.045))
        #expect(!loads.mustWait(at: 100.055))
    }

    @Test("after a session that took half a minute to open, the next is opened within two seconds")
    func slowDisk() {
        var loads = SessionLoads()
        loads.begin(at: 100)
        loads.end(at: 130)
        loads.wait(for: "evening") { _ in }
        #expect(loads.takeDue(at: 131.9)?.name == nil)
        #expect(loads.takeDue(at: 132.1)?.name == "evening")
    }

    @Test("while a session is being opened, however long that takes, no other one is")
    func underWay() {
        var loads = SessionLoads()
        loads.begin(at: 100)
        #expect(loads.mustWait(at: 1000))
        loads.wait(for: "evening") { _ in }
        #expect(loads.takeDue(at: 1000)?.name == nil)
        loads.end(at: 1000)
        #expect(loads.takeDue(at: 1003)?.name == "evening")
    }

    @Test("the newest of several waiting requests is carried out, and the others are answered")
    func newest() {
        var loads = SessionLoads()
        var refused: [CommandStatus] = []
        loads.begin(at: 100)
        loads.end(at: 101)
        for name in ["one", "two", "three"] { loads.wait(for: name) { refused.append($0.status) } }
        #expect(refused == [.commandFailed, .commandFailed])
        #expect(loads.takeDue(at: 110)?.name == "three")
        #expect(!loads.mustWait(at: 110))
    }
}
