import OperatingSystem
import Foundation
import Playback

/// The one-button remote, whose clock runs on while the render clock stands still.
@MainActor final class OneButtonControl {
    private let preferences: Preferences
    private let host: PlayerHost
    private var interpreter = ButtonInterpreter()

    init(_ preferences: Preferences, _ host: PlayerHost) { (self.preferences, self.host) = (preferences, host) }

    /// Whether a press is not yet interpreted, or the button is down.
    var isBusy: Bool { !interpreter.isIdle }

    func press(_ isDown: Bool, from sender: String?, _ answer: @escaping @MainActor (CommandResult) -> Void) {
        // The interpreter is stored back before its commands are performed, since one of them may press the button.
        var interpreter = interpreter
        interpreter.take(
            isDown: isDown, from: sender, at: host.time.seconds, preferences.values,
            answer: answer
        ) { [host] command, sender, answer in host.perform(command, from: sender) { answer($0) } }
        self.interpreter = interpreter
    }

    func tick() {
        var interpreter = interpreter
        interpreter.advance(to: host.time.seconds) { [host] command, sender, answer in host.perform(command, from: sender) { answer($0) } }
        self.interpreter = interpreter
    }
}
