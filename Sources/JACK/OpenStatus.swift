import CJACK

/// The bits that JACK returns from opening a client: why it failed, or how it went. `jack_status_t`
public struct OpenStatus: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    public static let failure = OpenStatus(JackFailure)
    public static let invalidOption = OpenStatus(JackInvalidOption)
    public static let nameNotUnique = OpenStatus(JackNameNotUnique)
    public static let serverStarted = OpenStatus(JackServerStarted)
    public static let serverFailed = OpenStatus(JackServerFailed)
    public static let serverError = OpenStatus(JackServerError)
    public static let noSuchClient = OpenStatus(JackNoSuchClient)
    public static let loadFailure = OpenStatus(JackLoadFailure)
    public static let initFailure = OpenStatus(JackInitFailure)
    public static let sharedMemoryFailure = OpenStatus(JackShmFailure)
    public static let versionError = OpenStatus(JackVersionError)
    public static let backendError = OpenStatus(JackBackendError)
    public static let clientZombie = OpenStatus(JackClientZombie)

    init(_ status: JackStatus) {
        rawValue = UInt32(status.rawValue)
    }

    private static let meanings: [(OpenStatus, String)] = [
        (.failure, "the operation failed"),
        (.invalidOption, "an option is invalid"),
        (.nameNotUnique, "the client name is taken"),
        (.serverStarted, "the server was started"),
        (.serverFailed, "the server cannot be reached"),
        (.serverError, "the server does not answer properly"),
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
    public var description: String {
        let known = OpenStatus.meanings.filter { contains($0.0) }.map(\.1)
        return (known.isEmpty ? "no reason given" : known.joined(separator: ", ")) + " (0x\(String(rawValue, radix: 16)))"
    }
}
