import Foundation
import JACK
import OperatingSystem

/// A jackd that this program has started and will end.
package final class StartedServer: Sendable {
    /// One sentence for the user: what was started, and whether it can be heard.
    package let announcement: String
    package let processIdentifier: Int32
    private let name: String
    private let process: ServerProcess

    private init(name: String, announcement: String, process: ServerProcess) {
        self.name = name
        self.announcement = announcement
        processIdentifier = process.pid
        self.process = process
    }

    /// Starts jackd as decided, with a sample rate in hertz and a buffer size in frames; call `waitUntilAnswering` before using it.
    package static func launch(
        _ decision: ServerDecision, name: String, sampleRate: Int = 48_000, bufferSize: Int = 256
    ) throws(StartedServerError) -> StartedServer {
        let (jackd, driver, announcement): (String, [String], String)
        switch decision {
        case .startOnCard(let path, let device):
            (jackd, driver) = (path, ["alsa", "-d", device])
            announcement = "Started the JACK server '\(name)' on \(device)."
        case .startSilent(let path):
            (jackd, driver) = (path, ["dummy"])
            announcement = "Started the JACK server '\(name)' with the dummy driver, which is silent: there is no sound card."
        case .useRunning, .restartUnderPipeWire, .refuse:
            throw StartedServerError(name: name, reason: "no server was chosen")
        }
        let process = try run(
            jackd, ["-n", name, "-d"] + driver + ["-r", String(sampleRate), "-p", String(bufferSize)], name: name)
        return StartedServer(name: name, announcement: announcement, process: process)
    }

    /// Returns when clients can be opened; a server that does not answer is ended.
    package func waitUntilAnswering() throws(StartedServerError) {
        let deadline = ContinuousClock.now + .seconds(10)
        while !ServerSituation.isServerRunning(name) {
            guard !process.hasEnded else { throw StartedServerError(name: name, reason: "jackd exited: \(process.lastLines)") }
            guard ContinuousClock.now < deadline else {
                process.end()
                throw StartedServerError(name: name, reason: "jackd does not answer: \(process.lastLines)")
            }
            usleep(20_000)
        }
    }

    private static func run(_ jackd: String, _ arguments: [String], name: String) throws(StartedServerError) -> ServerProcess {
        var environment = ProcessInfo.processInfo.environment
        if environment["DBUS_SESSION_BUS_ADDRESS"] == nil {
            // Without a session bus, reserving the card is not possible.
            environment["JACK_NO_AUDIO_RESERVATION"] = "1"
        }
        do throws(Errno) {
            return try ServerProcess(jackd, arguments, environment: environment)
        } catch {
            throw StartedServerError(name: name, reason: "cannot run \(jackd) (\(error))")
        }
    }

    /// Ends the server and waits for that: with SIGTERM, after three seconds with SIGKILL. Later calls do nothing.
    package func stop() { process.end() }
}

/// Why no server could be started.
package struct StartedServerError: Error, Equatable, CustomStringConvertible {
    package let name: String
    package let reason: String

    package var description: String {
        "Cannot start the JACK server '\(name)': \(reason). Start one yourself (qjackctl, or jackd -d alsa), then run this program again."
    }
}
