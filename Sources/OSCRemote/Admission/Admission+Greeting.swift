import OSC
import Playback

/// `hello`, `welcome` and the cookie: how an address proves that the requests are its own.
///
/// An address that is not allowed never receives more bytes than it sent until it has shown a cookie: `welcome` is no longer than the
/// `hello` that it answers, and nothing else is answered. Nothing is stored about such an address.
extension Admission {
    /// Answers per second to addresses that are not allowed, all of them together.
    static let answersToStrangers = 20.0

    private static let hello = "\(OSCAddress.root)/hello"
    private static let subscribe = "\(OSCAddress.root)/subscribe"

    /// The encoded `welcome` that answers a peer's `hello`; `nil` if it is longer than the request.
    func welcome(_ request: OSCRequest, from peer: Peer, at seconds: Double) -> [UInt8]? {
        // Counts characters, not bytes, so that the size is never overestimated.
        let name = String(repeating: "n", count: request.text(0)?.unicodeScalars.count ?? 0)
        let size = OSCMessage(Self.hello, [.string(name), .blob(request.bytes(1))]).encoded.count
        return welcome(peer.endpoint, inAtMost: size, at: seconds)
    }

    private func welcome(_ endpoint: PeerAddress, inAtMost size: Int, at seconds: Double) -> [UInt8]? {
        let cookie = cookies.make(for: endpoint, at: seconds)
        let welcome = OSCMessage("\(OSCAddress.root)/welcome", [.string(cookie.text), .int32(cookie.seconds)]).encoded
        return welcome.count <= size ? welcome : nil
    }

    /// Throws unless the cookie is valid; without a cookie, an allowed address is trusted.
    func check(cookie: String?, in context: PacketContext) throws(Refusal) {
        guard let cookie else { return }
        let addresses = [context.peer.endpoint, context.source]
        guard addresses.contains(where: { cookies.isGood(cookie, for: $0, at: context.now.seconds) }) else {
            throw Refusal(.denied, "The cookie is invalid or has expired: send hello again.")
        }
    }

    /// The answer to a packet from an address that is not allowed: only `hello`, and `subscribe` with a valid cookie, get one.
    func answer(toStranger source: PeerAddress, _ bytes: [UInt8], at seconds: Double) -> [UInt8]? {
        guard let host = source.endpoint?.host, bytes.starts(with: Self.hello.utf8) || bytes.starts(with: Self.subscribe.utf8),
            strangerBudget.take(at: seconds), case .message(let message)? = try? OSCPacket(decoding: bytes)
        else { return nil }
        switch message.address {
        case Self.hello: return message.typeTags.hasPrefix("sb") ? welcome(source, inAtMost: bytes.count, at: seconds) : nil
        case Self.subscribe:
            guard message.arguments.count > 3, case .string(let cookie) = message.arguments[3],
                cookies.isGood(cookie, for: source, at: seconds)
            else { return nil }
            let remedy = "Not allowed yet: start binaural with --osc-allow \(host)=view."
            return OSCMessage("\(OSCAddress.root)/error", [.string(Self.subscribe), .int32(401), .string(Sentence.fitting(remedy))])
                .encoded
        default: return nil
        }
    }
}
