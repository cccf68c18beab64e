import Patches

/// A change of what is heard.
package enum SoundChange: Equatable, Sendable {
    /// Fades out what sounds and starts the current item at this frame.
    case start(position: Int64)
    /// Like `start`, but crossfades for as long as the preference says, and at least for these seconds. By default that is for changing from an
    /// endless item to another one.
    case crossfade(position: Int64, atLeast: Double = 0)
    /// Seconds of the shortest crossfade to what somebody asks for while another sound plays.
    package static let askedCrossfade = 2.0

    /// A start at a frame, with a crossfade of at least so many seconds; `nil` is without one.
    static func start(at position: Int64, crossfade: Double?) -> SoundChange {
        crossfade.map { .crossfade(position: position, atLeast: $0) } ?? .start(position: position)
    }

    /// Fades out everything that sounds.
    case silence(Fade)
    /// Moves a parameter of the current item to a value.
    case move(Setting, ramp: Ramp)
    /// Moves several parameters of the current item together, each over its default ramp, except for gains that rise slowly: their ramps are
    /// given by the layer.
    case moves([Setting], rises: [Int: Ramp])
    /// A parameter of the current item follows a new course from now on, reached after this many seconds; `nil` is the default time.
    case course(Parameter, layer: Int, seconds: Double?)
    /// The set of audible layers of the current item has changed.
    case audibleLayers
    /// The current item continues at the same place in a different way: its edits were replaced, or the rate has changed.
    case crossfadeInPlace
    /// The item that follows the current one may have changed.
    case upcoming
    /// Moves the master level to the state's.
    case master(Ramp)
    /// Moves the master to a level in dB, which is that of a fade under way.
    case fadedMaster(Double, Ramp)
    /// Moves the master to a level in dB over the shortest ramp, and from there to the state's. What is asked for next begins only when the
    /// master has reached the lower level.
    case loweredMaster(Double, Ramp)
    /// Moves the master level to the state's over the shortest ramp, once the current fade-out has ended.
    case masterWhenSilent
    /// Fades the master from one moment to silence at the other; if it begins late, it still ends on time.
    ///
    /// Without an easing it continues smoothly from the level at which it begins.
    case fadeMaster(from: Moment, until: Moment, Easing?)

    package enum Fade: Equatable, Sendable {
        /// The short fade of stop and pause.
        case short
        case panic
    }
}
