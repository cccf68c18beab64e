import Playback

/// The control actor as the remote server sees it. Only used on the actor's own queue.
final class ControlReceiver: CommandReceiver {
    private unowned let control: Control

    init(_ control: Control) { self.control = control }

    func perform(_ command: Command, from sender: String, answer: @escaping (CommandResult) -> Void) {
        let answer = OnQueue(answer)
        control.assumeIsolated { $0.perform(command, from: sender, answer: answer.value) }
    }

    func simultaneously(_ body: () -> Void) {
        withoutActuallyEscaping(body) { body in
            let body = OnQueue(body)
            control.assumeIsolated { $0.performance.simultaneously(body.value) }
        }
    }

    func snapshot() -> Snapshot { control.assumeIsolated { $0.snapshot() } }

    func whenSounding(_ done: @escaping () -> Void) {
        let done = OnQueue(done)
        control.assumeIsolated { $0.whenSounding(done.value) }
    }
}
