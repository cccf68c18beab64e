import Foundation
import PatchFiles
import Playback

extension Control {
    func tell(_ step: LifecycleStep) { lifecycle.tell(step) }

    /// Shows the user a sentence on every surface.
    func tell(notice text: String) { tell(Notice(text)) }

    /// Reports an error about a file, which only the terminal quotes.
    func tell(_ error: any QuotesFiles) { tell(Notice(error)) }

    private func tell(_ notice: Notice) {
        logger.notice("\(notice.text)")
        surfaces.show(notice, snapshot)
    }
}
