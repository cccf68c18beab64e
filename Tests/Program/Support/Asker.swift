import Foundation
import OSC
import TestSupport

/// A peer that sends a message and waits for the answer. It blocks its thread: the suite needs ``OwnThread``.
package final class Asker {
    private let socket: UDPSocket
    private let instance: Endpoint
    /// All messages received so far.
    package private(set) var heard: [OSCMessage] = []
    /// The last message sent, for the report of a failure, and when.
    private var sent: (message: OSCMessage, at: ContinuousClock.Instant)?
    /// How much of ``heard`` ``next(_:)`` has returned or passed.
    private var mark = 0
    /// The port that receives the answers.
    package var port: UInt16 { socket.localEndpoint.port }

    package init(_ program: RunningProgram) async throws {
        let line = try await program.line(containing: "osc.udp://127.0.0.1:")
        let port = line.text.split(separator: "osc.udp://127.0.0.1:")[1].prefix { $0.isNumber }
        instance = Endpoint(host: .loopback, port: try UInt16(port).orThrow("no port in \(line.text)"))
        socket = try UDPSocket(boundTo: Endpoint(host: .loopback, port: 0))
        // Replies to commands are requested too.
        send("replies", .int32(2))
        try wait { $0.address == "reply" }
        mark = heard.count
    }

    package func send(_ message: OSCMessage) { send(message.address, message.arguments) }

    /// Waits for the message that is meant, and returns the first one before it that is not a sign of life; `nil` if there is none.
    package func next(_ isMeant: (OSCMessage) -> Bool) throws -> OSCMessage? {
        var other: OSCMessage?
        while true {
            while mark < heard.count {
                mark += 1
                if isMeant(heard[mark - 1]) { return other }
                if heard[mark - 1].address != "alive" { other = other ?? heard[mark - 1] }
            }
            try wait { _ in true }
        }
    }

    package func send(_ address: String, _ arguments: OSCArgument...) { send(address, arguments) }

    private func send(_ address: String, _ arguments: [OSCArgument]) {
        let message = OSCMessage("/binaural/" + address, arguments)
        sent = (message, .now)
        socket.send(message.encoded, to: instance)
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

    package func perform(_ address: String, _ arguments: [OSCArgument]) throws -> Int32 {
        guard case .int32(let code) = try answer(to: address, arguments).arguments[1] else { return -1 }
        return code
    }

    /// The whole answer to a command: address, code, and the responder or the error text.
    package func answer(to address: String, _ arguments: [OSCArgument]) throws -> OSCMessage {
        // A busy machine may have let the lease of 30 s end, and with it the request for replies.
        if let sent, ContinuousClock.now - sent.at > .seconds(10), address != "replies" { try perform("replies", .int32(2)) }
        send(address, arguments)
        return try wait { ["reply", "error"].contains($0.address) && $0.arguments.first == .string("/binaural/" + address) }
    }

    /// The messages received before one with that name, which is not included.
    package func list(_ address: String, _ argument: OSCArgument..., until end: String) throws -> [OSCMessage] {
        send(address, argument)
        var found: [OSCMessage] = []
        try wait { message in
            if message.address != end { found.append(message) }
            return message.address == end
        }
        return found
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

    @discardableResult
    private func wait(until isMeant: (OSCMessage) -> Bool) throws -> OSCMessage {
        var found: OSCMessage?
        _ = try eventually {
            var waited = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&waited, 1, 100)
            while found == nil, case .packet(let bytes, _)? = socket.receive() {
                let messages = Self.messages(try OSCPacket(decoding: bytes))
                heard += messages
                found = messages.first(where: isMeant)
            }
            return found != nil
        }
        if let found { return found }
        throw ProgramFailure(
            "no answer; the last message sent was \(sent.map { "\($0.message)" } ?? "none"), the last ones received were \(heard.suffix(3))"
        )
    }

    private static func messages(_ packet: OSCPacket) -> [OSCMessage] {
        switch packet {
        case .message(let message): [OSCMessage(String(message.address.dropFirst("/binaural/".count)), message.arguments)]
        case .bundle(let bundle): bundle.elements.flatMap(messages)
        }
    }
}
