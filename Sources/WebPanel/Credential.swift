/// A secret that admits a client: a token, which pairs a client once, or a key, which the client then keeps.
package enum Credential {
    /// 128 random bits as 32 hexadecimal digits.
    package static func token() -> String { random(words: 2) }

    /// 256 random bits as 64 hexadecimal digits.
    static func key() -> String { random(words: 4) }

    /// A text that shows, without sending it, that somebody knows a token or key.
    ///
    /// - Parameters:
    ///   - hash: That of the token or key.
    ///   - challenge: A random text, which is used once.
    static func proof(of hash: String, for challenge: String) -> String { SHA256.authentication(of: "proof \(challenge)", by: hash) }

    /// The key that both sides derive from a token when it is proven, so that the key is not sent either.
    static func key(from hash: String, for challenge: String) -> String { SHA256.authentication(of: "key \(challenge)", by: hash) }

    /// From the system's generator, which is cryptographically secure.
    private static func random(words: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<words).map { _ in
            let digits = String(generator.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
