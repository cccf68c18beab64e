import Library
import TestSupport

/// A user's folders, which instances follow each other in.
package final class InstanceHome: Sendable {
    /// The working folder.
    package let folder: TemporaryFolder
    package let places: Places

    /// - Parameters:
    ///   - shipped: The folders of the program's own patches and sessions.
    ///   - dataHome: The library's folder, if it is not in the working folder.
    package init(shipped: [String] = [], dataHome: String? = nil) throws {
        folder = try TemporaryFolder()
        places = Places(
            workingFolder: folder.path, dataHome: dataHome ?? folder.file("data"), shipped: shipped, stateHome: folder.file("state"),
            configHome: folder.file("config"), cacheHome: folder.file("cache"))
    }

    /// Writes a file of the working folder; the library's are in `data/patches` and `data/sessions`, the preferences `config/preferences.yaml`.
    package func write(_ text: String, to name: String) throws { try folder.write(text, to: name) }
}
