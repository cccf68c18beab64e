import Playback

/// Whatever shows the player's state: the terminal, the OSC subscribers. All are told the same snapshot.
protocol Surface: AnyObject {
    /// Something may have changed.
    func changed(_ snapshot: Snapshot)
    /// Some milliseconds have passed.
    func tick(_ snapshot: Snapshot)
    /// The program is about to leave.
    func close()
}
