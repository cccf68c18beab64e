/// Tickets with which a paired page lets its audio player listen, since that cannot send a key. Times are seconds on the monotonic clock.
///
/// A ticket belongs to the first address that shows it. Some players ask twice before they play, so it is valid until it expires, but only
/// the listener that came last hears something.
struct ListeningTickets {
    /// Seconds for which a ticket is valid.
    static let time = 30.0
    private static let maximumCount = 64

    struct Ticket {
        let text: String
        /// The hash of the paired client's key; `nil` for one on this machine.
        let pairing: String?
        fileprivate let expires: Double
        fileprivate var address: String?
    }

    private var tickets: [Ticket] = []

    /// A new ticket: 128 random bits. The oldest one is dropped if there are too many.
    mutating func issue(for pairing: String?, at now: Double) -> String {
        tickets.removeAll { $0.expires <= now }
        let text = Credential.token()
        tickets.append(Ticket(text: text, pairing: pairing, expires: now + Self.time))
        tickets.removeFirst(max(0, tickets.count - Self.maximumCount))
        return text
    }

    /// Drops the tickets of paired clients whose keys are not among the hashes.
    mutating func dropRevoked(known: Set<String>) { tickets.removeAll { $0.pairing.map { !known.contains($0) } ?? false } }

    /// The ticket of that text; `nil` if it is unknown, has expired or belongs to another address.
    mutating func ticket(_ text: String, from address: String, at now: Double) -> Ticket? {
        guard let index = tickets.firstIndex(where: { $0.text == text && $0.expires > now }) else { return nil }
        if tickets[index].address == nil { tickets[index].address = address }
        return tickets[index].address == address ? tickets[index] : nil
    }
}
