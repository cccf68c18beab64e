import Playback
import Testing

@testable import Application

@Suite("Agenda")
struct AgendaTests {
    private var state: PlayerState

    init() {
        state = PlayerState()
        state.hasAudio = true
    }

    @Test("the program does not end with the queue before anything has played, such as while a followed transport stands")
    func waiting() {
        var (agenda, state) = (Agenda(), state)
        agenda.endsWithQueue = true
        let ends = [PlaybackState.stopped, .playing, .stopped].map { playback in
            state.playback = playback
            return agenda.isOver(state, isSounding: false)
        }
        #expect(ends == [false, false, true])
        let endsInSound = agenda.isOver(state, isSounding: true)
        #expect(!endsInSound)
    }
}
