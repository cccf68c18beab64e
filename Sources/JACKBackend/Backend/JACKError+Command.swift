import JACK
import Playback

extension Backend {
    /// Why a request to JACK failed.
    package typealias Failure = JACKError
}

extension JACKError {
    /// Whether there is no server, so that starting one helps.
    package var isServerMissing: Bool { if case .noServer = self { true } else { false } }

    /// The status of a command that failed with this error.
    package var commandStatus: CommandStatus {
        switch self {
        case .noPort, .notConnected: .noSuchContent
        case .cannotConnect, .cannotDisconnect: .commandFailed
        default: .deviceNotFound
        }
    }
}
