import Foundation

/// A message of a client on a WebSocket beside OSC: the token that pairs it or its key, or a proof of one of them, and later the wish to listen.
struct EntryRequest: Decodable, Sendable {
    var token: String?
    var key: String?
    /// Whether it wants a challenge, for which it can prove what it does not send.
    var challenge: Bool?
    /// The proof of a token or key, see ``Credential/proof(of:for:)``.
    var tokenProof: String?
    var keyProof: String?
    /// The client's name in the list of paired clients.
    var name: String?
    /// Whether it wants a ticket, with which its audio player may listen.
    var listen: Bool?

    var wantsTicket: Bool { listen == true }
    var wantsChallenge: Bool { challenge == true }
    var isToPair: Bool { token != nil || tokenProof != nil }

    init?(_ text: String) {
        guard let request = try? JSONDecoder().decode(EntryRequest.self, from: Data(text.utf8)) else { return nil }
        self = request
    }
}

/// The answer: OSC follows in binary frames, or the WebSocket is closed.
struct EntryAnswer: Encodable, Sendable {
    /// A random text for the client's proof.
    var challenge: String?
    /// The key for later connections, after pairing with a token that was sent.
    var key: String?
    var role: String?
    /// The program's version, so that a page from another one reloads itself.
    var version: String?
    var error: String?
    /// A text that admits to the course for as long as the WebSocket is open, for a client that has proven its token or key.
    var pass: String?
    /// A ticket for listening.
    var ticket: String?

    var text: String { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}" }
}
