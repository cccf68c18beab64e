import Dispatch
import Library
import Playback

/// Searches the library for peers, one search after the other, on a queue of its own: every patch is read for its title.
@MainActor final class LibrarySearch {
    private let disk = DispatchQueue(label: "binaural.library-search", qos: .utility)
    private var waitingCount = 0

    /// The maximum number of waiting searches.
    private static let limit = 8

    /// Finds the patches with all these words in their name or title.
    ///
    /// - Parameter answer: Gets `nil` at once if too many searches are waiting, or too little memory is left.
    func find(_ words: String, _ control: Control, answer: @escaping @MainActor (FoundPatches?) -> Void) {
        guard waitingCount < Self.limit, SystemLimits.haveMemory() else { return answer(nil) }
        waitingCount += 1
        let search = PatchSearch(control.keeper.library)
        disk.async { [weak control] in
            let found = search.patches(with: words)
            FreedMemory.giveBack()
            guard let control else { return }
            control.enter {
                $0.itemFiles.search.waitingCount -= 1
                answer(found)
            }
        }
    }
}
