import Patches

/// All preferences. To add one, add a property here: files, OSC and the docs use the property's name.
package struct PreferenceDeclarations: Sendable {
    package let skipIntervals = Preference(
        [15, 30, 60], in: 0.1...86_400, .seconds, upTo: 4, "Lengths of a skip; skip/forward and skip/backward use the first one.")
    package let buttonWindow = Preference(
        0.35, in: 0.1...2, .seconds, "One-button remote: a press within this time after another counts with it.")
    package let buttonHold = Preference(0.5, in: 0.1...5, .seconds, "One-button remote: a button that is down for this long is held.")
    package let shortFade = Preference(0.02, in: 0.005...1, .seconds, "Fade of play, pause, stop, seek and change of item.")
    package let crossfade = Preference(
        0, in: 0...30, .seconds, "How long an item sounds on under the next one; 0 begins it at once.")
    package let sleepFade = Preference(60, in: 0...3600, .seconds, "How long the sleep timer fades, where it is not told.")
    package let sleepEasing = Preference(Easing.sineIn, "Course of that fade, in dB.")
    package let shake = Preference(ShakeAction.undo, "What a shake does.")
    package let oscPort = Preference(7830, in: 0...65_535, .atStart, "UDP port of the remote control; 0 takes any free one.")
    package let oscAddress = Preference(
        "127.0.0.1", .address, .atStart, "Address to listen on beside this machine's own.")
    package let startSession = Preference("", .sessionName, .atStart, "Session to begin with; empty goes on with the last one.")
    package let connect = Preference(
        "auto", .connection, .atStart, "What the ports of a session that has no connections yet are connected to.")
}

extension Easing: PreferenceValue {}

/// The action of a shake: a command, or none.
package enum ShakeAction: String, PreferenceValue, CaseIterable {
    case none, undo, redo, play, pause, toggle, stop, next, previous, nextItem, previousItem, skipForward, skipBackward, panic
}
