import PatchFiles
import Patches

/// A session's playing position, in a small file beside it: `NAME.position`.
package struct SavedPosition: Equatable, Sendable {
    /// Index into the session's items.
    package var item: Int
    /// Seconds from the start of the item's patch.
    package var elapsed: Double

    package init(item: Int, elapsed: Double) {
        self.item = item
        self.elapsed = elapsed
    }

    static func path(besides file: String) -> String {
        Paths.withoutExtension(file) + ".position"
    }

    /// The file's text; items count from 1, for readers.
    var text: String {
        "{item: \(item + 1), elapsed: \(NumberText.string(from: elapsed.isFinite ? max(0, elapsed) : 0))}\n"
    }

    /// The saved position; `nil` if it is missing or invalid. Playing then starts at the beginning of the item.
    static func load(besides file: String) -> SavedPosition? {
        guard let bytes = try? Files.read(path(besides: file), limit: 4096), bytes.last == 0x0A,
            let source = try? YAMLSource(bytes: bytes, file: file), let tree = source.tree(expected: ""),
            let fields = Fields(tree, of: "the position", content: "`item` and `elapsed`", in: source),
            let item = fields.wholeNumber("item", in: 1...1_000_000),
            let elapsed = fields.number("elapsed", in: 0...DurationText.maximum * 1000)
        else { return nil }
        return SavedPosition(item: Int(item) - 1, elapsed: elapsed)
    }
}
