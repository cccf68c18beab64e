import Foundation
import OSC
import OSCRemote

/// One message to a running instance, and its answers.
///
/// The instance is asked to reply to everything, and for `synced` after the message: once that has come, nothing else will.
package struct Conversation {
    package enum Outcome: Equatable {
        case done
        /// Refusals; a pattern may have been refused by several addresses.
        case refused([Refusal])
        case silence
        /// The instance's host reports that nobody listens on that port.
        case nobodyThere
    }

    /// Why an address refused the message.
    package struct Refusal: Equatable {
        package var code: Int32
        package var sentence: String

        package var text: String { "\(sentence) (code \(code))" }

        /// The sentence for people: without the code, about the address below the root.
        package var readableText: String { sentence(listing: "'describe /'") }

        /// The sentence for people in a shell.
        package var shellText: String { sentence(listing: "'binaural ctl describe /'") }

        /// - Parameter command: what they type for a list of all addresses.
        private func sentence(listing command: String) -> String {
            let text = sentence.hasPrefix(Conversation.root) ? String(sentence.dropFirst(Conversation.root.count)) : sentence
            return text.replacing("\(Conversation.root)describe lists", with: "\(command) lists")
        }

        /// The sentence for people who have not typed an address: without it, and without the code.
        package var reason: String { sentence.firstRange(of: ": ").map { String(sentence[$0.upperBound...]) } ?? sentence }
    }

    package static let root = "/binaural/"
    /// Requests replies to successes too, not only errors.
    static let repliesWanted = OSCMessage(root + "replies", [.int32(2)])
    private let message: OSCMessage
    private let token: Int32
    /// The pattern to match answers with; `nil` for a plain address.
    private let pattern: AddressPattern?
    private var replies: [OSCMessage] = []
    private(set) var refusals: [Refusal] = []
    private var answered: Set<String> = []
    private var isSynced = false
    private var isOver = false

    package init(_ message: OSCMessage, token: Int32 = .random(in: 1...Int32.max)) {
        self.message = message
        self.token = token
        pattern = AddressPattern.hasWildcards(message.address) ? try? AddressPattern(message.address) : nil
    }

    /// The messages to send, in this order.
    var packets: [OSCMessage] {
        [
            Self.repliesWanted, message, OSCMessage(Self.root + "sync", [.int32(token)]),
        ]
    }

    /// Whether no further answers are expected.
    var isComplete: Bool { isOver || isSynced && hasAnswer }

    private var hasAnswer: Bool { !answered.isEmpty || !replies.isEmpty || !refusals.isEmpty }

    /// Handles a message of the instance; returns it if the user should see it.
    mutating func receive(_ received: OSCMessage) -> OSCMessage? {
        switch received.address {
        case Self.root + "reply":
            // Replies to the two messages around the user's are not shown.
            guard case .string(let address)? = received.arguments.first, isAbout(address) else { return nil }
            if received.arguments.count > 1, case .int32(let code) = received.arguments[1], code != 0 {
                refusals.append(Refusal(code: code, sentence: "\(address): refused"))
            } else {
                replies.append(received)
            }
            return nil
        case Self.root + "error":
            guard received.arguments.count > 2, case .int32(let code) = received.arguments[1] else { return received }
            let (about, sentence) = (ArgumentText.plain(received.arguments[0]), ArgumentText.plain(received.arguments[2]))
            refusals.append(Refusal(code: code, sentence: "\(about): \(sentence)"))
            return nil
        case Self.root + "synced" where received.arguments == [.int32(token)]:
            isSynced = true
            return nil
        case Self.root + "alive", Self.root + "progress":
            return nil
        case Self.root + "describe/end" where received.arguments.last == .int32(0):
            // The instance answers with an empty list, as it does to a pattern that nothing matches: in a shell that is an error.
            let path = received.arguments.first.map(ArgumentText.plain) ?? ""
            let near = AddressTable.standard.address(near: path).flatMap { $0 == path ? nil : "did you mean \($0)?" }
            let remedy = near ?? "\(Self.root)describe lists all addresses."
            refusals.append(Refusal(code: 404, sentence: "\(Self.root)describe: There is no address '\(path)': \(remedy)"))
            return nil
        default:
            if received.address == Self.root + "bye" { isOver = true }
            answered.insert(received.address)
            return received
        }
    }

    /// A layer that a pattern names answers under its number, so that every reply to a pattern but those to the messages around it counts.
    private func isAbout(_ address: String) -> Bool {
        pattern == nil ? address == message.address : address != Self.repliesWanted.address && address != Self.root + "sync"
    }

    /// The successes without an answer of their own, once the answers have come.
    package var successes: [OSCMessage] { replies.filter { reply in !answered.contains { reply.arguments.first == .string($0) } } }

    /// - Parameters:
    ///   - wait: Seconds.
    ///   - isRunning: Whether the instance still runs; one that ends may leave a packet unread, which nothing reports.
    ///   - print: gets each answer as it comes.
    package mutating func hold(
        over channel: InstanceChannel, wait: Double, isRunning: () -> Bool = { true }, print: (OSCMessage) -> Void
    ) -> Outcome {
        for packet in packets { channel.send(packet) }
        let deadline = ContinuousClock.now + .seconds(wait)
        var hasEnded = false
        while !isComplete {
            while let event = channel.receive() {
                switch event {
                case .packet(let packet):
                    for received in packet.messages {
                        if let answer = receive(received) { print(answer) }
                    }
                case .unreachable:
                    if !hasAnswer && !isSynced { return .nobodyThere }
                    isOver = true
                }
            }
            guard !isComplete, ContinuousClock.now < deadline else { break }
            if hasEnded { return hasAnswer || isSynced ? .done : .nobodyThere }
            // Its last answers are received once more.
            hasEnded = !isRunning()
            if !hasEnded { channel.wait(until: min(deadline, .now + .milliseconds(250))) }
        }
        if !refusals.isEmpty { return .refused(refusals) }
        return hasAnswer || isSynced || isOver ? .done : .silence
    }
}
