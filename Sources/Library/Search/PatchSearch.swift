import Patches
import Playback

/// Finds patches by words, for lists in which they are chosen.
package struct PatchSearch: Sendable {
    private let library: Library

    /// Maximum number of patches whose files are read for one search; of others only the name is searched.
    private static let readLimit = 1000

    package init(_ library: Library) { self.library = library }

    /// The patches that can be found by name and have all these words in their name or title, regardless of case; all of them if there are no
    /// words.
    package func patches(with words: String) -> FoundPatches {
        let words = words.lowercased().split(separator: " ")
        var found: [FoundPatches.Patch] = []
        var (count, readCount) = (0, 0)
        for entry in library.list(.patches) where !entry.isHidden {
            var listed: FoundPatches.Patch?
            if readCount < Self.readLimit {
                readCount += 1
                listed = self.listed(entry)
            }
            let text = "\(entry.name) \(listed?.title ?? "")".lowercased()
            guard words.allSatisfy({ text.contains($0) }) else { continue }
            count += 1
            guard found.count < FoundPatches.limit else { continue }
            found.append(listed ?? .init(name: entry.name, title: entry.name, duration: nil, origin: entry.origin.rawValue))
        }
        return FoundPatches(found, count: count)
    }

    /// Reads the patches that can be found by name and be played, as many as a search reads.
    package func forEach(_ body: (_ name: String, Patch) -> Void) {
        for entry in library.list(.patches).filter({ !$0.isHidden }).prefix(Self.readLimit) {
            if let patch = try? library.loadPatch(entry).patch { body(entry.name, patch) }
        }
    }

    private func listed(_ entry: Library.Entry) -> FoundPatches.Patch {
        guard let patch = try? library.loadPatch(entry).patch else {
            return .init(name: entry.name, title: "\(entry.name) (cannot be played)", duration: nil, origin: entry.origin.rawValue)
        }
        return .init(name: entry.name, title: patch.details.title, duration: patch.duration, origin: entry.origin.rawValue)
    }
}
