import Application
import ArgumentParser
import Foundation
import Library
import Terminal

@main
struct Main {
    static func main() async {
        StandardDescriptors.openClosed()
        do {
            try SystemLimits.requireFiles(16)
            // A session manager starts a program without arguments.
            let isManaged = CommandLine.arguments.count == 1 && ProcessInfo.processInfo.environment["NSM_URL"]?.isEmpty == false
            var command = try Binaural.parseAsRoot(isManaged ? ["play"] : nil)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            if let reason = StandardOutput.finish() {
                throw ProgramError(.inputOutput, "Not everything could be written to standard output: \(reason).")
            }
        } catch {
            // Help, the version and completion scripts also arrive as errors; the argument parser knows where each of them goes.
            let arguments = Array(CommandLine.arguments.dropFirst())
            let mistake =
                MistakenSubcommand.error(behind: error, in: arguments, of: Binaural.self, Library(places: .current))
                ?? MistakenOption.error(behind: error, in: arguments, of: Binaural.self)
            if Binaural.exitCode(for: error) == .success, mistake == nil { Binaural.exit(withError: error) }
            exit(ErrorReport.show(mistake ?? error))
        }
    }
}
