import JACK
import Playback

extension JACKBackend {
    /// Why JACK did not do what it was asked for.
    package typealias Failure = JACKError
}

extension JACKError {
    /// How a command ends that came to this.
    package var commandStatus: CommandStatus {
        switch self {
        case .noPort, .notConnected: .noSuchContent
        case .cannotConnect, .cannotDisconnect: .commandFailed
        default: .deviceNotFound
        }
    }
}
