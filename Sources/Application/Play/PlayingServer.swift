import Foundation
import JACKBackend
import Synchronization

/// The JACK server to use: a running one, or with `--start-server` one that is started and ended by this program.
package final class PlayingServer: Sendable {
    private let name: String?
    private let isWanted: Bool
    private let state = Mutex(State())

    private struct State {
        var started: StartedServer?
        var isOver = false
    }

    init(_ options: PlayConfiguration.JACK) {
        name = options.serverName
        isWanted = options.startsServer
    }

    /// Starts a server if that is requested and needed; `stop`, called on another thread, also ends one that is not yet answering.
    ///
    /// May not return: if PipeWire serves JACK, the program is restarted under `pw-jack`.
    ///
    /// - Parameter leaving: called before such a restart.
    /// - Throws: `ApplicationError` if no server can be started.
    func start(leaving: () -> Void) throws {
        guard isWanted else { return }
        let situation = ServerSituation.survey(serverName: name)
        switch situation.decision {
        case .useRunning: break
        case .restartUnderPipeWire(let pwJack):
            leaving()
            throw Self.restart(under: pwJack)
        case .refuse(let reason): throw ApplicationError(.unavailable, reason)
        case .startOnCard, .startSilent:
            do {
                let started = try state.withLock { state in
                    if !state.isOver { state.started = try StartedServer.launch(situation.decision, name: situation.serverName) }
                    return state.started
                }
                try started?.waitUntilAnswering()
            } catch {
                throw ApplicationError(.unavailable, "\(error)")
            }
        }
    }

    /// Does not return unless the program cannot be restarted.
    private static func restart(under pwJack: String) -> ApplicationError {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let arguments = Array(CommandLine.arguments.dropFirst())
        return ApplicationError(.unavailable, restartUnderPipeWire(pwJack: pwJack, program: program, arguments: arguments))
    }

    /// Restarts the program under `pw-jack` if PipeWire runs, and no server of jackd runs or was named. For a program that starts no server itself,
    /// before it has read anything. A session manager would lose sight of a program that restarts.
    ///
    /// - Parameter notice: gets a sentence if PipeWire's JACK is not installed.
    /// - Throws: `ApplicationError` if the program cannot be restarted.
    package static func usePipeWire(serverName: String?, notice: (String) -> Void) throws(ApplicationError) {
        switch ServerSituation.pipeWireUse(serverName: serverName) {
        case .none: break
        case .notInstalled:
            notice(
                "PipeWire is running, but not its JACK: to play through PipeWire, install pipewire-jack (apt-get install pipewire-jack).")
        case .restart(let pwJack):
            // No session manager has answered there, and is waited for again otherwise.
            unsetenv("NSM_URL")
            throw restart(under: pwJack)
        }
    }

    var announcement: String? { state.withLock { $0.started?.announcement } }

    /// Ends the server if it was started here; none is started afterwards.
    func stop() {
        let started = state.withLock { state in
            state.isOver = true
            return state.started
        }
        started?.stop()
    }
}
