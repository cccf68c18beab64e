import Foundation

/// The location of the package's own files.
package enum PackageRoot {
    package static let path = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    package static func file(_ relative: String) -> String {
        "\(path)/\(relative)"
    }

    /// The program under test: BINAURAL_BINARY, else the release build, else the debug build.
    package static func program() throws(ProgramFailure) -> String {
        if let path = ProcessInfo.processInfo.environment["BINAURAL_BINARY"] {
            guard access(path, X_OK) == 0 else { throw ProgramFailure("BINAURAL_BINARY names '\(path)', which is not a program") }
            return path
        }
        for build in ["release", "debug"] {
            let path = file(".build/\(build)/binaural")
            if access(path, X_OK) == 0 { return path }
        }
        throw ProgramFailure("no binaural under \(path)/.build: build it first (swift build -c release), or set BINAURAL_BINARY")
    }
}
