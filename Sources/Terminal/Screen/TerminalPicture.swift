/// A continuous display on the terminal.
package protocol TerminalPicture: Sendable {
    /// A sentence that is printed once and stays; `nil` if there is nothing to report.
    var notice: String? { get }
    /// How many notices there have been, to distinguish one that repeats from one that stays.
    var noticeCount: Int { get }
    /// The live lines, which replace the previous ones; each is narrower than the window. Called at most ten times a second.
    func live(size: TerminalSize, style: StatusLines.Style) -> [StatusLines.Line]
    /// One line without colour and of any length, for a file or a pipe.
    func plain(style: StatusLines.Style) -> String
    /// Whether the change deserves a line in an output that gets one line per change.
    func isWorthALine(after previous: (any TerminalPicture)?) -> Bool
}

extension TerminalPicture {
    package var noticeCount: Int { 0 }
}
