import Foundation
import TestSupport

/// Runs the built program to its end, in a home of its own.
func binaural(_ arguments: String..., environment: [String: String]? = nil, folder: String? = nil) async throws -> FinishedProgram {
    let isolated = try IsolatedEnvironment()
    defer { keepAlive(isolated) }
    return try await RunningProgram.run(
        try PackageRoot.program(), arguments, environment: environment ?? isolated.variables, folder: folder ?? isolated.folder.path)
}

/// Call in a `defer`: the folders must not be removed after their last use here, while a program still uses them.
@inline(never)
func keepAlive(_ objects: (any AnyObject & Sendable)...) { withExtendedLifetime(objects) {} }

extension FinishedProgram {
    /// For messages of failed tests.
    var summary: String { "\(command) -> \(exit)\n\(output)\n\(errors)" }
}
