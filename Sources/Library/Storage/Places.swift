import Glibc

/// The folders that are searched for patches and sessions, and the folders for state, preferences and cached data. All absolute.
package struct Places: Equatable, Sendable {
    package var workingFolder: String
    /// `$XDG_DATA_HOME/binaural`
    package var dataHome: String
    /// `binaural` in each of `$XDG_DATA_DIRS`.
    package var dataFolders: [String]
    /// The folders of the files installed with the program.
    package var shipped: [String]
    /// `$XDG_STATE_HOME/binaural`
    package var stateHome: String
    /// `$XDG_CONFIG_HOME/binaural`
    package var configHome: String
    /// `$XDG_CACHE_HOME/binaural`
    package var cacheHome: String

    package init(
        workingFolder: String, dataHome: String, dataFolders: [String] = [], shipped: [String] = [], stateHome: String, configHome: String,
        cacheHome: String
    ) {
        self.workingFolder = workingFolder
        self.dataHome = dataHome
        self.dataFolders = dataFolders
        self.shipped = shipped
        self.stateHome = stateHome
        self.configHome = configHome
        self.cacheHome = cacheHome
    }

    /// The folder for generated pictures of patches without artwork.
    package var artworkFolder: String { Paths.absolute("artwork", in: cacheHome) }

    /// The folders that may hold the documentation: beside the installed files, or in the checkout.
    package var documentation: [String] {
        shipped.flatMap { [$0 + "/docs", Paths.folder(of: $0) + "/doc/" + Paths.name(of: $0)] }
    }

    package var preferencesFile: String { Paths.absolute(Self.preferencesName, in: configHome) }

    static let preferencesName = "preferences.yaml"

    /// The folders after the XDG Base Directory Specification 0.8: a variable that is unset, empty or not an absolute path is ignored.
    ///
    /// The program's own files are in `../share/binaural` relative to the executable's folder, or, in a checkout, in the nearest folder
    /// above it that holds both `patches` and `sessions`.
    package static func standard(environment: [String: String], executable: String, workingFolder: String) -> Places {
        func variable(_ name: String, otherwise: String) -> String {
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? otherwise
        }
        let home = variable("HOME", otherwise: homeFolder)
        let folders = (environment["XDG_DATA_DIRS"] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        return Places(
            workingFolder: workingFolder,
            dataHome: Paths.absolute("binaural", in: variable("XDG_DATA_HOME", otherwise: home + "/.local/share")),
            dataFolders: (folders.isEmpty ? ["/usr/local/share", "/usr/share"] : folders).map { Paths.absolute("binaural", in: $0) },
            shipped: shippedFolders(executable: Paths.real(executable)),
            stateHome: Paths.absolute("binaural", in: variable("XDG_STATE_HOME", otherwise: home + "/.local/state")),
            configHome: Paths.absolute("binaural", in: variable("XDG_CONFIG_HOME", otherwise: home + "/.config")),
            cacheHome: Paths.absolute("binaural", in: variable("XDG_CACHE_HOME", otherwise: home + "/.cache")))
    }

    private static func shippedFolders(executable: String) -> [String] {
        let programs = Paths.folder(of: executable)
        var found = [Paths.absolute("share/binaural", in: Paths.folder(of: programs))].filter(Files.isFolder)
        var folder = programs
        while folder != "/" && folder != "." {
            if Files.isFolder(folder + "/patches"), Files.isFolder(folder + "/sessions") {
                found.append(folder)
                break
            }
            folder = Paths.folder(of: folder)
        }
        return found
    }

    /// The home folder from the password file, for services that run without HOME.
    private static var homeFolder: String {
        guard let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir else { return "/" }
        // SAFETY: a C string in storage of the C library that is valid until its next call, and copied here.
        return String(cString: folder)
    }
}
