/// A change that one part of the player requests from `Player`.
enum PlayerStep {
    /// The current item begins at a position in frames.
    case begin(Int64)
    case stop
    case sound(SoundChange)
}

extension Player {
    mutating func take(_ step: PlayerStep?, at moment: Moment) {
        switch step {
        case .begin(let position): begin(at: position, moment)
        case .stop: stop(at: moment)
        case .sound(let change): ask(for: .sound(change))
        case nil: break
        }
    }
}
