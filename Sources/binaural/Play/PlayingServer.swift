import Foundation
import Studio

/// The JACK server to play through: one that runs, or with `--start-server` one that is started and ended here.
struct PlayingServer {
    let name: String?
    private let started: StartedServer?

    /// May not return: where PipeWire serves JACK, the program begins again under `pw-jack`.
    ///
    /// - Throws: `ProgramError` 69 when no server can be had.
    init(_ options: PlayOptions) throws {
        name = options.server
        guard options.startServer else {
            started = nil
            return
        }
        let situation = ServerSituation.survey(serverName: options.server)
        switch situation.decision {
        case .useRunning: started = nil
        case .restartUnderPipeWire(let pwJack):
            let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
            let arguments = Array(CommandLine.arguments.dropFirst())
            throw ProgramError(.unavailable, restartUnderPipeWire(pwJack: pwJack, program: program, arguments: arguments))
        case .refuse(let reason): throw ProgramError(.unavailable, reason)
        case .startOnCard, .startSilent:
            do {
                started = try StartedServer.start(situation.decision, name: situation.serverName)
            } catch {
                throw ProgramError(.unavailable, "\(error)")
            }
        }
    }

    var announcement: String? { started?.announcement }

    func stop() { started?.stop() }
}
