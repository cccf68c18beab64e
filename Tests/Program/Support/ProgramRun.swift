import Foundation
import TestSupport

/// Runs the built program to its end, in a home of its own.
package func binaural(_ arguments: String..., environment: [String: String]? = nil, folder: String? = nil) async throws -> FinishedProgram {
    let isolated = try IsolatedEnvironment()
    defer { keepAlive(isolated) }
    return try await RunningProgram.run(
        try PackageRoot.program(), arguments, environment: environment ?? isolated.variables, folder: folder ?? isolated.folder.path)
}

/// Call in a `defer`: the folders must not be removed after their last use here, while a program still uses them.
@inline(never)
package func keepAlive(_ objects: (any AnyObject & Sendable)...) { withExtendedLifetime(objects) {} }

extension Patience {
    /// For programs that have an option for how long to wait.
    package static let seconds = String(Int(limit.timeInterval))
}

extension FinishedProgram {
    /// For messages of failed tests.
    package var summary: String { "\(command) -> \(exit)\n\(output)\n\(errors)" }
}

extension Optional {
    package func orThrow(_ reason: String) throws -> Wrapped {
        guard let self else { throw ProgramFailure(reason) }
        return self
    }
}
