// An OSC client that shows what a running binaural plays: it subscribes to the topic `now` and prints title and state when they change.
import Foundation
import OSC

@main struct NowPlaying {
    static func main() throws {
        let name = CommandLine.arguments.dropFirst().first ?? "127.0.0.1:7830"
        guard let server = Endpoint(name) else { return print("'\(name)' is not an address such as 127.0.0.1:7830.") }
        let socket = try UDPSocket(boundTo: Endpoint(host: .loopback, port: 0))
        let subscribe = OSCMessage("/binaural/subscribe", [.string("now"), .int32(0), .int32(30)]).encoded
        var values: [String: String] = [:]
        var shown = ""
        while true {
            // Every 10 s, well within the lease of 30 s. The answer is a snapshot, so what was lost on the way is made up for.
            socket.send(subscribe, to: server)
            let renewal = Date(timeIntervalSinceNow: 10)
            while renewal.timeIntervalSinceNow > 0 {
                var readiness = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
                poll(&readiness, 1, 1000)
                while case .packet(let bytes, from: server)? = socket.receive() {
                    guard let packet = try? OSCPacket(decoding: bytes) else { continue }
                    for message in packet.messages {
                        if case .string(let text)? = message.arguments.first { values[message.address] = text }
                    }
                    guard let title = values["/binaural/now/title"], let state = values["/binaural/now/state"] else { continue }
                    let line = "\(title) (\(state))"
                    if line != shown { print(line) }
                    shown = line
                }
            }
        }
    }
}

extension OSCPacket {
    /// The messages in the packet, also of inner bundles.
    var messages: [OSCMessage] {
        switch self {
        case .message(let message): [message]
        case .bundle(let bundle): bundle.elements.flatMap(\.messages)
        }
    }
}
