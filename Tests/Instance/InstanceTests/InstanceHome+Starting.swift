import ArgumentParser
import InstanceSupport
import TestSupport

@testable import Application
@testable import binaural

extension InstanceHome {
    /// A home with the program's own patches and sessions.
    static func withLibrary() throws -> InstanceHome { try InstanceHome(shipped: [PackageRoot.path]) }

    /// Starts `play` with these arguments, which the program's own parser reads.
    func start(_ arguments: String...) throws -> SteppedInstance { try start(arguments) }

    func start(_ arguments: [String]) throws -> SteppedInstance {
        try SteppedInstance(try PlayCommand.parse(arguments).options.configuration(), in: self)
    }
}
