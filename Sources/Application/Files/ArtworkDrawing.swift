import Dispatch
import OperatingSystem
import Patches
import Pictures
import Playback

/// Draws pictures of patches without artwork: of the current item, and in advance of the one that follows it.
///
/// A queue of its own, with background priority, waits for the process that draws.
@MainActor final class ArtworkDrawing {
    private let cache: ArtworkCache
    private let picture: Drawing
    private let host: PlayerHost
    private let queue = DispatchQueue(label: "binaural.artwork", qos: .background)
    /// The revisions of items whose picture was requested, drawn or not: one that cannot be drawn is not tried again.
    private var asked: [Int: Int] = [:]
    private var isDrawing = false
    /// The session's frequency of A4 in Hz and the current item's revision, and since when, in seconds on the monotonic clock.
    private var seen = (a4: 0.0, revision: Int?.none, since: -Double.infinity)

    /// The time in seconds for which tuning and patch have to stay the same before pictures are drawn again: a fader passes through many.
    private static let settlingTime = 0.5

    /// Draws a patch into a new file.
    typealias Drawing = @Sendable (_ patch: Patch, _ path: String) throws(PictureError) -> Void

    init(_ cache: ArtworkCache, _ picture: @escaping Drawing, _ host: PlayerHost) {
        (self.cache, self.picture, self.host) = (cache, picture, host)
    }

    func follow(_ state: PlayerState) {
        let now = host.time.seconds
        let current = state.current?.revision
        if state.a4 != seen.a4 || current != seen.revision { seen = (state.a4, current, now) }
        // One is drawn at a time, and only the ones that are still wanted then.
        guard !isDrawing else { return }
        if asked.count > state.items.count + 2 {
            let ids = Set(state.items.map(\.id))
            asked = asked.filter { ids.contains($0.key) }
        }
        let isSettled = now - seen.since >= Self.settlingTime
        for case let item? in [state.current, state.followingIndex.map { state.items[$0] }] {
            guard let patch = item.patch, patch.details.artwork.isEmpty, asked[item.id] != item.revision,
                isSettled || asked[item.id] == nil, SystemLimits.haveMemory()
            else { continue }
            asked[item.id] = item.revision
            return draw(item, patch)
        }
    }

    /// Draws an item's picture again, since its patch has changed.
    func forget(item id: Int) { asked[id] = nil }

    private func draw(_ item: QueueItem, _ patch: Patch) {
        isDrawing = true
        let (id, revision) = (item.id, item.revision)
        let (cache, picture) = (cache, picture)
        queue.async { [weak self] in
            let result = Result { () throws(PictureError) in try cache.file(for: patch, draw: picture) }
            guard let self else { return }
            host.enter {
                self.isDrawing = false
                switch result {
                // A picture of an earlier revision is drawn again.
                case .success where self.asked[id] != revision: break
                case .success(let file):
                    self.host.player.illustrate(item: id, with: file)
                    self.host.settle()
                case .failure(let error):
                    self.host.logger.warning("Cannot draw the picture for now playing. \(error)\(ArtworkProcess.remedy(for: error))")
                }
            }
        }
    }
}
