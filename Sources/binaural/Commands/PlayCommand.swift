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
              binaural play                                  resume the last session, or play welcome
              binaural play welcome --start-server           starts a JACK server if none is running
              binaural play evening.yaml deep-alpha          these patches, one after the other
              binaural play --session ~/night.yaml           resume the session in this file
              binaural play --osc-listen 0.0.0.0 --osc-allow 192.168.1.20/32=control \\
                  --osc-feedback 192.168.1.20:9000=now,tick/4     a phone as the remote control

            SIGUSR1 saves the session; SIGTERM saves it and exits. With NSM_URL, the session manager chooses the session.

            KEYS: space plays and pauses, left and right skip, n and p go to the next and previous, + and - change the level, q quits.
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
