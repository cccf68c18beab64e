import Library
import PatchFiles
import Playback

/// The items of a session whose patches are missing or invalid, as a notice when it is opened.
struct UnreadableItems: QuotesFiles {
    /// The reference of each patch, with what is wrong.
    private let faults: [(reference: String, error: LibraryError)]

    /// The number of the first item whose patch is gone, from 1.
    private let firstMissing: Int?

    /// At most this many are listed.
    private static let limit = 3

    /// `nil` if all items can be played.
    ///
    /// - Parameter folder: where relative paths start.
    init?(in items: [QueueItem], _ library: Library, relativeTo folder: String?) {
        var seen: Set<String> = []
        let missing = items.filter { $0.patch == nil && seen.insert($0.reference).inserted }
        // The files are read again, since the items keep only the words for peers.
        faults = missing.compactMap { item in
            do throws(LibraryError) {
                _ = try library.loadPatch(item.reference, relativeTo: folder)
                return nil
            } catch {
                return (item.reference, error)
            }
        }
        if faults.isEmpty { return nil }
        let gone = faults.first { $0.error.isAboutMissingPatch }?.reference
        firstMissing = items.firstIndex { $0.reference == gone }.map { $0 + 1 }
    }

    var description: String {
        sentence + "\n" + faults.prefix(Self.limit).map { "\($0.error)" }.joined(separator: "\n") + rest + remedy
    }

    private var remedy: String {
        guard let firstMissing else { return "" }
        return
            "\nIf the patch was renamed, 'binaural ctl queue/relink \(firstMissing) NAME' plays it under its new name, with the changes made to it."
    }

    /// The place comes first, since long notices are cut.
    var wordsForPeers: String {
        let first = faults.first.map { $0.error.wordsForPeers } ?? ""
        return faults.count > 1 ? "\(sentence) \(first)" : first
    }

    private var sentence: String {
        faults.count == 1
            ? "'\(faults[0].reference)' cannot be played; it stays in the queue."
            : "\(faults.count) patches of the queue cannot be played; they stay in it."
    }

    private var rest: String { faults.count > Self.limit ? "\n… and \(faults.count - Self.limit) more." : "" }

    /// Notifies the user of the items of the queue that cannot be played.
    @MainActor static func report(_ host: PlayerHost, _ keeper: SessionKeeper) {
        if let items = Self(in: host.player.state.items, keeper.library, relativeTo: keeper.folder) { host.notify(items) }
    }
}
