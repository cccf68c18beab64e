import Dispatch
import Pictures
import Playback

/// Has pictures drawn of the patches that have none of their own: of the current item, and ahead of time of the one that follows it.
///
/// Belongs to the control actor; what draws runs on a queue of its own, after everything else that wants a processor.
final class Illustrator {
    private let cache: ArtworkCache
    private let queue = DispatchQueue(label: "binaural.artwork", qos: .background)
    /// Items that were asked for, drawn or not: one that cannot be drawn is not tried again.
    private var asked: Set<Int> = []

    init(_ cache: ArtworkCache) { self.cache = cache }

    func follow(_ state: PlayerState, _ control: isolated Control) {
        ask(for: state.current, control)
        ask(for: state.followingIndex.map { state.items[$0] }, control)
    }

    private func ask(for item: QueueItem?, _ control: isolated Control) {
        guard let item, let patch = item.patch, patch.details.artwork.isEmpty, asked.insert(item.id).inserted else { return }
        let (cache, id) = (cache, item.id)
        queue.async { [weak control] in
            let result = Result { () throws(PictureError) in try cache.file(for: patch) }
            // A page takes megabytes, and the next one is far away.
            FreedMemory.giveBack()
            guard let control else { return }
            control.executor.queue.async {
                control.assumeIsolated { control in
                    switch result {
                    case .success(let file):
                        control.player.illustrate(item: id, with: file)
                        control.settle()
                    case .failure(let error):
                        control.logger.warning("Now playing has no picture of the item. \(error) Check $XDG_CACHE_HOME and ~/.cache.")
                    }
                }
            }
        }
    }
}
