import Foundation
import OSC
import TestSupport

/// A peer that asks and waits for the answer.
final class Asker {
    private let socket: UDPSocket
    private let instance: Endpoint

    init(_ program: RunningProgram) async throws {
        let line = try await program.line(containing: "osc.udp://127.0.0.1:")
        let port = line.text.split(separator: "osc.udp://127.0.0.1:")[1].prefix { $0.isNumber }
        instance = Endpoint(host: .loopback, port: try UInt16(port).orThrow("no port in \(line.text)"))
        socket = try UDPSocket(boundTo: Endpoint(host: .loopback, port: 0))
        // What becomes of a command is told too.
        send("replies", .int32(2))
        try wait { $0.address == "reply" }
    }

    func send(_ address: String, _ arguments: Argument...) { send(address, arguments) }

    private func send(_ address: String, _ arguments: [Argument]) {
        socket.send(Message("/binaural/" + address, arguments).encoded, to: instance)
    }

    /// The value of a property.
    func value(_ address: String) throws -> [Argument] {
        send(address)
        return try wait { $0.address == address }.arguments
    }

    /// Sets or commands, and returns the code of the answer, 0 for success.
    @discardableResult
    func perform(_ address: String, _ arguments: Argument...) throws -> Int32 { try perform(address, arguments) }

    func perform(_ address: String, _ arguments: [Argument]) throws -> Int32 {
        send(address, arguments)
        let answer = try wait { ["reply", "error"].contains($0.address) && $0.arguments.first == .string("/binaural/" + address) }
        guard case .int32(let code) = answer.arguments[1] else { return -1 }
        return code
    }

    /// What comes up to a message of that name, which is left out.
    func list(_ address: String, _ argument: Argument..., until end: String) throws -> [Message] {
        send(address, argument)
        var found: [Message] = []
        try wait { message in
            if message.address != end { found.append(message) }
            return message.address == end
        }
        return found
    }

    /// Paths of everything that can be described, with what can be done there.
    func describe() throws -> [(path: String, access: String)] {
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
    private func wait(until isMeant: (Message) -> Bool) throws -> Message {
        let end = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < end {
            while case .packet(let bytes, _)? = socket.receive() {
                for message in Self.messages(try Packet(decoding: bytes)) where isMeant(message) { return message }
            }
            var waited = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&waited, 1, 100)
        }
        throw ProgramFailure("no answer within 30 s")
    }

    private static func messages(_ packet: Packet) -> [Message] {
        switch packet {
        case .message(let message): [Message(String(message.address.dropFirst("/binaural/".count)), message.arguments)]
        case .bundle(let bundle): bundle.elements.flatMap(messages)
        }
    }
}
