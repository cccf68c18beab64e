import Foundation

/// The environment of a program under test: its own home and XDG folders, so that nothing of the user's is read or written.
///
/// Its preferences turn the soft start off, so that the first sample that is heard is that of a render.
package final class IsolatedEnvironment: Sendable {
    package let folder: TemporaryFolder
    package let variables: [String: String]

    /// `added` is merged over it, for example a JACK server's environment.
    package init(adding added: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        var variables = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
            "HOME": folder.file("home"),
            "XDG_CONFIG_HOME": folder.file("config"),
            "XDG_DATA_HOME": folder.file("data"),
            "XDG_STATE_HOME": folder.file("state"),
            "XDG_CACHE_HOME": folder.file("cache"),
            "XDG_RUNTIME_DIR": folder.file("runtime"),
            "TMPDIR": folder.file("tmp"),
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "TERM": "dumb",
            "JACK_NO_START_SERVER": "1",
            "SWIFT_BACKTRACE": "enable=no",
        ]
        for name in ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "TMPDIR"] {
            try FileManager.default.createDirectory(
                atPath: variables[name]!, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        try folder.write("softStart: 0\n", to: "config/binaural/preferences.yaml")
        variables.merge(added) { $1 }
        self.variables = variables
    }

    package func adding(_ added: [String: String]) -> [String: String] {
        variables.merging(added) { $1 }
    }
}
