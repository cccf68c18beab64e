import Foundation
import OSC
import ProgramSupport
import TestSupport

/// A stub of a running instance: receives messages on its own port, writes its address to a `.url` file, and sends the answers
/// that the test defines.
final class StubInstance: Sendable {
    let endpoint: Endpoint
    let heard = WatchedState<[OSCMessage]>([])
    private let wakeWriting: Int32

    /// - Parameter answer: Returns the answers to a message.
    init(answer: @escaping @Sendable (OSCMessage) -> [OSCMessage]) throws {
        let socket = try UDPSocket(boundTo: Endpoint(host: .loopback, port: 0))
        endpoint = socket.localEndpoint
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ProgramFailure("no pipe: \(String(cString: strerror(errno)))") }
        let wake = ends[0]
        wakeWriting = ends[1]
        let heard = heard
        // From here on only this thread uses the socket.
        nonisolated(unsafe) let listening = socket
        Thread.detachNewThread {
            while true {
                var waited = [
                    pollfd(fd: listening.descriptor, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
                ]
                poll(&waited, 2, -1)
                if waited[1].revents != 0 { break }
                while case .packet(let bytes, let source)? = listening.receive() {
                    guard let packet = try? OSCPacket(decoding: bytes) else { continue }
                    for message in Self.messages(in: packet) {
                        heard.update { $0.append(message) }
                        for back in answer(message) { listening.send(back.encoded, to: source) }
                    }
                }
            }
            close(wake)
        }
    }

    deinit {
        // Closing it is not enough: a program that was started meanwhile may hold it too.
        var byte: UInt8 = 0
        _ = write(wakeWriting, &byte, 1)
        close(wakeWriting)
    }

    private static func messages(in packet: OSCPacket) -> [OSCMessage] {
        switch packet {
        case .message(let message): [message]
        case .bundle(let bundle): bundle.elements.flatMap { messages(in: $0) }
        }
    }

    /// Writes its address to the file, as an instance does.
    func announce(as client: String, in environment: IsolatedEnvironment) throws {
        let folder = try environment.variables["XDG_RUNTIME_DIR"].orThrow("no XDG_RUNTIME_DIR") + "/binaural"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "osc.udp://\(endpoint)/\n".write(toFile: "\(folder)/\(client).url", atomically: true, encoding: .utf8)
    }

    /// An instance that answers every command with success.
    static func agreeing(and answer: @escaping @Sendable (OSCMessage) -> [OSCMessage] = { _ in [] }) throws -> StubInstance {
        try StubInstance { message in
            if message.address == "/binaural/sync" { return [OSCMessage("/binaural/synced", message.arguments)] }
            return answer(message) + [OSCMessage("/binaural/reply", [.string(message.address), .int32(0), .string("queue")])]
        }
    }
}
