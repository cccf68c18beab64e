import OSC

/// Cookies prove that a peer receives what is sent to the address that it sends from.
///
/// A cookie is a hash of address, port, time and a key, so nothing is stored, however many are requested. The key is random at every start, and
/// `Hasher` is SipHash: without the key its values look random.
struct Cookies {
    /// Seconds between changes of the hash; a cookie is valid in the span in which it was made and in the next.
    static let span = 60.0

    private let key: (UInt64, UInt64)

    init(key: (UInt64, UInt64) = (.random(in: 0...UInt64.max), .random(in: 0...UInt64.max))) { self.key = key }

    /// A cookie of 16 characters, and the number of whole seconds for which it is valid: 60 to 120.
    func make(for endpoint: PeerAddress, at seconds: Double) -> (text: String, seconds: Int32) {
        let span = Self.span(at: seconds)
        let digits = String(value(endpoint, span), radix: 16)
        return (String(repeating: "0", count: 16 - digits.count) + digits, Int32(Double(span + 2) * Self.span - seconds))
    }

    func isGood(_ text: String, for endpoint: PeerAddress, at seconds: Double) -> Bool {
        guard text.utf8.count == 16, let value = UInt64(text, radix: 16) else { return false }
        let span = Self.span(at: seconds)
        return [span, span - 1].contains { self.value(endpoint, $0) == value }
    }

    private static func span(at seconds: Double) -> Int { Int((seconds / span).rounded(.down)) }

    private func value(_ endpoint: PeerAddress, _ span: Int) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(key.0)
        hasher.combine(key.1)
        hasher.combine("\(endpoint) \(span)")
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }
}
