import Patches

/// What has to be done because the player changed; carried out by whoever owns the engine and the files, in order.
package enum Effect: Equatable, Sendable {
    /// Whatever sounds fades out, and the current item sounds from this frame on.
    case start(position: Int64)
    /// Like `start`, but over the preference for crossfades where there is one: an endless item gives way to another.
    case crossfade(position: Int64)
    /// Whatever sounds fades out, and what is fading out already with it.
    case silence(Fade)
    /// A parameter of the current item moves to a value.
    case move(Setting, ramp: Ramp)
    /// Parameters of the current item move to values together, each over its default ramp.
    case moves([Setting])
    /// A parameter of the current item has another course from now on, which it has come to after so many seconds; `nil` is its default.
    case course(Parameter, layer: Int, seconds: Double?)
    /// The layers of the current item that are heard have changed.
    case audibleLayers
    /// The current item sounds in another way from here on, at the same place: edits were replaced, or the rate has changed.
    case glide
    /// What begins when the current item ends may be another item now, or none.
    case upcoming
    /// The master level moves to that of the state.
    case master(Ramp)
    /// The same over the shortest ramp, when what fades out now is over.
    case masterWhenSilent
    /// The master fades to silence from one moment on, and is silent at the other, however late it begins.
    ///
    /// Without an easing it goes on smoothly from the level at which it begins.
    case fadeMaster(from: Moment, until: Moment, Easing?)
    /// JACK's transport is asked to move.
    case transport(TransportRequest)
    /// A patch of the library is to be put at the end of the queue.
    case addItem(String)
    /// The one button went down or up: what that means shows in time.
    case button(isDown: Bool)
    /// What a shake stands for is to be done.
    case shake
    case setPreference(String, StoredPreference)
    case reconnectJACK
    case connectPort(String, to: String)
    case disconnectPort(String, from: String)
    case loadSession(String)
    case saveSession(String?)
    case quit
    /// The user is told a sentence.
    case notice(String)

    package enum Fade: Equatable, Sendable {
        /// The short fade of stop and pause.
        case short
        case panic
    }
}
