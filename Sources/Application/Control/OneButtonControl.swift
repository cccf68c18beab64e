import POSIX
import Foundation
import Playback

/// The one-button remote, whose clock runs on while the render clock stands still. Belongs to the control actor.
final class OneButtonControl {
    private var interpreter = ButtonInterpreter()

    /// Whether a press is not yet interpreted, or the button is down.
    var isBusy: Bool { !interpreter.isIdle }

    func press(_ isDown: Bool, from sender: String?, _ control: isolated Control, _ answer: @escaping (CommandResult) -> Void) {
        // The interpreter is stored back before its commands are performed, since one of them may press the button.
        var interpreter = interpreter
        interpreter.take(
            isDown: isDown, from: sender, at: control.time.seconds, control.preferencesKeeper.preferences.values,
            answer: answer
        ) { control.perform($0, from: $1, answer: $2) }
        self.interpreter = interpreter
    }

    func tick(_ control: isolated Control) {
        var interpreter = interpreter
        interpreter.advance(to: control.time.seconds) { control.perform($0, from: $1, answer: $2) }
        self.interpreter = interpreter
    }
}
