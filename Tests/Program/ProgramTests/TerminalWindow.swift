import Foundation
import ProgramSupport
import TestSupport

/// A terminal whose screen can be read: tmux, with its own server.
struct TerminalWindow {
    let folder: TemporaryFolder
    let environment: [String: String]
    let columns: Int

    init(_ environment: [String: String], columns: Int) throws {
        folder = try TemporaryFolder()
        self.columns = columns
        self.environment = environment.merging(["TMUX_TMPDIR": folder.path]) { $1 }
    }

    func tmux(_ arguments: String...) async throws -> FinishedProgram {
        let tool = try requireTool("tmux", package: "tmux")
        let run = try await RunningProgram.run(tool, ["-f", "/dev/null"] + arguments, environment: environment)
        guard run.exit == .code(0) else { throw ProgramFailure(run.summary) }
        return run
    }

    func run(_ command: String, in folder: String) async throws {
        _ = try await tmux("new-session", "-d", "-x", "\(columns)", "-y", "24", "-c", folder, command)
    }

    func press(_ key: String) async throws { _ = try await tmux("send-keys", key) }

    func type(_ text: String) async throws { _ = try await tmux("send-keys", "-l", text) }

    func resize(columns: Int, rows: Int) async throws { _ = try await tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)") }

    func close() async throws { _ = try await tmux("kill-server") }

    /// Waits until the screen satisfies a condition by polling, since tmux does not report changes.
    @discardableResult
    func screen(
        at file: StaticString = #fileID, _ line: UInt = #line, where satisfies: ([String]) -> Bool
    ) async throws -> [String] {
        var lines: [String] = []
        let isShown = try await eventually(at: file, line) {
            lines = try await tmux("capture-pane", "-p").outputLines.filter { !$0.isEmpty }
            return satisfies(lines)
        }
        guard isShown else { throw ProgramFailure("the screen did not show what was expected:\n" + lines.joined(separator: "\n")) }
        return lines
    }
}
