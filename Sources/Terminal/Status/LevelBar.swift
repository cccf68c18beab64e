import Patches

/// Bars drawn with characters.
enum LevelBar {
    /// A level in dB as a bar of `width` columns, from -60 to 0 dB.
    ///
    /// - Parameter layer: The index of the layer whose colour it has.
    static func text(_ decibels: Double, width: Int, layer: Int? = nil, style: StatusLines.Style) -> StatusLines.Line {
        let filled = Int((scale.norm(of: decibels) * Double(width)).rounded())
        let (done, left) = glyphs(style)
        let full = String(repeating: done, count: filled)
        let text =
            (layer.map { StatusLines.color(full, layer: LayerColor.onLight[$0 % LayerColor.onLight.count], style: style) }
                ?? StatusLines.color(full, .going, style: style))
            + StatusLines.color(String(repeating: left, count: width - filled), .dim, style: style)
        return StatusLines.Line(text: text, columns: width)
    }

    private static let scale = NormCurve.fader(-60...0)

    /// The characters for the filled and the empty part of a bar.
    static func glyphs(_ style: StatusLines.Style) -> (done: Character, left: Character) { style.isUnicode ? ("━", "─") : ("#", "-") }
}

/// The course of an item as a bar, with the starts of its chapters and the position.
struct ChapterBar {
    let text: String

    init(_ status: TerminalStatus, duration: Double, chapterStarts: [Double], width: Int, style: StatusLines.Style) {
        guard width > 0 else {
            text = ""
            return
        }
        func column(_ seconds: Double) -> Int {
            let part = seconds / duration
            // Also for values that are not numbers, which `watch` might receive.
            return part > 0 ? Int((min(part, 1) * Double(width - 1)).rounded(.down)) : 0
        }
        let (done, left) = LevelBar.glyphs(style)
        let position = column(status.elapsed)
        var characters = (0..<width).map { $0 < position ? done : left }
        for start in chapterStarts where start > 0 && start < duration {
            characters[column(start)] = style.isUnicode ? (column(start) < position ? "╋" : "┼") : "|"
        }
        let look = StatusLines.look(of: status.state)
        text =
            StatusLines.color(String(characters[..<position]), look, style: style)
            + StatusLines.color(style.isUnicode ? "●" : "O", look, style: style)
            + StatusLines.color(String(characters[(position + 1)...]), .dim, style: style)
    }
}
