import Pictures
import Playback

/// Work on files for the patches of the queue: reading them, also again, saving what plays, and drawing pictures. Belongs to the control
/// actor.
struct ItemFiles {
    let watch: PatchWatch
    let saver = PatchSaver()
    let requests = FileRequests()
    let illustrator: Illustrator

    init(watching: WatchedPatches, artwork: ArtworkCache) {
        watch = PatchWatch(watching)
        illustrator = Illustrator(artwork)
    }

    func tick(_ state: PlayerState, _ control: isolated Control) {
        watch.tick(control)
        illustrator.follow(state, control)
    }
}
