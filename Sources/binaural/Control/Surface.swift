import Playback

/// Whatever shows the player's state: the terminal, the OSC subscribers. All are told the same snapshot.
protocol Surface: AnyObject {
    /// Something may have changed.
    func changed(_ snapshot: Snapshot)
    /// A sentence for the user; a change follows.
    func notice(_ text: String)
    /// Some milliseconds have passed.
    func tick(_ snapshot: Snapshot)
    /// The program is about to leave.
    func close()
}
