import Foundation
import Patches
import Performance
import Playback

/// The automatic actions of the program: it starts to play at a set time, and ends with the queue.
struct Agenda {
    /// Whether the program ends when nothing plays any more: after the last item, a stop or the sleep timer.
    var endsWithQueue = false
    /// `nil` if no start is pending.
    var alarm: Alarm?
    /// The time at which it starts to play, in seconds since 1970; `nil` if no start is pending.
    var startTime: Double? { alarm?.date.timeIntervalSince1970 }
    /// Whether something has played: a followed transport may have it wait.
    private var hasPlayed = false

    /// A start at a time, with a level that rises from silence.
    struct Alarm {
        var date: Date
        /// Seconds.
        var rise: Double
        /// A command that is performed with the start, such as a sleep timer.
        var then: Command?
    }

    /// The alarm, if it is due, or if something has been started before; it waits until JACK runs and there is memory for its sound.
    mutating func takeDueAlarm(_ state: PlayerState, at now: Date, hasRoom: () -> Bool = { true }) -> Alarm? {
        guard let due = alarm, state.hasAudio, state.playback == .playing || now >= due.date && hasRoom() else { return nil }
        alarm = nil
        return due
    }

    /// Cancels the start if the command is a stop or a panic. A program that ends with the queue then ends, since nothing else would play.
    ///
    /// - Returns: Whether a start was pending, and is cancelled.
    mutating func cancelStart(by command: Command) -> Bool {
        guard alarm != nil, command == .stop || command == .panic else { return false }
        (alarm, hasPlayed) = (nil, true)
        return true
    }

    /// Whether playing has ended, and the program with it.
    mutating func isOver(_ state: PlayerState, isSounding: Bool) -> Bool {
        if state.playback == .playing || state.playback == .interrupted { hasPlayed = true }
        return endsWithQueue && alarm == nil && hasPlayed && state.playback == .stopped && !isSounding
    }
}
