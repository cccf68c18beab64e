import Patches

/// All preferences. To add one, add a property here: files, OSC and the docs use the property's name.
package struct PreferenceDeclarations: Sendable {
    package let skipIntervals = Preference(
        [15, 30, 60], in: 0.1...86_400, .seconds, upTo: 4, "Lengths of a skip; skip/forward and skip/backward use the first one.")
    package let buttonWindow = Preference(
        0.35, in: 0.1...2, .seconds, "One-button remote: presses at most this far apart count together.")
    package let buttonHold = Preference(0.5, in: 0.1...5, .seconds, "One-button remote: a button pressed for this long is held.")
    package let shortFade = Preference(0.02, in: 0.005...1, .seconds, "Fade of play, pause, stop, seek and change of item.")
    package let crossfade = Preference(
        0, in: 0...30, .seconds, "How long an item overlaps the next one; 0: no overlap.")
    package let sleepFade = Preference(60, in: 0...3600, .seconds, "Default fade time of the sleep timer.")
    package let sleepEasing = Preference(Easing.sineIn, "Easing of that fade, in dB.")
    package let shake = Preference(ShakeAction.undo, "Command of a shake.")
    package let oscPort = Preference(7830, in: 0...65_535, .atStart, "UDP port of the remote control; 0 chooses any free one.")
    package let oscAddress = Preference(
        "127.0.0.1", .address, .atStart, "Address to listen on besides 127.0.0.1.")
    package let startSession = Preference("", .sessionName, .atStart, "Session to start with; if empty, the last one resumes.")
    package let connect = Preference(
        "auto", .connection, .atStart, "What to connect the ports to, in a session without connections of its own.")
}

extension Easing: PreferenceValue {}

/// The action of a shake: a command, or none.
package enum ShakeAction: String, PreferenceValue, CaseIterable {
    case none, undo, redo, play, pause, toggle, stop, next, previous, nextItem, previousItem, skipForward, skipBackward, panic
}
