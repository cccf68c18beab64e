import Foundation
import JACKBackend
import Synchronization

/// The JACK server to use: a running one, PipeWire, or with `--start-server` one that is started and ended by this program.
final class PlayingServer: Sendable {
    private let name: String?
    private let mayStart: Bool
    private let mayUsePipeWire: Bool
    private let state = Mutex(State())

    private struct State {
        var started: StartedServer?
        var isOver = false
    }

    /// - Parameter isManaged: Whether a session manager has started the program. It has chosen the server, and would lose sight of a program that
    ///   restarts.
    init(_ options: PlayConfiguration.JACK, isManaged: Bool) {
        name = options.serverName
        mayStart = options.startsServer
        mayUsePipeWire = mayStart || !isManaged && ServerSituation.isPipeWireInReach(serverName: options.serverName)
    }

    /// Starts a server if that is requested and needed; `stop`, called on another thread, also ends one that is not yet answering.
    ///
    /// May not return: if no jackd runs and PipeWire serves JACK, the program is restarted under `pw-jack`.
    ///
    /// - Parameter leaving: called before such a restart.
    /// - Throws: `ApplicationError` if no server can be started.
    func start(leaving: () -> Void) throws {
        guard mayUsePipeWire else { return }
        let situation = ServerSituation.survey(serverName: name)
        switch situation.decision {
        case .useRunning: break
        case .restartUnderPipeWire(let pwJack):
            leaving()
            let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
            let arguments = Array(CommandLine.arguments.dropFirst())
            throw ApplicationError(.unavailable, restartUnderPipeWire(pwJack: pwJack, program: program, arguments: arguments))
        case .refuse(let reason): throw ApplicationError(.unavailable, reason)
        case .startOnCard, .startSilent:
            // PipeWire has ended meanwhile.
            guard mayStart else { break }
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
