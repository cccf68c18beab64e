/// Measures texts in terminal columns, and cuts them to a number of columns.
///
/// After Unicode's East Asian Width (UAX #11): wide and fullwidth characters and emoji take two columns, combining and invisible ones none,
/// all others one. Terminals differ for rare characters, which may put a line off by a column.
package enum DisplayWidth {
    package static func columns(of text: String) -> Int {
        text.reduce(0) { $0 + columns(of: $1) }
    }

    package static func columns(of character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        // The emoji variation selector makes a character wide.
        let isPicture = character.unicodeScalars.contains { $0.value == 0xFE0F }
        return isPicture || first.properties.isEmojiPresentation || wide.contains { $0.contains(first.value) } ? 2 : 1
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F200...0x1F2FF,
        0x20000...0x3FFFD,
    ]

    /// The text, or as much of its beginning as fits with `ellipsis` after it; never wider than `columns`.
    package static func fitted(_ text: String, columns limit: Int, ellipsis: String) -> String {
        guard columns(of: text) > limit else { return text }
        let mark = columns(of: ellipsis) <= limit ? ellipsis : ""
        var room = limit - columns(of: mark)
        var kept = ""
        for character in text {
            room -= columns(of: character)
            guard room >= 0 else { break }
            kept.append(character)
        }
        // Not "Deep · …": separators before the ellipsis are removed.
        while let last = kept.last, " ·|,".contains(last) { kept.removeLast() }
        return kept + mark
    }
}
