import ArgumentParser
import Patches
import Terminal

extension ClockTime {
    /// The time of an option.
    ///
    /// - Throws: `ValidationError` with the accepted forms and a suggestion.
    static func argument(_ text: String) throws -> ClockTime {
        if let time = ClockTime(argument: text) { return time }
        let meant = DurationText.suggestion(for: text).map { " Did you mean \($0)?" } ?? ""
        throw ValidationError("Use seconds, m:ss or h:mm:ss.\(meant)")
    }
}
