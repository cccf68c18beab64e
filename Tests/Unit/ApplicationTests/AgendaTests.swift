import Foundation
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

    @Test("a start at a time waits until there is memory for its sound")
    func withoutMemory() {
        var agenda = Agenda()
        agenda.alarm = Agenda.Alarm(date: .now - 1, rise: 1)
        let early = agenda.takeDueAlarm(state, at: .now) { false }
        #expect(early == nil)
        let due = agenda.takeDueAlarm(state, at: .now) { true }
        #expect(due != nil)
    }

    @Test("a start by hand ends the wait for the start at a time, and JACK is waited for")
    func startedByHand() {
        for (playback, hasAudio, delay, isDue) in [
            (PlaybackState.paused, true, 60.0, false), (.playing, true, 60, true), (.playing, false, 60, false), (.paused, true, -1, true),
            (.paused, false, -1, false),
        ] {
            var (agenda, state) = (Agenda(), state)
            agenda.alarm = Agenda.Alarm(date: .now + delay, rise: 1)
            (state.playback, state.hasAudio) = (playback, hasAudio)
            let due = agenda.takeDueAlarm(state, at: .now)
            #expect((due != nil) == isDue)
            #expect((agenda.alarm == nil) == isDue)
        }
    }

    @Test("a cancelled start ends a program that ends with the queue")
    func cancelled() {
        var agenda = Agenda()
        agenda.endsWithQueue = true
        agenda.alarm = Agenda.Alarm(date: .now + 60, rise: 1)
        let endsBefore = agenda.isOver(state, isSounding: false)
        let isCancelled = [agenda.cancelStart(by: .pause), agenda.cancelStart(by: .stop), agenda.cancelStart(by: .stop)]
        let endsAfter = agenda.isOver(state, isSounding: false)
        #expect(isCancelled == [false, true, false])
        #expect(!endsBefore)
        #expect(endsAfter)
    }
}
