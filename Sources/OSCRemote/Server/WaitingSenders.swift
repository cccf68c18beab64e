import OSC

/// Senders that have asked for another session: their next packets wait until it is open, since these are meant for it. Other senders are served
/// meanwhile.
final class WaitingSenders {
    private var waiting: [PeerAddress: (count: Int, end: Double)] = [:]

    /// The longest time in seconds that a sender's packets wait, so that a disk that hangs does not keep a panic waiting.
    static let longestWait = 1.0

    func begin(_ sender: PeerAddress, at seconds: Double) {
        waiting[sender] = ((waiting[sender]?.count ?? 0) + 1, seconds + Self.longestWait)
    }

    func end(_ sender: PeerAddress) {
        guard let entry = waiting[sender] else { return }
        waiting[sender] = entry.count > 1 ? (entry.count - 1, entry.end) : nil
    }

    func all(at seconds: Double) -> Set<PeerAddress> { Set(waiting.filter { seconds < $0.value.end }.keys) }

    func contains(_ sender: PeerAddress, at seconds: Double) -> Bool { waiting[sender].map { seconds < $0.end } ?? false }
}
