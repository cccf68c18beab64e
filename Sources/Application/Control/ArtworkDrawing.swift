import Dispatch
import POSIX
import Patches
import Pictures
import Playback

/// Draws pictures of patches without artwork: of the current item, and in advance of the one that follows it.
///
/// Belongs to the control actor; drawing runs on a queue of its own, with background priority.
final class ArtworkDrawing {
    private let cache: ArtworkCache
    private let queue = DispatchQueue(label: "binaural.artwork", qos: .background)
    /// Items whose picture was requested, drawn or not, with the tuning that their notes had: one that cannot be drawn is not tried again.
    private var asked: [Int: Double] = [:]
    private var isDrawing = false
    /// The session's frequency of A4 in Hz, and since when, in seconds on the monotonic clock.
    private var tuning = (a4: 0.0, since: -Double.infinity)

    /// The time in seconds for which a tuning has to stay the same before pictures are drawn again: a fader passes through many.
    private static let settlingTime = 0.5

    init(_ cache: ArtworkCache) { self.cache = cache }

    func follow(_ state: PlayerState, _ control: isolated Control) {
        let now = MonotonicClock.seconds
        if state.a4 != tuning.a4 { tuning = (state.a4, now) }
        // A page takes megabytes: one is drawn at a time, and only the ones that are still wanted then.
        guard !isDrawing else { return }
        if asked.count > state.items.count + 2 {
            let ids = Set(state.items.map(\.id))
            asked = asked.filter { ids.contains($0.key) }
        }
        let isSettled = now - tuning.since >= Self.settlingTime
        for case let item? in [state.current, state.followingIndex.map { state.items[$0] }] {
            guard let patch = item.patch, patch.details.artwork.isEmpty, asked[item.id] != patch.a4, isSettled || asked[item.id] == nil
            else { continue }
            asked[item.id] = patch.a4
            return draw(item.id, patch, control)
        }
    }

    /// Draws an item's picture again, since its patch has changed.
    func forget(item id: Int) { asked[id] = nil }

    private func draw(_ id: Int, _ patch: Patch, _ control: isolated Control) {
        isDrawing = true
        let cache = cache
        queue.async { [weak control] in
            let result = Result { () throws(PictureError) in try cache.file(for: patch) }
            // A page takes megabytes, and the next one may not be needed for a long time.
            FreedMemory.giveBack()
            guard let control else { return }
            control.executor.queue.async {
                control.assumeIsolated { control in
                    control.itemFiles.artworkDrawing.isDrawing = false
                    switch result {
                    case .success(let file):
                        control.player.illustrate(item: id, with: file)
                        control.settle()
                    case .failure(let error):
                        control.logger.warning("Cannot draw the picture for now playing. \(error) Check $XDG_CACHE_HOME and ~/.cache.")
                    }
                }
            }
        }
    }
}
