import Playback

/// The steps of the program's life, in the order in which they come.
enum LifecycleStep: String {
    case willRestore, didRestore
    case willBecomeActive, didBecomeActive
    case willResignActive, didResignActive
    case willSave, didSave
    case willTerminate
}

extension Control {
    func tell(_ step: LifecycleStep) { lastStep = step }

    /// A sentence for the user, shown by every surface.
    func tell(notice text: String) {
        notice = text
        logger.notice("\(text)")
        for surface in surfaces { surface.changed(snapshot()) }
    }
}
