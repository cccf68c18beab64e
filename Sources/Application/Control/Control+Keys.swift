import Playback
import Terminal

extension Control {
    /// Carries out a key of the terminal; a failure is shown as a notice.
    func press(_ key: Key) {
        attend()
        switch frontEnds.terminal?.act(on: key, snapshot(), center) {
        case .perform(let command): perform(command)
        case .leave: quit()
        case .done, nil: break
        }
    }
}
