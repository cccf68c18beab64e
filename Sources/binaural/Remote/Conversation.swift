import Foundation
import OSC

/// One message to a running instance, and what comes back.
///
/// The instance is asked for a reply to everything and, behind the message, for `synced`: when that has come nothing else will.
struct Conversation {
    enum Outcome: Equatable {
        case done
        case refused(code: Int32, sentence: String)
        case silence
        /// The instance's host says that nobody listens on that port.
        case nobodyThere
    }

    static let root = "/binaural/"
    private let message: Message
    private let token: Int32
    private var reply: Message?
    private var refusal: Outcome?
    private var isSynced = false
    private var isOver = false
    private var hasAnswer = false

    init(_ message: Message, token: Int32 = .random(in: 1...Int32.max)) {
        self.message = message
        self.token = token
    }

    /// What to send, in this order.
    var packets: [Message] {
        [
            Message(Self.root + "replies", [.int32(2)]), message, Message(Self.root + "sync", [.int32(token)]),
        ]
    }

    /// Nothing more is to be expected.
    var isComplete: Bool { isOver || isSynced && (hasAnswer || reply != nil || refusal != nil) }

    /// Takes in what the instance says; returns what the user should see of it.
    mutating func receive(_ received: Message) -> Message? {
        switch received.address {
        case Self.root + "reply":
            // The two messages around the user's are nobody's business.
            guard received.arguments.first == .string(message.address) || AddressPattern.hasWildcards(message.address) else { return nil }
            reply = received
            if received.arguments.count > 1, case .int32(let code) = received.arguments[1], code != 0, refusal == nil {
                refusal = .refused(code: code, sentence: "refused")
            }
            return nil
        case Self.root + "error":
            guard received.arguments.count > 2, case .int32(let code) = received.arguments[1] else { return received }
            let (about, sentence) = (ArgumentText.plain(received.arguments[0]), ArgumentText.plain(received.arguments[2]))
            refusal = .refused(code: code, sentence: "\(about): \(sentence)")
            return nil
        case Self.root + "synced" where received.arguments == [.int32(token)]:
            isSynced = true
            return nil
        case Self.root + "alive":
            return nil
        default:
            if received.address == Self.root + "bye" { isOver = true }
            hasAnswer = true
            return received
        }
    }

    /// - Parameter print: gets each answer as it comes; a success without one is told by the reply itself.
    mutating func hold(with endpoint: Endpoint, wait: Double, print: (Message) -> Void) throws(SocketError) -> Outcome {
        let any: IPAddress = if case .ipv4 = endpoint.host { .ipv4(0) } else { .ipv6(high: 0, low: 0, scope: 0) }
        let socket = try UDPSocket(boundTo: Endpoint(host: endpoint.host.isLoopback ? endpoint.host : any, port: 0))
        for packet in packets { socket.send(packet.encoded, to: endpoint) }

        let deadline = ContinuousClock.now + .seconds(wait)
        while !isComplete {
            while let event = socket.receive() {
                switch event {
                case .packet(let bytes, let source):
                    guard source.port == endpoint.port, let packet = try? Packet(decoding: bytes) else { continue }
                    for received in Self.messages(in: packet) {
                        if let answer = receive(received) { print(answer) }
                    }
                case .unreachable:
                    if !hasAnswer && reply == nil && refusal == nil && !isSynced { return .nobodyThere }
                    isOver = true
                }
            }
            let left = deadline - .now
            guard !isComplete, left > .zero else { break }
            var waited = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
            // Rounded up: a wait of less than a millisecond must not become a turn without one.
            poll(&waited, 1, Int32(left / .milliseconds(1)) + 1)
        }
        if let refusal { return refusal }
        if let reply, !hasAnswer { print(reply) }
        return hasAnswer || reply != nil || isSynced || isOver ? .done : .silence
    }

    private static func messages(in packet: Packet) -> [Message] {
        switch packet {
        case .message(let message): [message]
        case .bundle(let bundle): bundle.elements.flatMap { messages(in: $0) }
        }
    }
}
