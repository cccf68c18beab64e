import Foundation
import JACK

/// The audio servers found on this machine, for `--start-server`.
package struct ServerSituation: Sendable, Equatable {
    package var serverName: String
    /// Whether a client can be opened now.
    package var isServerRunning = false
    /// Whether the loaded JACK library is PipeWire's.
    package var isPipeWireLibrary = false
    /// Whether this user's PipeWire is running, so that it owns the sound cards.
    package var isPipeWireRunning = false
    /// The path of pw-jack; `nil` if it is not installed, or if it has already started this program.
    package var pwJackPath: String?
    package var jackdPath: String?
    /// The ALSA name of the first playback card, such as "hw:0,0".
    package var cardDevice: String?

    package init(serverName: String) {
        self.serverName = serverName
    }
}

/// The way to get a server.
package enum ServerDecision: Sendable, Equatable {
    case useRunning
    /// Start jackd on a sound card.
    case startOnCard(jackd: String, device: String)
    /// Start jackd with the dummy driver: everything works, but nothing is heard.
    case startSilent(jackd: String)
    /// Restart the program under pw-jack.
    case restartUnderPipeWire(pwJack: String)
    /// Nothing can be done; the sentence names the remedy.
    case refuse(String)
}

extension ServerSituation {
    /// The way to get a server in this situation. jackd is never started on a card that PipeWire holds.
    package var decision: ServerDecision {
        if isServerRunning { return .useRunning }
        if isPipeWireLibrary {
            return .refuse("PipeWire's JACK is in use, but PipeWire is not running. Start it: systemctl --user start pipewire wireplumber")
        }
        if isPipeWireRunning {
            return pwJackPath.map { .restartUnderPipeWire(pwJack: $0) }
                ?? .refuse(
                    "PipeWire uses the sound cards, so jackd is not started. Install PipeWire's JACK (apt-get install pipewire-jack), then start this program again."
                )
        }
        guard let jackdPath else {
            return .refuse("Cannot start a JACK server: jackd is not installed. Install it: apt-get install jackd2")
        }
        return cardDevice.map { .startOnCard(jackd: jackdPath, device: $0) } ?? .startSilent(jackd: jackdPath)
    }
}
