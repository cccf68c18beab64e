/// Recognises presses and holds of a remote control with one button: a headset, a foot switch, a touch surface.
///
/// One press toggles, two go to the next item, three to the previous one. Held down after two or three presses, it seeks forward or
/// backward until it is released; held after one press it does nothing. Time is a parameter, in seconds of any steady clock.
package struct MultiPressDetector: Sendable {
    /// Seconds within which a further press counts as part of the same sequence.
    package var pressWindow = PreferenceValues().buttonWindow
    /// Seconds after which a pressed button counts as held.
    package var holdTime = PreferenceValues().buttonHold

    private var presses = 0
    private var downSince: Double?
    private var upSince: Double?
    private var isHeld = false

    package init() {}

    /// Whether no press is waiting to be interpreted.
    package var isIdle: Bool { presses == 0 }

    /// The button went down.
    package mutating func press(at time: Double) -> [Command] {
        var commands = advance(to: time)
        // The release of the press before was lost.
        if downSince != nil { commands += release(at: time) }
        presses += 1
        downSince = time
        upSince = nil
        return commands
    }

    /// The button was released.
    package mutating func release(at time: Double) -> [Command] {
        var commands = advance(to: time)
        guard downSince != nil else { return commands }
        downSince = nil
        if isHeld {
            if let seek = seek(begins: false) { commands.append(seek) }
            reset()
        } else {
            upSince = time
        }
        return commands
    }

    /// Advances the time and returns the commands that are now certain.
    package mutating func advance(to time: Double) -> [Command] {
        if let since = downSince, !isHeld, time - since >= holdTime {
            isHeld = true
            return seek(begins: true).map { [$0] } ?? []
        }
        if let since = upSince, time - since >= pressWindow {
            defer { reset() }
            return meaning.map { [$0] } ?? []
        }
        return []
    }

    private var meaning: Command? {
        switch presses {
        case 1: .toggle
        case 2: .nextItem
        case 3: .previousItem
        default: nil
        }
    }

    private func seek(begins: Bool) -> Command? {
        switch presses {
        case 2: .seek(.forward, begins: begins)
        case 3: .seek(.backward, begins: begins)
        default: nil
        }
    }

    private mutating func reset() {
        presses = 0
        downSince = nil
        upSince = nil
        isHeld = false
    }
}
