import PatchFiles
import Patches
import OperatingSystem

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
        let text = "{item: \(item + 1), elapsed: \(NumberText.string(from: elapsed.isFinite ? max(0, elapsed) : 0))}\n"
        return text + FileEnding.lines(for: text.utf8)
    }

    /// The position saved beside a session. If it is `nil`, playback starts at the beginning of the item.
    ///
    /// `isInvalid`: there is a file, but it cannot be read, is damaged, or has changed since it was written.
    static func load(besides file: String) -> (saved: SavedPosition?, isInvalid: Bool) {
        do throws(FileError) {
            let position = SavedPosition(bytes: try Files.read(path(besides: file), limit: 4096))
            return (position, position == nil)
        } catch {
            return (nil, !error.isMissing)
        }
    }

    private init?(bytes: [UInt8]) {
        guard bytes.last == 0x0A, !FileEnding.isOfAnotherText(in: bytes),
            let source = try? YAMLSource(bytes: bytes, file: ""), let tree = source.tree(expected: ""),
            let fields = Fields(tree, of: "the position", content: "`item` and `elapsed`", in: source),
            let item = fields.wholeNumber("item", in: 1...1_000_000),
            let elapsed = fields.number("elapsed", in: 0...DurationText.maximum * 1000)
        else { return nil }
        self.init(item: Int(item) - 1, elapsed: elapsed)
    }
}
