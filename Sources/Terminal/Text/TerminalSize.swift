import Foundation

/// The size of a terminal's window.
package struct TerminalSize: Equatable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
    }

    /// The window of the terminal at a descriptor; 80 columns or 24 rows if that is unknown.
    static func of(_ descriptor: Int32) -> TerminalSize {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        return TerminalSize(
            columns: isKnown && size.ws_col > 1 ? Int(size.ws_col) : 80, rows: isKnown && size.ws_row > 0 ? Int(size.ws_row) : 24)
    }
}
