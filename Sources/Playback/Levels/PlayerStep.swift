/// A change that one part of the player requests from `Player`.
enum PlayerStep {
    /// The current item begins at a position in frames.
    case begin(Int64)
    case stop
    case sound(SoundChange)
}
