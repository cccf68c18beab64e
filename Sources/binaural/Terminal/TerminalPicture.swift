/// What a terminal can show of something that goes on.
package protocol TerminalPicture: Sendable {
    /// A sentence that is shown once and stays; `nil` when there is none.
    var notice: String? { get }
    /// Lines that take the place of those before them, each at most `width` columns.
    func live(width: Int, style: StatusLines.Style) -> [StatusLines.Line]
    /// One line without colour and of any length, for a file or a pipe.
    func plain(style: StatusLines.Style) -> String
    /// Whether somebody who gets one line per change should get one.
    func isWorthALine(after previous: (any TerminalPicture)?) -> Bool
}

extension TerminalStatus: TerminalPicture {
    package func live(width: Int, style: StatusLines.Style) -> [StatusLines.Line] { StatusLines.live(self, width: width, style: style) }
    package func plain(style: StatusLines.Style) -> String { StatusLines.plain(self, style: style) }
    package func isWorthALine(after previous: (any TerminalPicture)?) -> Bool { isWorthALine(after: previous as? TerminalStatus) }
}
