/// The receiver of the commands of the front ends, and the source of what they show. In the program this is control.
package protocol CommandReceiver: AnyObject {
    /// Performs a command and answers it once: immediately, or after the file work that it requires.
    ///
    /// - Parameter sender: who gives the command; changes of one parameter by one sender in quick succession are one step of undo.
    func perform(_ command: Command, from sender: String, answer: @escaping (CommandResult) -> Void)

    /// Runs `body` immediately; everything performed in it takes effect on one frame, and later commands not before it.
    ///
    /// - Parameter moment: When it takes effect; `nil` is as soon as possible.
    /// - Returns: False if the moment could not be met, so that it takes effect as soon as possible.
    func simultaneously(at moment: Moment?, _ body: () -> Void) -> Bool

    /// Seconds by which ``simultaneously(at:_:)`` has to be called in advance to meet its moment. `nil` while no frames are rendered, or
    /// not at the pace of the wall clock; then no moment can be met exactly.
    var lead: Double? { get }

    /// The present state, for display.
    func snapshot() -> Snapshot

    /// Calls back once every command performed so far is audible (or applied, if nothing plays or JACK is away).
    func whenSounding(_ done: @escaping () -> Void)

    /// Finds the library's patches with all these words in their name or title; all patches if there are no words.
    ///
    /// - Parameter answer: Called later, since files have to be read; gets `nil` if too many searches are waiting.
    func findPatches(_ words: String, answer: @escaping (FoundPatches?) -> Void)
}

extension CommandReceiver {
    /// Performs the commands of `body` on one frame, as soon as possible.
    package func simultaneously(_ body: () -> Void) { _ = simultaneously(at: nil, body) }
}
