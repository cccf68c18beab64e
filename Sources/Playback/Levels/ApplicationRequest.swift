import Patches

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
