import Foundation
import Logging
import Terminal

/// Writes log lines to standard error, above the live lines if that is the same terminal.
struct TerminalLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level
    private let terminal: TerminalView
    private let isShared = isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) == 1

    private init(_ terminal: TerminalView, _ level: Logger.Level) {
        self.terminal = terminal
        logLevel = level
    }

    /// - Parameter isVerbose: also logs messages for developers.
    static func logger(_ terminal: TerminalView, isVerbose: Bool) -> Logger {
        Logger(label: "binaural") { _ in TerminalLog(terminal, isVerbose ? .debug : .warning) }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let line = "\(event.level): \(event.message)"
        if isShared { terminal.print(line) } else { StandardError.post(lines: "binaural: \(line)") }
    }
}
