import Pictures
import Playback

/// Work on files for the patches of the queue: reading them, also again, searching the library, saving what plays, and drawing
/// pictures.
@MainActor struct ItemFiles {
    let watch: PatchWatch
    let saver = PatchSaver()
    let requests = FileRequests()
    let search = LibrarySearch()
    let recent = RecentPatches()
    let artworkDrawing: ArtworkDrawing

    init(watching: WatchedPatches, artwork: ArtworkCache, drawing: @escaping ArtworkDrawing.Drawing) {
        watch = PatchWatch(watching)
        artworkDrawing = ArtworkDrawing(artwork, drawing)
    }

    func tick(_ state: PlayerState, _ control: Control) {
        watch.tick(control)
        artworkDrawing.follow(state, control)
    }
}
