import ArgumentParser
import InstanceSupport
import TestSupport

@testable import Application
@testable import binaural

extension InstanceHome {
    /// A patch of ten minutes.
    static let tone = "title: Tone\nduration: 10:00\nlayers:\n  - {tone: {carrier: 200}, gain: -20}\n"

    /// A home with the program's own patches and sessions.
    static func withLibrary() throws -> InstanceHome { try InstanceHome(shipped: [PackageRoot.path]) }

    /// Starts `play` with these arguments, which the program's own parser reads.
    func start(_ arguments: String...) throws -> SteppedInstance { try start(arguments) }

    /// Starts in a session of a session manager.
    func start(_ name: String, of manager: MemorySessionManager, _ arguments: String...) throws -> SteppedInstance {
        try SteppedInstance(try PlayCommand.parse(arguments).options.configuration(), in: self, managed: manager.session(name, in: self))
    }

    func start(_ arguments: [String], sampleRate: Int = 48_000) throws -> SteppedInstance {
        try SteppedInstance(try PlayCommand.parse(arguments).options.configuration(), in: self, sampleRate: sampleRate)
    }
}
