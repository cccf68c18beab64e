import Cqrencode
import Foundation

/// A QR code, drawn with half blocks: a column is as wide as a module, a row as high as two.
package struct QRCode {
    /// The modules of each row; `true` is dark.
    private let modules: [[Bool]]

    /// Light modules around the code. The standard asks for four; scanners need two, and the code has to fit 24 rows.
    private static let margin = 2

    /// Encodes a text, with the lowest error correction, since a code on a screen is not damaged. QRcode_encodeString8bit
    ///
    /// - Returns: `nil` for an empty text, or one of more than 2953 bytes.
    package init?(_ text: String) {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        // SAFETY: the library's code has that many rows and columns; the lowest bit says whether a module is dark.
        guard let data = code.pointee.data else { return nil }
        let blank = [Bool](repeating: false, count: Self.margin)
        let rows = (0..<width).map { row in blank + (0..<width).map { data[row * width + $0] & 1 == 1 } + blank }
        let empty = [[Bool]](repeating: [Bool](repeating: false, count: width + 2 * Self.margin), count: Self.margin)
        modules = empty + rows + empty
    }

    package var size: TerminalSize { TerminalSize(columns: modules.count, rows: (modules.count + 1) / 2) }

    /// The lines of the code: black on white, or without colours for a terminal with light text on a dark background.
    package func lines(hasColor: Bool) -> [String] {
        stride(from: 0, to: modules.count, by: 2).map { row in
            let lower = row + 1 < modules.count ? modules[row + 1] : [Bool](repeating: !hasColor, count: modules.count)
            let line = zip(modules[row], lower).map { upper, lower -> Character in
                switch (upper == hasColor, lower == hasColor) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            return hasColor ? "\u{1B}[38;5;16;48;5;231m" + String(line) + "\u{1B}[0m" : String(line)
        }
    }

    /// The lines of a text's code, if standard output is a terminal in which it fits; otherwise none.
    ///
    /// - Parameter rows: Further rows that have to be visible at the same time.
    package static func lines(for text: String, beside rows: Int, environment: [String: String] = ProcessInfo.processInfo.environment)
        -> [String]
    {
        guard isatty(STDOUT_FILENO) == 1, let style = StatusLines.Style.terminal(environment), style.isUnicode, let code = QRCode(text)
        else { return [] }
        let window = TerminalSize.of(STDOUT_FILENO)
        guard code.size.columns < window.columns, code.size.rows + rows <= window.rows else { return [] }
        return code.lines(hasColor: style.hasColor)
    }
}
