import Application
import ArgumentParser
import Patches
import Playback
import Terminal

/// The options that start and end `play` automatically.
struct TimerOptions: ParsableArguments {
    @Flag(
        help: """
            Play the queue once and exit: after the last item, when the sleep timer is over, or at a stop. Turns repeat off, which the session \
            keeps.
            """)
    var once = false

    // Otherwise -5 would be taken for an option, and the value reported as missing.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Start at this time of day, 0:00 to 23:59:59: the next time that the clock shows it, which may be tomorrow. With + a time from now, \
            as in +20:00.
            """, valueName: "h:mm|+time"), transform: StartTime.argument)
    var at: StartTime?

    @Option(
        help: ArgumentHelp("Time in which the level then rises from silence, up to 1:00:00 (default 1:00).", valueName: "time"),
        transform: ClockTime.argument)
    var rise: ClockTime?

    @Option(
        help: ArgumentHelp(
            "Fade out and stop after this time, counted from the start: seconds, m:ss or h:mm:ss, at most a day.", valueName: "time"),
        transform: ClockTime.argument)
    var sleep: ClockTime?

    @Option(
        help: ArgumentHelp("Duration of that fade, up to 1:00:00 (default: the preference sleepFade, 1:00).", valueName: "time"),
        transform: ClockTime.argument)
    var sleepFade: ClockTime?

    @Option(help: ArgumentHelp("Easing of that fade (default: the preference sleepEasing, sineIn).", valueName: "ease"))
    var sleepEase: Easing?

    /// Seconds of a rise.
    private static let usualRise = 60.0

    func validate() throws {
        if let sleep, !(sleep.seconds > 0 && sleep.seconds <= SleepTimer.longest) {
            throw ValidationError("--sleep takes a time above 0, up to 24:00:00.")
        }
        if let sleepFade, !(0...3600).contains(sleepFade.seconds) { throw ValidationError("--sleep-fade takes 0 to 1:00:00.") }
        guard sleep != nil || (sleepFade == nil && sleepEase == nil) else {
            throw ValidationError("--sleep-fade and --sleep-ease need --sleep, as in --sleep 45:00.")
        }
        if let rise, !(0...3600).contains(rise.seconds) { throw ValidationError("--rise takes 0 to 1:00:00.") }
        guard at != nil || rise == nil else { throw ValidationError("--rise needs --at, as in --at 6:30 --rise 10:00.") }
    }

    func apply(to configuration: inout PlayConfiguration) {
        configuration.endsWithQueue = once
        configuration.start = at.map { .init($0, rise: rise?.seconds ?? Self.usualRise) }
        configuration.sleep = sleep.map { .init(seconds: $0.seconds, fade: sleepFade?.seconds, ease: sleepEase) }
    }
}

extension StartTime {
    /// The time of `--at`; throws `ValidationError` with the accepted forms, and a suggestion.
    static func argument(_ text: String) throws -> StartTime {
        do { return try StartTime(text) } catch { throw ValidationError(error.description) }
    }
}
