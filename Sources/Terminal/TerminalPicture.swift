/// A continuous display on the terminal.
package protocol TerminalPicture: Sendable {
    /// A sentence that is printed once and stays; `nil` if there is none.
    var notice: String? { get }
    /// The live lines, which replace the previous ones; each is at most `width` columns.
    func live(width: Int, style: StatusLines.Style) -> [StatusLines.Line]
    /// One line without colour and of any length, for a file or a pipe.
    func plain(style: StatusLines.Style) -> String
    /// Whether the change deserves a line in an output that gets one line per change.
    func isWorthALine(after previous: (any TerminalPicture)?) -> Bool
}

extension TerminalStatus: TerminalPicture {
    package func live(width: Int, style: StatusLines.Style) -> [StatusLines.Line] { StatusLines.live(self, width: width, style: style) }
    package func plain(style: StatusLines.Style) -> String { StatusLines.plain(self, style: style) }
    package func isWorthALine(after previous: (any TerminalPicture)?) -> Bool { isWorthALine(after: previous as? TerminalStatus) }
}
