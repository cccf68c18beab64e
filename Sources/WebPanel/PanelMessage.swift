import Foundation

/// A message of a client on a WebSocket beside OSC: the token that pairs it or its key, and later the wish to listen.
struct EntryRequest: Decodable, Sendable {
    var token: String?
    var key: String?
    /// The client's name in the list of paired clients.
    var name: String?
    /// Whether it wants a ticket, with which its audio player may listen.
    var listen: Bool?

    var wantsTicket: Bool { listen == true }

    init?(_ text: String) {
        guard let request = try? JSONDecoder().decode(EntryRequest.self, from: Data(text.utf8)) else { return nil }
        self = request
    }

    /// A name without control characters, at most 64 characters long.
    var shownName: String {
        let name = String((name ?? "").unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.prefix(64).map(Character.init))
        return name.isEmpty ? "Browser" : name
    }
}

/// The answer: OSC follows in binary frames, or the WebSocket is closed.
struct EntryAnswer: Encodable, Sendable {
    /// The key for later connections, after pairing.
    var key: String?
    var role: String?
    /// The program's version, so that a page from another one reloads itself.
    var version: String?
    var error: String?
    /// A ticket for listening.
    var ticket: String?

    var text: String { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}" }
}
