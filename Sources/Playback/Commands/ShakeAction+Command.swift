extension ShakeAction {
    /// The command that a shake performs; `nil` for none.
    ///
    /// - Parameter skipInterval: seconds.
    package func command(skipInterval: Double) -> Command? {
        switch self {
        case .none: nil
        case .undo: .undo
        case .redo: .redo
        case .play: .play
        case .pause: .pause
        case .toggle: .toggle
        case .stop: .stop
        case .next: .next
        case .previous: .previous
        case .nextItem: .nextItem
        case .previousItem: .previousItem
        case .skipForward: .skipForward(by: skipInterval)
        case .skipBackward: .skipBackward(by: skipInterval)
        case .panic: .panic
        }
    }
}
