import Dispatch
import Library
import Playback

/// Searches the library for peers, one search after the other, on a queue of its own: every patch is read for its title.
@MainActor final class LibrarySearch {
    private let disk = DispatchQueue(label: "binaural.library-search", qos: .utility)
    private let library: Library
    private let host: PlayerHost
    private var waitingCount = 0

    /// The maximum number of waiting searches.
    private static let limit = 8

    init(_ library: Library, _ host: PlayerHost) { (self.library, self.host) = (library, host) }

    /// Finds the patches with all these words in their name or title.
    ///
    /// - Parameter answer: Gets `nil` at once if too many searches are waiting, or too little memory is left.
    func find(_ words: String, answer: @escaping @MainActor (FoundPatches?) -> Void) {
        guard waitingCount < Self.limit, SystemLimits.haveMemory() else { return answer(nil) }
        waitingCount += 1
        let search = PatchSearch(library)
        disk.async { [weak self] in
            let found = search.patches(with: words)
            FreedMemory.giveBack()
            guard let self else { return }
            host.enter {
                self.waitingCount -= 1
                answer(found)
            }
        }
    }
}
