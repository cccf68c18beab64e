/// Interprets presses of the one button and gives the resulting commands in the sender's name. Every press and release is answered once its
/// meaning is known: with the result of the command, or with success if further presses followed.
package struct ButtonInterpreter {
    package typealias Answer = (CommandResult) -> Void
    /// Performs a command, which is answered immediately.
    package typealias Perform = (Command, _ sender: String?, _ answer: @escaping Answer) -> Void

    private var detector = MultiPressDetector()
    private var sender: String?
    private var unanswered: [Answer] = []

    package init() {}

    /// Whether no press is waiting to be interpreted.
    package var isIdle: Bool { detector.isIdle }

    /// Handles a press or release, at a time in seconds of a steady clock.
    package mutating func take(
        isDown: Bool, from sender: String?, at time: Double, _ preferences: PreferenceValues, answer: @escaping Answer, perform: Perform
    ) {
        detector.pressWindow = preferences.buttonWindow
        detector.holdTime = preferences.buttonHold
        let holder = self.sender
        if isDown { self.sender = sender }
        let commands = isDown ? detector.press(at: time) : detector.release(at: time)
        let earlier = unanswered
        unanswered = detector.isIdle ? [] : [answer]
        Self.give(commands, as: holder ?? sender, detector.isIdle ? earlier + [answer] : earlier, perform)
    }

    /// Advances the time: a press may have become a hold, or have been the last one.
    package mutating func advance(to time: Double, perform: Perform) {
        let commands = detector.advance(to: time)
        // A button that is down or may be pressed again is not decided yet.
        guard !commands.isEmpty || detector.isIdle else { return }
        let answers = unanswered
        unanswered = []
        Self.give(commands, as: sender, answers, perform)
    }

    private static func give(_ commands: [Command], as sender: String?, _ answers: [Answer], _ perform: Perform) {
        var outcome = CommandResult(.success, by: "application")
        for command in commands {
            perform(command, sender) { if outcome.status == .success { outcome = $0 } }
        }
        for answer in answers { answer(outcome) }
    }
}
