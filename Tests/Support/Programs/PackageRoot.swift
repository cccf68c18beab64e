import Foundation

/// The location of the package's own files.
package enum PackageRoot {
    package static let path = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    package static func file(_ relative: String) -> String {
        "\(path)/\(relative)"
    }

    /// The program under test: BINAURAL_BINARY, else the debug build, which `swift build --build-tests` makes, else the release build.
    package static func program() throws(ProgramFailure) -> String {
        if let path = ProcessInfo.processInfo.environment["BINAURAL_BINARY"] {
            guard access(path, X_OK) == 0 else { throw ProgramFailure("BINAURAL_BINARY names '\(path)', which is not a program") }
            return path
        }
        for build in ["debug", "release"] {
            let path = file(".build/\(build)/binaural")
            if access(path, X_OK) == 0 { return path }
        }
        throw ProgramFailure("no binaural under \(path)/.build: build it first (swift build), or set BINAURAL_BINARY")
    }

    /// The program that users get, for tests that judge its machine code.
    package static func releaseProgram() throws(ProgramFailure) -> String {
        let path = file(".build/release/binaural")
        guard access(path, X_OK) == 0 else { throw ProgramFailure("there is no \(path); this test needs it: swift build -c release") }
        return path
    }

    /// The Python of the tests' scripts.
    package static func python() throws(ProgramFailure) -> String {
        let path = file(".build/python/bin/python3")
        guard access(path, X_OK) == 0 else {
            throw ProgramFailure("there is no \(path); this test needs it: scripts/make-python-environment")
        }
        return path
    }
}

/// `make stress`: the long versions.
package let isStress = ProcessInfo.processInfo.environment["BINAURAL_STRESS"] != nil
