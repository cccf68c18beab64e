import Playback

/// The controls that a peer holds: the one button, a seek, faders.
struct Holds {
    /// The name under which the player knows the holder: the address it came from, even after it asked to be answered elsewhere.
    let sender: String
    /// The seek that was begun and has not ended.
    private var seek: SeekDirection?
    /// The faders that were touched and not released.
    private var touched: Set<Fader> = []
    /// Whether the one button is pressed.
    private var pressesButton = false

    init(sender: String) { self.sender = sender }

    var isEmpty: Bool { seek == nil && touched.isEmpty && !pressesButton }

    mutating func record(_ command: Command) {
        switch command {
        case .button(let isDown): pressesButton = isDown
        case .seek(let direction, let begins): seek = begins ? direction : nil
        case .touch(let fader, true): touched.insert(fader)
        case .touch(let fader, false): touched.remove(fader)
        case .touchTogether(let faders, true): touched.formUnion(faders)
        case .touchTogether(let faders, false): touched.subtract(faders)
        default: break
        }
    }

    /// Ends the hold of the one button, since another peer presses it.
    mutating func loseButton() { pressesButton = false }

    /// Ends all holds.
    ///
    /// - Returns: The commands that release what was held.
    mutating func end() -> [Command] {
        var ends = touched.map { Command.touch($0, false) }
        if let seek { ends.append(.seek(seek, begins: false)) }
        if pressesButton { ends.append(.button(isDown: false)) }
        self = Holds(sender: sender)
        return ends
    }
}
