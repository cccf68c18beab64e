import Playback

/// Decides whether there is memory for a plan, and keeps what has to wait for some: an allocation that fails ends the program.
///
/// Commands are refused before they get here, so this is for what happens by itself: the next item, JACK's return, a patch that is read again.
package final class MemoryShortage {
    package enum Notice: Sendable {
        /// A change or a start waits until there is enough memory.
        case waiting
        /// The player was paused instead of a start.
        case paused
    }

    private let hasMemory: () -> Bool
    /// Whether there was too little the last time.
    private var isShort = false
    private var notices: [Notice] = []
    /// Whether the sounding item is still an earlier version of the player's, whose layers may be others, until a crossfade in place has been made.
    private(set) var owesCrossfade = false
    /// The position in frames of a start that could not be made, until the player has been paused there.
    private var pausing: Int64?

    init(_ hasMemory: @escaping () -> Bool) { self.hasMemory = hasMemory }

    /// Whether a plan or an engine can be made now. To be asked before anything that no command has asked for; a shortage is reported once.
    package func hasRoom() -> Bool {
        let isShort = !hasMemory()
        if isShort, !self.isShort { notices.append(.waiting) }
        self.isShort = isShort
        return !isShort
    }

    /// The notices since the last call.
    package func takeNotices() -> [Notice] {
        defer { notices = [] }
        return notices
    }

    // MARK: Changes of the sounding item

    /// Makes a crossfade in place wait until there is memory for it.
    func oweCrossfade() { owesCrossfade = true }

    /// Whether there is memory by now for a crossfade in place that waits; it no longer waits then.
    func takeCrossfade() -> Bool {
        guard owesCrossfade, hasRoom() else { return false }
        owesCrossfade = false
        return true
    }

    /// Another item sounds, or nothing: no crossfade in place waits any more.
    func forget() { (owesCrossfade, pausing) = (false, nil) }

    // MARK: Starts

    /// Whether the player has yet to be paused.
    var isPausing: Bool { pausing != nil }

    /// Records a start, at a position in frames, that cannot be made: the player is to be paused there.
    func refuse(startAt position: Int64) {
        forget()
        pausing = position
    }

    /// Pauses the player at a start that could not be made.
    func pause(_ player: inout Player, at moment: Moment) {
        guard let position = pausing else { return }
        pausing = nil
        player.pause(at: moment)
        player.landed(position: position, at: moment)
        notices = [.paused]
    }
}
