import Library
import Patches
import OperatingSystem

/// The patches that were added to the queue last. A controller may add one hundreds of times, and reading a large patch takes the control
/// thread 50 ms; a file that has changed is read again.
final class RecentPatches {
    private var known: [(path: String, state: FileIdentity, patch: Patch)] = []

    private static let limit = 8

    func patch(_ entry: Library.Entry, in library: Library) throws(LibraryError) -> Patch {
        let state = try? FileIdentity(entry.path)
        if let index = known.firstIndex(where: { $0.path == entry.path }) {
            let found = known.remove(at: index)
            if found.state == state {
                known.append(found)
                return found.patch
            }
        }
        let patch = try library.loadPatch(entry).patch
        if let state { known = known.suffix(Self.limit - 1) + [(entry.path, state, patch)] }
        return patch
    }
}
