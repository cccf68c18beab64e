import Foundation
import HTTP
import OSC
import OSCRemote
import Synchronization
import TestSupport
import Testing

@testable import WebPanel

/// The panel's server with clients on raw sockets. All are on loopback; one that calls the server by another name than loopback's counts as
/// another device, as behind a proxy.
@Suite("Entry to the panel") struct PanelHandlerTests {
    private static let name = "studio.example.org"

    /// A server with its file of paired devices.
    private final class Panel {
        let folder: TemporaryFolder
        let access: AccessFile
        let server: WebServer

        init() throws {
            let folder = try TemporaryFolder()
            self.folder = folder
            access = AccessFile(folder: folder.path)
            var bounds = WebServer.Bounds()
            bounds.connectionCount = 32
            server = try WebServer(port: 0, hosts: HostRule(named: [PanelHandlerTests.name]), bounds: bounds)
            let configuration = PanelHandler.Configuration(access: access, localRole: .admin, version: "9.8.7")
            server.start { [unowned server] in
                PanelHandler(
                    server, configuration,
                    packets: OSCWebSockets {
                    } resume: { _ in
                    }
                ) { request, done in
                    done(PanelHandler.Picture(svg: Array("<svg width='\(request.width)'/>".utf8), span: 0.1...0.9))
                }
            }
        }

        deinit { server.close() }

        func client() throws -> SocketClient { try #require(SocketClient(port: server.port)) }

        /// A WebSocket of another device.
        func device() throws -> SocketClient {
            let client = try client()
            try #require(client.upgrade("/osc", host: PanelHandlerTests.name) == 101)
            return client
        }

        func get(_ path: String, _ lines: String...) throws -> String {
            let client = try client()
            let head = ["GET \(path) HTTP/1.1", "Connection: close"] + lines
            client.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8))
            return client.everything()
        }
    }

    private static func say(_ fields: [String: String], on client: SocketClient) throws {
        client.send(0x81, Array(try JSONEncoder().encode(fields)))
    }

    /// The text that the server sends next; `nil` if it closes the WebSocket with 1008 instead.
    private static func answer(_ client: SocketClient) throws -> [String: String]? {
        let frame = try #require(client.frame())
        if frame.first == 0x88 {
            #expect(frame.payload == [0x03, 0xF0])
            return nil
        }
        return try JSONDecoder().decode([String: String].self, from: Data(frame.payload))
    }

    @Test("A program on this machine enters at once, with the local role")
    func local() throws {
        let panel = try Panel()
        let client = try panel.client()
        #expect(client.upgrade("/osc") == 101)
        #expect(try Self.answer(client) == ["role": "admin", "version": "9.8.7"])
    }

    @Test("Another device enters with a token, once, and later with the key that it got")
    func pairing() throws {
        let panel = try Panel()
        let token = try panel.access.addToken(for: .view, at: Date().timeIntervalSince1970)
        let client = try panel.device()
        try Self.say(["token": token, "name": "Phone\u{7}"], on: client)
        let answer = try #require(try Self.answer(client))
        let key = try #require(answer["key"])
        #expect(answer["role"] == "view" && key.utf8.count == 64)
        #expect(try panel.access.clients().map(\.name) == ["Phone"])
        let thief = try panel.device()
        try Self.say(["token": token], on: thief)
        #expect(try Self.answer(thief)?["error"]?.contains("binaural web pair") == true)
        #expect(try Self.answer(thief) == nil)
        let later = try panel.device()
        try Self.say(["key": key], on: later)
        #expect(try Self.answer(later) == ["role": "view", "version": "9.8.7"])
    }

    @Test("A device that sends OSC before it has entered, nonsense, or nothing, is turned out")
    func strangers() throws {
        let panel = try Panel()
        for frame in [(UInt8(0x82), OSCMessage("/binaural/play").encoded), (0x81, Array("{".utf8)), (0x81, Array("{}".utf8))] {
            let client = try panel.device()
            client.send(frame.0, frame.1)
            while let answer = try Self.answer(client) { #expect(answer["error"] != nil) }
        }
        // It is closed within two seconds, and by nothing that this test does.
        #expect(try Self.answer(try panel.device()) == nil)
    }

    @Test("At most four devices may be about to enter; programs on this machine enter all the same")
    func crowd() throws {
        let panel = try Panel()
        let crowd = try (0..<4).map { _ in try panel.device() }
        #expect(try panel.client().upgrade("/osc", host: Self.name) == 503)
        #expect(try panel.client().upgrade("/osc") == 101)
        withExtendedLifetime(crowd) {}
    }

    @Test("A revoked device is disconnected within seconds, and its key is refused")
    func revoked() throws {
        let panel = try Panel()
        let client = try panel.device()
        try Self.say(["token": panel.access.addToken(for: .admin, at: Date().timeIntervalSince1970)], on: client)
        let key = try #require(try Self.answer(client)?["key"])
        _ = try panel.access.revoke(1)
        #expect(try Self.answer(client) == nil)
        let later = try panel.device()
        try Self.say(["key": key], on: later)
        #expect(try Self.answer(later)?["error"]?.contains("revoked") == true)
    }

    @Test("After five failures the address gets 429, for requests and WebSockets")
    func failures() throws {
        let panel = try Panel()
        for _ in 0..<5 {
            let client = try panel.device()
            try Self.say(["key": "nonsense"], on: client)
            _ = try Self.answer(client)
        }
        #expect(try panel.client().upgrade("/osc", host: Self.name) == 429)
        #expect(try panel.get("/", "Host: \(Self.name)").hasPrefix("HTTP/1.1 429 "))
    }

    @Test("Only the server's own page may open a WebSocket, and only at /osc")
    func origins() throws {
        let panel = try Panel()
        for (host, origin, status) in [
            ("localhost", "http://localhost", 101), ("localhost", "http://localhost:3000", 403), ("localhost", "http://example.com", 403),
            ("localhost", "null", 403), (Self.name, "https://\(Self.name)", 101), (Self.name, "http://localhost", 403),
            ("example.com", "http://example.com", 403),
        ] {
            #expect(try panel.client().upgrade("/osc", host: host, more: "Origin: \(origin)") == status, "\(host) \(origin)")
        }
        #expect(try panel.client().upgrade("/") == 404)
    }

    @Test("The page comes with headers that keep other sites out; nothing else is found")
    func page() throws {
        let panel = try Panel()
        let page = try panel.get("/", "Host: localhost")
        #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n") && page.contains("<title>Binaural</title>"))
        for header in [
            "Content-Security-Policy: default-src 'none';", "frame-ancestors 'none'", "X-Content-Type-Options: nosniff",
            "Referrer-Policy: no-referrer", "Cache-Control: no-store",
        ] { #expect(page.contains(header), "\(header)") }
        #expect(try panel.get("/secret").hasPrefix("HTTP/1.1 404 "))
    }

    @Test("The picture of what plays is for programs on this machine and paired devices")
    func picture() throws {
        let panel = try Panel()
        #expect(try panel.get("/picture.svg?width=700&dark", "Host: localhost").contains("Time-Span: 0.1 0.9"))
        #expect(try panel.get("/picture.svg?width=nan", "Host: localhost").contains("width='1200.0'"))
        #expect(try panel.get("/picture.svg?width=1e9", "Host: localhost").contains("width='4000.0'"))
        #expect(try panel.get("/picture.svg", "Host: \(Self.name)").hasPrefix("HTTP/1.1 403 "))
        let token = try panel.access.addToken(for: .view, at: 0)
        let key = try #require(try panel.access.pair(token: token, name: "", at: 1)).key
        #expect(try panel.get("/picture.svg", "Host: \(Self.name)", "Binaural-Key: \(key)").hasPrefix("HTTP/1.1 200 "))
    }
}
