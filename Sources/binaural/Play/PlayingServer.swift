import ArgumentParser
import Foundation
import Studio
import Synchronization

/// The JACK server to play through: one that runs, or with `--start-server` one that is started and ended here.
final class PlayingServer: Sendable {
    private let name: String?
    private let isWanted: Bool
    private let state = Mutex(State())

    private struct State {
        var started: StartedServer?
        var isOver = false
    }

    init(_ options: PlayOptions) {
        name = options.server
        isWanted = options.startServer
    }

    /// Starts one where that is wanted and needed; `stop`, from another thread, ends it also while this waits for it to answer.
    ///
    /// May not return: where PipeWire serves JACK, the program begins again under `pw-jack`.
    ///
    /// - Parameter leaving: runs before that.
    /// - Throws: `ProgramError` 69 when no server can be had.
    func start(leaving: () -> Void) throws {
        guard isWanted else { return }
        let situation = ServerSituation.survey(serverName: name)
        switch situation.decision {
        case .useRunning: break
        case .restartUnderPipeWire(let pwJack):
            leaving()
            let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
            let arguments = Array(CommandLine.arguments.dropFirst())
            throw ProgramError(.unavailable, restartUnderPipeWire(pwJack: pwJack, program: program, arguments: arguments))
        case .refuse(let reason): throw ProgramError(.unavailable, reason)
        case .startOnCard, .startSilent:
            do {
                let started = try state.withLock { state in
                    if !state.isOver { state.started = try StartedServer.launch(situation.decision, name: situation.serverName) }
                    return state.started
                }
                try started?.waitUntilAnswering()
            } catch {
                // Ended by a second Ctrl-C, there is nothing to be told.
                if state.withLock({ $0.isOver }) { throw ExitCode(128 + SIGINT) }
                throw ProgramError(.unavailable, "\(error)")
            }
        }
    }

    var announcement: String? { state.withLock { $0.started?.announcement } }

    /// Ends what was started here; nothing is started any more.
    func stop() {
        let started = state.withLock { state in
            state.isOver = true
            return state.started
        }
        started?.stop()
    }
}
