import Application
import ArgumentParser
import Foundation
import Library
import Logging
import Playback
import RemoteClient
import Terminal

/// Plays until it is asked to quit.
struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play patches or a session through JACK.",
        discussion: """
            If an instance is running already, it crossfades to the first patch or session, the others follow, and this command ends with 0. \
            --add and --next add to its queue, and --new starts a second instance, as do --session, --server, another --osc-port and another \
            --client-name. Options that take effect only when an instance starts are an error then.

            EXAMPLES:
              binaural play                                  resume the last session, or play welcome
              binaural play welcome --start-server           start jackd if neither it nor PipeWire is running
              binaural play evening.yaml deep-alpha          play these patches one after the other
              binaural play rain --next                      add it behind what the running instance plays
              binaural play rain --new                       play it in a second instance, with its own port and session
              binaural play rain --session night             play this patch, saved as the session night
              binaural play ./evening.yaml                   edit it while it plays: it is read again when saved
              binaural play --session ~/night.yaml           resume the session in this file
              binaural play welcome --at 6:30 --rise 10:00   an alarm, tomorrow if it is later than that
              binaural play rain --sleep 45:00 --once        exit when the sleep timer is over
              binaural play --osc-listen 0.0.0.0 --osc-allow 192.168.1.20/32=control \\
                  --osc-feedback 192.168.1.20:9000=now,tick/4     use a phone as the remote control

            SIGUSR1 saves the session; SIGTERM saves it and exits. If NSM_URL is set, the session manager chooses the session, \
            and SIGTERM exits without saving.

            KEYS: space pauses and resumes, left and right skip back and forward, n and p go to the next and previous chapter, + and - change \
            the level, q quits; ? lists the keys for layers, mute, solo and undo.

            SAFETY: start at a low level, and do not listen while driving or operating machinery. If you have epilepsy, ask a doctor first. The \
            preference maximumLevel limits the level, and the first sound comes in softly.
            """)

    @OptionGroup var options: PlayOptions

    func run() async throws {
        try SystemLimits.requireFiles(64)
        try SystemLimits.requireAddressSpace(1 << 30)
        let managed = try ManagedSession.await(
            environment: ProcessInfo.processInfo.environment, notice: StandardError.write(lines:))
        let environment = ProcessInfo.processInfo.environment
        let client = managed == nil ? options.clientToHandOver(environment: environment) : nil
        let lock: StartLock? = if let client { await StartLock(client: client, environment: environment) } else { nil }
        if let client, try await PlayBesideInstance(options: options).handOver(to: client) { return }
        if managed == nil, !options.startServer {
            try PlayingServer.usePipeWire(serverName: options.server, notice: StandardError.write(lines:))
        }
        do {
            try await PlaySetup(options.configuration(), managed).play { lock?.release() }
        } catch {
            managed?.notify(error)
            throw error
        }
    }
}
