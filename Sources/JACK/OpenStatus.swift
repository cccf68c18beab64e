import CJACK

/// The bits that JACK returns from opening a client: why it failed, or how it went. `jack_status_t`
package struct OpenStatus: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let failure = OpenStatus(JackFailure)
    package static let invalidOption = OpenStatus(JackInvalidOption)
    package static let nameNotUnique = OpenStatus(JackNameNotUnique)
    package static let serverStarted = OpenStatus(JackServerStarted)
    package static let serverFailed = OpenStatus(JackServerFailed)
    package static let serverError = OpenStatus(JackServerError)
    package static let noSuchClient = OpenStatus(JackNoSuchClient)
    package static let loadFailure = OpenStatus(JackLoadFailure)
    package static let initFailure = OpenStatus(JackInitFailure)
    package static let sharedMemoryFailure = OpenStatus(JackShmFailure)
    package static let versionError = OpenStatus(JackVersionError)
    package static let backendError = OpenStatus(JackBackendError)
    package static let clientZombie = OpenStatus(JackClientZombie)

    init(_ status: JackStatus) {
        rawValue = UInt32(status.rawValue)
    }

    private static let meanings: [(OpenStatus, String)] = [
        (.failure, "the operation failed"),
        (.invalidOption, "an option is invalid"),
        (.nameNotUnique, "the client name is taken"),
        (.serverStarted, "the server was started"),
        (.serverFailed, "the server cannot be reached"),
        (.serverError, "the server uses another protocol"),
        (.noSuchClient, "there is no such client"),
        (.loadFailure, "the client cannot be loaded"),
        (.initFailure, "the client cannot be initialised"),
        (.sharedMemoryFailure, "shared memory cannot be used (does the server run as another user?)"),
        (.versionError, "the server's protocol has another version (two JACK versions installed?)"),
        (.backendError, "the server's driver failed"),
        (.clientZombie, "the server removed the client"),
    ]
}

extension OpenStatus: CustomStringConvertible {
    /// Every set bit in words, such as "the operation failed, the server cannot be reached (0x11)".
    package var description: String {
        let known = OpenStatus.meanings.filter { contains($0.0) }.map(\.1)
        return (known.isEmpty ? "no reason given" : known.joined(separator: ", ")) + " (0x\(String(rawValue, radix: 16)))"
    }
}
