/// A remote control with one button: a headset, a foot switch, a touch surface.
///
/// One press toggles, two go to the next item, three to the previous one. Held down after two or three presses it seeks forward or
/// backward until it is let go; held after one it does nothing. Time comes in as a parameter, in seconds of any steady clock.
package struct OneButtonRemote: Sendable {
    /// A press after this many seconds is a new one, not one more of the same.
    package var pressWindow = PreferenceValues().buttonWindow
    /// Down for this many seconds is held.
    package var holdTime = PreferenceValues().buttonHold

    private var presses = 0
    private var downSince: Double?
    private var upSince: Double?
    private var isHeld = false

    package init() {}

    /// Nothing was pressed whose meaning is still to come.
    package var isIdle: Bool { presses == 0 }

    /// The button went down.
    package mutating func press(at time: Double) -> [Command] {
        var commands = advance(to: time)
        // Its release was lost on the way.
        if downSince != nil { commands += release(at: time) }
        presses += 1
        downSince = time
        upSince = nil
        return commands
    }

    /// The button was let go.
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

    /// Time has passed: what was meant may be clear now.
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
