import ArgumentParser
import Foundation
import Library
import Patches
import Terminal

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the patches and sessions that can be played by name: title, length, genre and comment.",
        discussion: """
            The search order is 'patches' and 'sessions' in the working folder, in $XDG_DATA_HOME/binaural (~/.local/share/binaural), in \
            'binaural' in each folder of $XDG_DATA_DIRS, and among the program's own files. If two have the same name, the first is \
            used; play the other one by its path.

            EXAMPLES:
              binaural list
              binaural list focus
              binaural list --long rain
            """
    )

    @Argument(help: "Only those that have all these words in their name, title, genre or comment, regardless of case.")
    var words: [String] = []

    @Flag(help: "Show where each comes from, and its file; also those whose name another one has taken.")
    var long = false

    func run() {
        let library = Library(places: .current)
        show("Patches", library.list(.patches).compactMap { row($0, patch($0, in: library)) })
        print()
        show("Sessions", library.list(.sessions).compactMap { row($0, session($0, in: library)) })
    }

    /// The parts of a patch or a session that are listed.
    private struct Contents {
        var title = ""
        var duration = ""
        var genre = ""
        var comment = ""
    }

    private func show(_ heading: String, _ rows: [[String]]) {
        print(heading)
        for line in Table(rows: rows).lines { print("  " + line) }
        if rows.isEmpty { print("  none") }
    }

    /// `nil` if it does not have all the words, or if another one is played by its name and only those that can be are wanted.
    private func row(_ entry: Library.Entry, _ contents: Contents) -> [String]? {
        guard long || !entry.isHidden else { return nil }
        let text = "\(entry.name) \(contents.title) \(contents.genre) \(contents.comment)".lowercased()
        guard words.allSatisfy({ text.contains($0.lowercased()) }) else { return nil }
        let origin = entry.origin.rawValue + (entry.isHidden ? ", hidden by the one above" : "")
        let row = [entry.name, contents.title, contents.duration, contents.genre] + (long ? [origin, entry.path] : [contents.comment])
        return row.map(\.printable)
    }

    private func patch(_ entry: Library.Entry, in library: Library) -> Contents {
        guard let patch = try? library.loadPatch(entry).patch else { return invalid(entry) }
        let details = patch.details
        return Contents(title: details.title, duration: duration(patch.duration), genre: details.genre, comment: details.comment)
    }

    /// A session's duration is the sum of its patches', which are its comment.
    private func session(_ entry: Library.Entry, in library: Library) -> Contents {
        guard let session = try? library.loadTemplate(entry) else { return invalid(entry) }
        var total = 0.0
        for item in session.items {
            guard let patch = try? library.loadPatch(item.patch).patch else { continue }
            total += patch.duration ?? .infinity
        }
        let names = session.items.map { (($0.patch as NSString).lastPathComponent as NSString).deletingPathExtension }
        return Contents(
            title: session.title, duration: duration(total.isFinite ? total : nil), comment: names.joined(separator: ", "))
    }

    private func invalid(_ entry: Library.Entry) -> Contents { Contents(title: "(invalid: binaural check \(entry.path))") }

    private func duration(_ seconds: Double?) -> String { seconds.map { ClockTime.text($0) } ?? "endless" }
}
