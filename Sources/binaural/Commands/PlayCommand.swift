import Application
import ArgumentParser
import Foundation
import Library
import Logging
import Playback
import Terminal

/// Plays until it is asked to quit.
struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play patches or a session through JACK.",
        discussion: """
            EXAMPLES:
              binaural play                                  go on with the session last played, or with welcome
              binaural play welcome --start-server           with a JACK server of its own if none runs
              binaural play evening.yaml deep-alpha          these patches, one after the other
              binaural play --session ~/night.yaml           go on where that file says
              binaural play --osc-listen 0.0.0.0 --osc-allow 192.168.1.20/32=control \\
                  --osc-feedback 192.168.1.20:9000=now,tick/4     a phone as the remote control

            SIGUSR1 saves the session; SIGTERM saves it and leaves. With NSM_URL, the session is the one that the session manager opens.

            KEYS: space toggles, left and right skip, n and p next and previous, + and - the level, q leaves.
            """)

    @OptionGroup var options: PlayOptions

    func run() async throws {
        let managed = try ManagedSession.await(
            environment: ProcessInfo.processInfo.environment, notice: StandardError.write(lines:))
        do {
            try await PlaySetup(options.configuration(), managed).play()
        } catch {
            managed?.tell(error)
            throw error
        }
    }
}
