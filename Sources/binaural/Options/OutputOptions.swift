import ArgumentParser
import Foundation
import Library
import Terminal

/// The option of commands whose output may exist, and their record of what they have written.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Replace an existing file. Files that are read are never replaced.")
    var force = false

    var record: OutputRecord { OutputRecord(places: .current) }

    /// Throws `OutputError` unless the command may write to a path, and to standard output.
    ///
    /// - Parameters:
    ///   - command: The subcommand; `nil` if it does not even replace its own files.
    ///   - inputs: The paths of all files that the output is made from.
    func requireFree(_ path: String, for command: String?, inputs: [String]) throws {
        try requireFreeStream(inputs: inputs)
        try record.requireFree(path, for: command, inputs: inputs, replaces: force)
    }

    /// Throws `OutputError` if standard output goes into one of these files, as with `>>`.
    func requireFreeStream(inputs: [String]) throws {
        try OutputRecord.requireNoInput(STDOUT_FILENO, calledBy: "standard output", inputs: inputs)
    }

    /// Remembers the file that a command has written, and reports it in a terminal.
    func conclude(_ path: String, by command: String) {
        if let warning = record.add(path, by: command) { StandardError.write(lines: warning) }
        if isatty(STDOUT_FILENO) == 1 { print("\(path) is written.") }
    }
}
