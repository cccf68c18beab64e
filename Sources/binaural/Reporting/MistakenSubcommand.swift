import ArgumentParser
import Library
import Patches

/// The error for an unknown subcommand, with a suggestion.
enum MistakenSubcommand {
    /// - Parameters:
    ///   - error: that of the argument parser.
    ///   - arguments: those of the program, without its name.
    ///   - root: the program's command.
    /// - Returns: `nil` if all subcommands that are named exist, or the error is not about the command line.
    static func error(
        behind error: any Error, in arguments: [String], of root: any ParsableCommand.Type, _ library: Library
    ) -> ProgramError? {
        let code = root.exitCode(for: error)
        // A request for help takes any word as a subcommand, and shows the help of the program for one that it does not know.
        guard code == .validationFailure || code == .success && arguments.first?.hasPrefix("-") == false else { return nil }
        var command = root
        var path = ["binaural"]
        var rest = arguments[...]
        while rest.first == "help" { rest = rest.dropFirst() }
        while let word = rest.popFirst(), !word.hasPrefix("-") {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty else { return nil }
            if let next = subcommands.first(where: { name(of: $0) == word }) {
                command = next
                path.append(word)
                continue
            }
            let whole = path.joined(separator: " ")
            let remedy =
                if path.count == 1, let noun = library.noun(of: word) {
                    "'\(word)' is a \(noun): to play it, use 'binaural play \(word)'."
                } else if let near = closest(to: word, among: subcommands.filter { $0.configuration.shouldDisplay }.map { name(of: $0) }) {
                    "Did you mean '\(whole) \(near)'?"
                } else {
                    "'\(whole) --help' lists the subcommands."
                }
            return ProgramError(.usage, "There is no subcommand '\(word)'. \(remedy)")
        }
        return nil
    }

    private static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? "\(command)".lowercased()
    }
}
