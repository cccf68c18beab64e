import Dispatch
import Pictures
import Playback

/// Draws pictures of patches without artwork: of the current item, and in advance of the one that follows it.
///
/// Belongs to the control actor; drawing runs on a queue of its own, with background priority.
final class ArtworkDrawing {
    private let cache: ArtworkCache
    private let queue = DispatchQueue(label: "binaural.artwork", qos: .background)
    /// Items that were requested, drawn or not, with the tuning that their notes had: one that cannot be drawn is not tried again.
    private var asked: [Int: Double] = [:]

    init(_ cache: ArtworkCache) { self.cache = cache }

    func follow(_ state: PlayerState, _ control: isolated Control) {
        ask(for: state.current, control)
        ask(for: state.followingIndex.map { state.items[$0] }, control)
    }

    /// Draws an item's picture again, since its patch has changed.
    func forget(item id: Int) { asked[id] = nil }

    private func ask(for item: QueueItem?, _ control: isolated Control) {
        guard let item, let patch = item.patch, patch.details.artwork.isEmpty, asked.updateValue(patch.a4, forKey: item.id) != patch.a4
        else {
            return
        }
        let (cache, id) = (cache, item.id)
        queue.async { [weak control] in
            let result = Result { () throws(PictureError) in try cache.file(for: patch) }
            // A page takes megabytes, and the next one may not be needed for a long time.
            FreedMemory.giveBack()
            guard let control else { return }
            control.executor.queue.async {
                control.assumeIsolated { control in
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
