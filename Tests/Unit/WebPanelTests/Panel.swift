import Foundation
import HTTP
import OSCRemote
import Synchronization
import TestSupport
import Testing

@testable import WebPanel

/// A panel's server with its file of paired devices, and clients on raw sockets. All are on loopback; one that calls the server by another name
/// than loopback's counts as another device, as behind a proxy.
final class Panel {
    static let name = "studio.example.org"

    let folder: TemporaryFolder
    let access: AccessFile
    let server: WebServer
    let sound = SoundSource()
    let course = Course()

    /// - Parameters:
    ///   - hasProxy: Whether there is a port for a proxy.
    ///   - trustsThisMachine: Whether programs on this machine enter unpaired.
    init(hasProxy: Bool = false, trustsThisMachine: Bool = true) throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        access = AccessFile(folder: folder.path)
        var bounds = WebServer.Bounds()
        bounds.connectionCount = 32
        server = try WebServer(port: 0, proxyPort: hasProxy ? 0 : nil, hosts: HostRule(named: [Self.name]), bounds: bounds)
        let configuration = PanelHandler.Configuration(
            access: access, localRole: .admin, trustsThisMachine: trustsThisMachine, version: "9.8.7")
        server.start { [sound, course] loop in
            PanelHandler(
                loop, configuration,
                packets: OSCWebSockets {
                } resume: { _ in
                },
                listen: { sound.begin($0, $1) },
                documents: ["/course.json": { done in done(course.json.map { Array($0.utf8) }) }])
        }
    }

    deinit { server.close() }

    func client() throws -> SocketClient { try #require(SocketClient(port: server.port)) }

    /// A WebSocket of another device.
    func device() throws -> SocketClient {
        let client = try client()
        try #require(client.upgrade("/osc", host: Self.name) == 101)
        return client
    }

    /// A WebSocket of a device that was paired here, as number 1 if it is the first.
    func pairedDevice() throws -> SocketClient {
        let client = try device()
        try say(["token": access.addToken(for: .view, at: Date().timeIntervalSince1970)], on: client)
        _ = try answer(client)
        return client
    }

    /// A client that has sent a request.
    func request(
        _ path: String, method: String = "GET", host: String = Panel.name, version: String = "1.1", _ lines: String...
    ) throws -> SocketClient {
        let client = try client()
        let head = ["\(method) \(path) HTTP/\(version)", "Host: \(host)"] + lines
        client.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8))
        return client
    }

    func get(_ path: String, _ lines: String...) throws -> String {
        let client = try client()
        let head = ["GET \(path) HTTP/1.1", "Connection: close"] + lines
        client.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8))
        return client.everything()
    }

    func say(_ fields: some Encodable, on client: SocketClient) throws { client.send(0x81, Array(try JSONEncoder().encode(fields))) }

    /// The text that the server sends next; `nil` if it closes the WebSocket with 1008 instead.
    func answer(_ client: SocketClient) throws -> [String: String]? {
        let frame = try #require(client.frame())
        if frame.first == 0x88 {
            #expect(frame.payload == [0x03, 0xF0])
            return nil
        }
        return try JSONDecoder().decode([String: String].self, from: Data(frame.payload))
    }
}

/// The course that the panel's server is given.
final class Course: Sendable {
    private let text = Mutex<String?>("{\"end\":60}")

    /// `nil` if nothing plays.
    var json: String? {
        get { text.withLock { $0 } }
        set { text.withLock { $0 = newValue } }
    }
}

/// Stands in for the thread that encodes: it notes the streams that were begun, and the test adds to them.
final class SoundSource: Sendable {
    private let begun = Mutex<[(format: ListenedFormat, stream: ListenedStream)]>([])
    let refusal = Mutex<String?>(nil)

    func begin(_ format: ListenedFormat, _ stream: ListenedStream) -> String? {
        if let refusal = refusal.withLock({ $0 }) { return refusal }
        begun.withLock { $0.append((format, stream)) }
        return nil
    }

    /// The stream of that number, once it has begun.
    func stream(_ number: Int) throws -> (format: ListenedFormat, stream: ListenedStream) {
        try #require(eventually { begun.withLock { $0.count >= number } })
        return begun.withLock { $0[number - 1] }
    }
}
