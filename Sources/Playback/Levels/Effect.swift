import Patches

/// An action required by a change of the player; the owner of the engine and the files carries them out in order.
package enum Effect: Equatable, Sendable {
    /// Changes what is heard.
    case sound(SoundChange)
    /// Moves JACK's transport.
    case transport(TransportRequest)
    /// Requests something that the player does not do itself.
    case request(ApplicationRequest)
}

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
    case glide
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

/// A request to the program around the player: about its files, preferences and JACK client, or what a press of the one-button remote means.
package enum ApplicationRequest: Equatable, Sendable {
    /// Adds a patch of the library to the queue.
    case addItem(String, AddingPlace = .last)
    /// Gives the item at this index another patch: one of the library, by its plain name, or a file beside the item's own.
    case relinkItem(Int, String)
    /// Adds the patch in a file.
    case addFile(String, AddingPlace = .last)
    /// Plays the patch, or opens the session, of the library with this name.
    case openItem(String)
    /// Plays the patch or opens the session in a file.
    case openFile(String)
    /// The one-button remote was pressed or released; its meaning is determined over time.
    case button(isDown: Bool)
    /// Performs the command assigned to the shake.
    case shake
    /// Sets a preference by name, to a value of its kind.
    case setPreference(String, StoredPreference)
    /// Looks for the JACK server now, if it is away.
    case reconnectJACK
    /// The name of one of the program's ports, with or without the client's name, and the full name of another port.
    case connectPort(String, to: String)
    case disconnectPort(String, from: String)
    /// Forgets the remembered connections of a missing port, by its full name, or of all missing ports.
    case forgetPort(String?)
    case loadSession(String)
    /// Saves the session under this name; `nil` saves it under its own.
    case saveSession(String?)
    /// Saves a patch in the user's folder of the library, under a plain name.
    case savePatch(Patch, from: String, name: String, overwrites: Bool)
    case quit
    /// Shows the user a sentence.
    case notice(String)

    /// Whether it may add an item to the queue, or play another one.
    package var addsItem: Bool {
        switch self {
        case .addItem, .addFile, .openItem, .openFile: true
        default: false
        }
    }
}
