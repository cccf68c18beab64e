import JACK
import Playback

extension Backend {
    /// Why a request to JACK failed.
    package typealias Failure = JACKError
}

extension JACKError {
    /// The status of a command that failed with this error.
    package var commandStatus: CommandStatus {
        switch self {
        case .noPort, .notConnected: .noSuchContent
        case .cannotConnect, .cannotDisconnect: .commandFailed
        default: .deviceNotFound
        }
    }
}
