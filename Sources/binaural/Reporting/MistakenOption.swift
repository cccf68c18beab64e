import ArgumentParser

/// The error for an unknown option, with the options whose names contain it: `--port` for `--osc-port`.
enum MistakenOption {
    /// - Parameters:
    ///   - error: that of the argument parser.
    ///   - arguments: those of the program, without its name.
    ///   - root: the program's command.
    /// - Returns: `nil` if the error is not about an option, or no option contains its name.
    static func error(behind error: any Error, in arguments: [String], of root: any ParsableCommand.Type) -> ProgramError? {
        guard root.exitCode(for: error) == .validationFailure else { return nil }
        let message = root.fullMessage(for: error)
        guard let found = message.firstMatch(of: /^Error: Unknown option '--([a-z-]+)'\.?( Did you mean '[^']*'\?)?/) else { return nil }
        let near = options(of: command(arguments, root), root).filter { $0.hasSuffix("-\(found.1)") || $0.hasPrefix("\(found.1)-") }
        guard !near.isEmpty else { return nil }
        let quoted = near.map { "'--\($0)'" }
        let names = (quoted.count > 1 ? quoted.dropLast().joined(separator: ", ") + " or " : "") + quoted[quoted.count - 1]
        return ProgramError(.usage, "Unknown option '--\(found.1)'. Did you mean \(names)?" + message[found.range.upperBound...])
    }

    /// The command that the arguments name.
    private static func command(_ arguments: [String], _ root: any ParsableCommand.Type) -> any ParsableCommand.Type {
        var command = root
        for word in arguments {
            let next = command.configuration.subcommands.first { $0.configuration.commandName ?? "\($0)".lowercased() == word }
            guard let next else { break }
            command = next
        }
        return command
    }

    /// The names of the options that the help of a command lists, without dashes.
    private static func options(of command: any ParsableCommand.Type, _ root: any ParsableCommand.Type) -> [String] {
        root.helpMessage(for: command, columns: 1000).split(separator: "\n").flatMap { line -> [String] in
            guard line.hasPrefix("  -") else { return [] }
            let names = line.dropFirst(2)
            let end = names.firstRange(of: "  ")?.lowerBound ?? names.endIndex
            return names[..<end].matches(of: /--([a-z][a-z-]*)/).map { String($0.1) }
        }
    }
}
