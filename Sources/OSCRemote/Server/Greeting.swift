import OSC
import Playback

/// `hello`, `welcome` and the cookie: how an address proves that the requests are its own.
///
/// An address that is not allowed never receives more bytes than it sent until it has shown a cookie: `welcome` is no longer than the
/// `hello` that it answers, and nothing else is answered. Nothing is stored about such an address.
extension RemoteServer {
    /// Answers per second to addresses that are not allowed, all of them together.
    static let answersToStrangers = 20.0

    private static let hello = "\(AddressTable.root)/hello"
    private static let subscribe = "\(AddressTable.root)/subscribe"

    func greet(_ peer: Peer, _ request: Request) {
        // Counts characters, not bytes, so that the size is never overestimated.
        let name = String(repeating: "n", count: request.text(0)?.unicodeScalars.count ?? 0)
        let size = Message(Self.hello, [.string(name), .blob(request.bytes(1))]).encoded.count
        if let welcome = welcome(peer.endpoint, inAtMost: size) { transmit(welcome, to: peer) }
    }

    /// The encoded `welcome`; `nil` if it is longer than the request.
    private func welcome(_ endpoint: PeerAddress, inAtMost size: Int) -> [UInt8]? {
        let cookie = cookies.make(for: endpoint, at: now.seconds)
        let welcome = Message("\(AddressTable.root)/welcome", [.string(cookie.text), .int32(cookie.seconds)]).encoded
        return welcome.count <= size ? welcome : nil
    }

    /// Throws unless the cookie is valid; without a cookie, an allowed address is trusted.
    func check(cookie: String?, of peer: Peer) throws(Refusal) {
        guard let cookie else { return }
        guard isGood(cookie, for: peer.endpoint) || source.map({ isGood(cookie, for: $0) }) ?? false else {
            throw Refusal(.denied, "The cookie is invalid or has expired: send hello again.")
        }
    }

    private func isGood(_ cookie: String, for endpoint: PeerAddress) -> Bool { cookies.isGood(cookie, for: endpoint, at: now.seconds) }

    /// Handles a packet from an address that is not allowed: only `hello`, and `subscribe` with a valid cookie, are answered.
    func answerStranger(_ bytes: [UInt8], _ host: IPAddress, _ source: PeerAddress) {
        guard bytes.starts(with: Self.hello.utf8) || bytes.starts(with: Self.subscribe.utf8), strangerBudget.take(at: now.seconds),
            case .message(let message)? = try? Packet(decoding: bytes)
        else { return }
        switch message.address {
        case Self.hello:
            guard message.typeTags.hasPrefix("sb"), let welcome = welcome(source, inAtMost: bytes.count) else { return }
            send(welcome, source)
        case Self.subscribe:
            guard message.arguments.count > 3, case .string(let cookie) = message.arguments[3], isGood(cookie, for: source) else { return }
            let remedy = "Not allowed yet: start binaural with --osc-allow \(host)=view."
            send(
                Message("\(AddressTable.root)/error", [.string(Self.subscribe), .int32(401), .string(Sentence.fitting(remedy))]).encoded,
                source)
        default: return
        }
    }
}
