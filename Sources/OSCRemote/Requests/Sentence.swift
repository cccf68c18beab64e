/// Shortens a sentence for a peer to a limit, by default that of all outgoing texts, keeping the remedy at its end.
///
/// If it is too long, quoted names and paths are shortened; if that is not enough, the middle is cut.
package enum Sentence {
    /// Minimum number of bytes left of a name.
    private static let shortestName = 15
    private static let ellipsis = "…"

    package static func fitting(_ text: String) -> String { fitting(text, limit: Text.limit) }

    /// - Parameter limit: in bytes.
    static func fitting(_ text: String, limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var parts = parts(of: text)
        var excess = text.utf8.count - limit
        for index in parts.indices.filter({ parts[$0].isName }).sorted(by: { parts[$0].text.utf8.count > parts[$1].text.utf8.count }) {
            let before = parts[index].text.utf8.count
            parts[index].text = shortened(parts[index].text, to: max(shortestName, before - max(0, excess)))
            excess -= before - parts[index].text.utf8.count
        }
        return withoutMiddle(parts.map(\.text).joined(), limit)
    }

    private struct Part {
        var text: String
        let isName: Bool
    }

    /// Splits a text. A quote begins after a space and ends where no letter follows, so an apostrophe is not a quote. A path is a word that
    /// begins with a slash.
    private static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        var rest = text[...]
        var isAtWord = true
        var plain = ""
        while let character = rest.first {
            let name =
                switch character {
                case "'" where isAtWord: quoted(in: rest.dropFirst())
                case "/" where isAtWord: path(in: rest)
                default: Substring()
                }
            if name.isEmpty {
                plain.append(character)
                rest.removeFirst()
                isAtWord = character.isWhitespace
                continue
            }
            if character == "'" { plain.append("'") }
            parts += [Part(text: plain, isName: false), Part(text: String(name), isName: true)]
            plain = ""
            isAtWord = false
            rest = rest[name.endIndex...]
        }
        return parts + [Part(text: plain, isName: false)]
    }

    private static func quoted(in text: Substring) -> Substring {
        let end = text.indices.first { index in
            guard text[index] == "'" else { return false }
            let next = text.index(after: index)
            return next == text.endIndex || !(text[next].isLetter || text[next].isNumber)
        }
        return end.map { text[..<$0] } ?? Substring()
    }

    private static func path(in text: Substring) -> Substring {
        let word = text.prefix { !$0.isWhitespace && $0 != ":" && $0 != "," }
        return word.last == "." ? word.dropLast() : word
    }

    /// Shortens a path to its end, which identifies the file, and a name to its beginning.
    private static func shortened(_ name: String, to limit: Int) -> String {
        guard name.utf8.count > limit else { return name }
        guard name.hasPrefix("/") else { return Text.cut(name, to: limit - ellipsis.utf8.count) + ellipsis }
        let last = name.split(separator: "/").last.map(String.init) ?? name
        return ellipsis + (last.utf8.count + 4 <= limit ? "/" + last : Text.cut(last, to: limit - ellipsis.utf8.count))
    }

    private static func withoutMiddle(_ text: String, _ limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        let remedy = text.ranges(of: ". ").last.map { String(text[$0.upperBound...]) } ?? ""
        let room = limit - remedy.utf8.count - ellipsis.utf8.count - 1
        guard !remedy.isEmpty, room >= limit / 3 else { return Text.cut(text, to: limit - ellipsis.utf8.count) + ellipsis }
        return Text.cut(text, to: room) + ellipsis + " " + remedy
    }
}
