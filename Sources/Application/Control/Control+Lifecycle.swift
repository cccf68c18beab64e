import Foundation
import PatchFiles
import Playback

extension Control {
    func notify(_ step: LifecycleStep) { lifecycle.notify(step) }

    /// Shows the user a sentence on every front end.
    func notify(notice text: String) { notify(Notice(text)) }

    /// Reports an error about a file, which only the terminal quotes.
    func notify(_ error: any QuotesFiles) { notify(Notice(error)) }

    private func notify(_ notice: Notice) {
        logger.notice("\(notice.text)")
        frontEnds.show(notice, snapshot)
    }
}
