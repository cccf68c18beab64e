/// Where surfaces send commands and read what there is to show. The program's control actor is the only real one.
package protocol CommandReceiver: AnyObject {
    /// Performs a command now and answers once: at once, or after the file work that it asked for is done.
    ///
    /// - Parameter sender: whoever gives it; what one sender does in quick succession to one parameter is one step of undo.
    func perform(_ command: Command, from sender: String, answer: @escaping (CommandResult) -> Void)

    /// Runs `body` at once; all that it performs takes effect at one frame, and what is performed afterwards not before it.
    ///
    /// - Parameter moment: When; `nil` is as soon as possible.
    /// - Returns: False where the moment could not be met any more, and it was as soon as possible.
    func simultaneously(at moment: Moment?, _ body: () -> Void) -> Bool

    /// Seconds by which ``simultaneously(at:_:)`` has to be called before its moment for that to be met. `nil` while no frames pass, or
    /// not at the pace of the wall clock: then there is nothing to be exact about.
    var lead: Double? { get }

    /// What there is to show at this moment.
    func snapshot() -> Snapshot

    /// Calls back once every command performed so far is in the sound (or applied, while nothing sounds or JACK is away).
    func whenSounding(_ done: @escaping () -> Void)
}

extension CommandReceiver {
    /// As soon as possible.
    package func simultaneously(_ body: () -> Void) { _ = simultaneously(at: nil, body) }
}
