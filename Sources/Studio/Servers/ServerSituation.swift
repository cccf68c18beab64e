import Foundation
import JACK

/// What there is on this machine to play through, as far as `--start-server` has to know.
package struct ServerSituation: Sendable, Equatable {
    package var serverName: String
    /// A client can be opened now.
    package var isServerRunning = false
    /// The library that was loaded is PipeWire's.
    package var isPipeWireLibrary = false
    /// PipeWire of this user runs, so the sound cards are its.
    package var isPipeWireRunning = false
    /// Where pw-jack is installed; nil where it is not, or where this program was already started by it.
    package var pwJackPath: String?
    package var jackdPath: String?
    /// ALSA's name of the first card that plays, such as "hw:0,0".
    package var cardDevice: String?

    package init(serverName: String) {
        self.serverName = serverName
    }
}

/// What to do about a server.
package enum ServerDecision: Sendable, Equatable {
    case useRunning
    /// jackd on a sound card.
    case startOnCard(jackd: String, device: String)
    /// jackd with the dummy driver: everything works and nothing is heard.
    case startSilent(jackd: String)
    /// The program has to be started again under pw-jack.
    case restartUnderPipeWire(pwJack: String)
    /// Nothing can be done; a sentence with the remedy.
    case refuse(String)
}

extension ServerSituation {
    /// jackd is never started on a card that PipeWire holds.
    package var decision: ServerDecision {
        if isServerRunning { return .useRunning }
        if isPipeWireLibrary {
            return .refuse("PipeWire's JACK is in use, but PipeWire is not running. Start it: systemctl --user start pipewire wireplumber")
        }
        if isPipeWireRunning {
            return pwJackPath.map { .restartUnderPipeWire(pwJack: $0) }
                ?? .refuse(
                    "PipeWire holds the sound cards, so no jackd is started. Install its JACK (apt-get install pipewire-jack), then run this under pw-jack."
                )
        }
        guard let jackdPath else {
            return .refuse("Cannot start a JACK server: jackd is not installed. Install it: apt-get install jackd2")
        }
        return cardDevice.map { .startOnCard(jackd: jackdPath, device: $0) } ?? .startSilent(jackd: jackdPath)
    }
}
