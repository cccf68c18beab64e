import ArgumentParser
import Foundation
import Library
import Patches
import Terminal

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the patches and sessions that can be played by name, with their locations.",
        discussion: """
            The search order is 'patches' and 'sessions' in the working folder, in $XDG_DATA_HOME/binaural (~/.local/share/binaural), in \
            'binaural' in each folder of $XDG_DATA_DIRS, and among the program's own files. If two have the same name, the first is \
            used; play the other one by its path.

            EXAMPLES:
              binaural list
            """
    )

    func run() {
        let library = Library(places: .current)
        var rows: [[String]] = []
        for entry in library.list(.patches) { rows.append(row(entry, patch(entry, in: library))) }
        let patchCount = rows.count
        for entry in library.list(.sessions) { rows.append(row(entry, session(entry, in: library))) }
        let columns = Table(rows: rows).lines
        show("Patches", columns[..<patchCount])
        print()
        show("Sessions", columns[patchCount...])
    }

    private func show(_ heading: String, _ lines: ArraySlice<String>) {
        print(heading)
        for line in lines { print("  " + line) }
        if lines.isEmpty { print("  none") }
    }

    private func row(_ entry: Library.Entry, _ contents: (title: String, duration: String)) -> [String] {
        let origin = entry.origin.rawValue + (entry.isHidden ? ", hidden by the one above" : "")
        return [entry.name, DisplayWidth.harmless(contents.title), contents.duration, origin, entry.path]
    }

    private func patch(_ entry: Library.Entry, in library: Library) -> (title: String, duration: String) {
        guard let patch = try? library.loadPatch(entry).patch else { return ("(invalid: binaural check \(entry.path))", "") }
        return (patch.details.title, duration(patch.duration))
    }

    /// A session's title and duration, which is the sum of its patches' durations.
    private func session(_ entry: Library.Entry, in library: Library) -> (title: String, duration: String) {
        guard let session = try? library.loadTemplate(entry) else { return ("(invalid: binaural check \(entry.path))", "") }
        var total = 0.0
        for item in session.items {
            guard let patch = try? library.loadPatch(item.patch).patch else { continue }
            total += patch.duration ?? .infinity
        }
        return (session.title, duration(total.isFinite ? total : nil))
    }

    private func duration(_ seconds: Double?) -> String { seconds.map { ClockTime.text($0) } ?? "endless" }
}
