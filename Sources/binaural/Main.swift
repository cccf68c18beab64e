import ArgumentParser
import Foundation

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
            exit(ErrorReport.show(error))
        }
    }
}
