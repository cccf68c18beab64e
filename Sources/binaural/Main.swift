import ArgumentParser
import Foundation
import Library

@main
struct Main {
    static func main() async {
        do {
            // A session manager starts a program without arguments.
            let isManaged = CommandLine.arguments.count == 1 && ProcessInfo.processInfo.environment["NSM_URL"]?.isEmpty == false
            var command = try Binaural.parseAsRoot(isManaged ? ["play"] : nil)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            // Help, the version and completion scripts also arrive as errors; the argument parser knows where each of them goes.
            if Binaural.exitCode(for: error) == .success { Binaural.exit(withError: error) }
            let isUsage = Binaural.exitCode(for: error) == .validationFailure
            let arguments = Array(CommandLine.arguments.dropFirst())
            let mistake = isUsage ? MistakenSubcommand.error(in: arguments, of: Binaural.self, Library(places: .current)) : nil
            exit(ErrorReport.show(mistake ?? error))
        }
    }
}
