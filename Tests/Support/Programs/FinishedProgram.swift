import Foundation

/// The output of a program and how it ended.
package struct FinishedProgram: Sendable {
    package let command: String
    package let exit: ProgramExit
    package let outputLines: [String]
    package let errorLines: [String]

    package var output: String { outputLines.joined(separator: "\n") }
    package var errors: String { errorLines.joined(separator: "\n") }
}

extension RunningProgram {
    /// Runs a program to its end, `input` on its standard input. Throws if it cannot be started or does not end in time.
    ///
    /// - Parameter worksLong: It may take longer than ``Patience/limit``.
    package static func run(
        _ executable: String, _ arguments: [String] = [], environment: [String: String] = ProcessInfo.processInfo.environment,
        folder: String? = nil, input: String = "", worksLong: Bool = false
    ) async throws(ProgramFailure) -> FinishedProgram {
        let program = try RunningProgram(executable, arguments, environment: environment, folder: folder)
        program.write(input)
        program.closeInput()
        let exit = try await program.exit(worksLong: worksLong)
        return FinishedProgram(
            command: program.command, exit: exit, outputLines: program.outputLines, errorLines: program.errorLines)
    }
}

/// The path of a tool that a test needs; where it is missing, the failure names the Debian package that has it.
package func requireTool(_ name: String, package: String) throws(ProgramFailure) -> String {
    for folder in (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":") {
        let path = "\(folder)/\(name)"
        if access(path, X_OK) == 0 { return path }
    }
    throw ProgramFailure("\(name) is not installed; this test needs it: apt-get install \(package)")
}
