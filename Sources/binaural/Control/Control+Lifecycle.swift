import Foundation
import Patches
import Playback

extension Control {
    func tell(_ step: LifecycleStep) { lifecycle.tell(step) }

    /// A sentence for the user, shown by every surface.
    func tell(notice text: String) { tell(Notice(text)) }

    /// The same about a file, which only the terminal quotes.
    func tell(_ error: any QuotesFiles) { tell(Notice(error)) }

    private func tell(_ notice: Notice) {
        self.notice = notice.forPeers
        logger.notice("\(notice.text)")
        for surface in surfaces {
            surface.notice(notice)
            surface.changed(snapshot())
        }
    }

    /// The sound is not touched: what is dropped can be made again, and what was freed goes back to the system.
    func memoryIsShort() {
        tell(.memoryPressure)
        FreedMemory.giveBack()
    }
}
