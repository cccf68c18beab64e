import POSIX
import Foundation
import Playback

/// The one-button remote, whose clock runs on while the render clock stands still.
@MainActor final class OneButtonControl {
    private var interpreter = ButtonInterpreter()

    /// Whether a press is not yet interpreted, or the button is down.
    var isBusy: Bool { !interpreter.isIdle }

    func press(_ isDown: Bool, from sender: String?, _ control: Control, _ answer: @escaping @MainActor (CommandResult) -> Void) {
        // The interpreter is stored back before its commands are performed, since one of them may press the button.
        var interpreter = interpreter
        interpreter.take(
            isDown: isDown, from: sender, at: control.time.seconds, control.preferencesKeeper.preferences.values,
            answer: answer
        ) { command, sender, answer in control.perform(command, from: sender) { answer($0) } }
        self.interpreter = interpreter
    }

    func tick(_ control: Control) {
        var interpreter = interpreter
        interpreter.advance(to: control.time.seconds) { command, sender, answer in control.perform(command, from: sender) { answer($0) } }
        self.interpreter = interpreter
    }
}
