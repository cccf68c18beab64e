import OSC
import TestSupport

/// A peer of an instance, whose packets it takes from memory. Where an answer needs time, time passes.
package final class SteppedPeer {
    private let instance: SteppedInstance
    package let endpoint: Endpoint
    private var received: [OSCMessage] = []

    /// All messages so far, without `/binaural/`.
    package var heard: [OSCMessage] {
        take()
        return received
    }

    /// Seconds that an answer may take.
    private static let longest = 20.0

    package init(_ instance: SteppedInstance, port: UInt16 = 40_001) {
        (self.instance, endpoint) = (instance, Endpoint(host: .loopback, port: port))
        // Replies to commands are requested too.
        send("replies", [.int32(2)])
    }

    package func send(_ address: String, _ arguments: OSCArgument...) { send(address, arguments) }

    package func send(_ address: String, _ arguments: [OSCArgument]) {
        // An earlier message is not the answer.
        take()
        instance.receive(OSCMessage("/binaural/" + address, arguments), from: endpoint)
    }

    /// The value of a property.
    package func value(_ address: String) throws -> [OSCArgument] {
        send(address)
        return try wait { $0.address == address }.arguments
    }

    /// The arguments of an answer at another address.
    package func ask(_ address: String, _ argument: OSCArgument, answer: String) throws -> [OSCArgument] {
        send(address, argument)
        return try wait { $0.address == answer }.arguments
    }

    /// Sets or commands, and returns the code of the answer, 0 for success.
    @discardableResult
    package func perform(_ address: String, _ arguments: OSCArgument...) throws -> Int32 { try perform(address, arguments) }

    @discardableResult
    package func perform(_ address: String, _ arguments: [OSCArgument]) throws -> Int32 {
        guard case .int32(let code) = try answer(to: address, arguments).arguments[1] else { return -1 }
        return code
    }

    /// The whole answer to a command: address, code, and the responder or the error text.
    package func answer(to address: String, _ arguments: [OSCArgument]) throws -> OSCMessage {
        send(address, arguments)
        return try wait { ["reply", "error"].contains($0.address) && $0.arguments.first == .string("/binaural/" + address) }
    }

    /// The messages received before one with that name, which is not included.
    package func list(_ address: String, _ argument: OSCArgument..., until end: String) throws -> [OSCMessage] {
        let count = heard.count
        send(address, argument)
        _ = try wait { $0.address == end }
        return heard[count...].filter { $0.address != end }
    }

    /// Paths of everything that can be described, with its access.
    package func describe() throws -> [(path: String, access: String)] {
        var found: [(path: String, access: String)] = []
        var open = [""]
        while let path = open.popLast() {
            for answer in try list("describe", .string(path), until: "describe/end") {
                guard answer.address == "describe", case .string(let child) = answer.arguments[0], child != path,
                    case .string(let access) = answer.arguments[2]
                else { continue }
                open.append(child)
                found.append((child, access))
            }
        }
        return found
    }

    /// Takes what has been sent.
    private func take() {
        for bytes in instance.packets(to: endpoint) {
            if let packet = try? OSCPacket(decoding: bytes) { received += Self.messages(packet) }
        }
    }

    private static func messages(_ packet: OSCPacket) -> [OSCMessage] {
        switch packet {
        case .message(let message): [OSCMessage(String(message.address.dropFirst("/binaural/".count)), message.arguments)]
        case .bundle(let bundle): bundle.elements.flatMap(messages)
        }
    }

    private func wait(until isMeant: (OSCMessage) -> Bool) throws -> OSCMessage {
        let end = instance.clock.seconds + Self.longest
        var count = received.count
        while true {
            take()
            if let found = received[count...].first(where: isMeant) { return found }
            count = received.count
            guard instance.clock.seconds < end else { throw ProgramFailure("no answer; the last messages are \(received.suffix(3))") }
            instance.pass(seconds: 0.005)
        }
    }
}
