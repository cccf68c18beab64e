import JACKBackend
import Testing

@testable import Application

@Suite("Switching between a session manager's sessions")
struct SwitchStateTests {
    /// Whether another session could be opened now.
    private func isFree(_ state: SwitchState) -> Bool {
        var state = state
        return state.begin()
    }

    @Test("without a session manager no session is opened, whatever is reported")
    func unmanaged() {
        var state = SwitchState.unmanaged
        #expect(!isFree(state))
        state.leaveClient()
        state.clientIsClosed()
        state.end()
        #expect(!isFree(state))
        #expect(!state.isManaged)
        #expect(state.connect == nil)
        #expect(!state.hasForeignConnections)
    }

    @Test("one session is opened at a time, and the next one after it")
    func oneAtATime() {
        var state = SwitchState.managed(.settled, connect: nil)
        #expect(isFree(state))
        _ = state.begin()
        #expect(!isFree(state))
        state.leaveClient()
        #expect(!isFree(state))
        state.clientIsClosed()
        #expect(!isFree(state))
        state.end()
        #expect(isFree(state))
    }

    @Test("after a session that could not be opened, another one can be")
    func failure() {
        var state = SwitchState.managed(.settled, connect: nil)
        _ = state.begin()
        state.end()
        #expect(isFree(state))
    }

    @Test("connections are the previous session's from the moment that its client is abandoned until it is closed")
    func foreignConnections() {
        var state = SwitchState.managed(.settled, connect: nil)
        // A client that was opened again for another reason.
        state.clientIsClosed()
        #expect(isFree(state))
        _ = state.begin()
        state.clientIsClosed()
        #expect(!state.hasForeignConnections)
        state.leaveClient()
        #expect(state.hasForeignConnections)
        state.clientIsClosed()
        #expect(!state.hasForeignConnections)
    }

    @Test("The ports of --connect apply to every session")
    func connect() {
        var state = SwitchState.managed(.preparing, connect: ConnectionChoice.none)
        state.end()
        _ = state.begin()
        state.leaveClient()
        state.clientIsClosed()
        state.end()
        #expect(state.isManaged)
        #expect(state.connect == ConnectionChoice.none)
    }
}
