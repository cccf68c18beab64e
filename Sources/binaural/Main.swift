import ArgumentParser

@main
struct Main {
    static func main() async {
        do {
            var command = try Binaural.parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            ErrorReport.leave(with: error)
        }
    }
}
