import Foundation
import OSC
import TestSupport
import Testing

@testable import WebPanel

@Suite("Entry to the panel") struct PanelHandlerTests {
    @Test("A program on this machine enters at once, with the local role")
    func local() throws {
        let panel = try Panel()
        let client = try panel.client()
        #expect(client.upgrade("/osc") == 101)
        #expect(try panel.answer(client) == ["role": "admin", "version": "9.8.7"])
    }

    @Test("Another device enters with a token, once, and later with the key that it got")
    func pairing() throws {
        let panel = try Panel()
        let token = try panel.access.addToken(for: .view, at: Date().timeIntervalSince1970)
        let client = try panel.device()
        try panel.say(["token": token, "name": "Phone\u{7}"], on: client)
        let answer = try #require(try panel.answer(client))
        let key = try #require(answer["key"])
        #expect(answer["role"] == "view")
        #expect(key.utf8.count == 64)
        #expect(try panel.access.clients().map(\.name) == ["Phone"])
        let thief = try panel.device()
        try panel.say(["token": token], on: thief)
        #expect(try panel.answer(thief)?["error"]?.contains("binaural web pair") == true)
        #expect(try panel.answer(thief) == nil)
        let later = try panel.device()
        try panel.say(["key": key], on: later)
        #expect(try panel.answer(later) == ["role": "view", "version": "9.8.7"])
    }

    @Test("A device that sends OSC before it was admitted, an invalid message or nothing is disconnected")
    func strangers() throws {
        let panel = try Panel()
        for frame in [(UInt8(0x82), OSCMessage("/binaural/play").encoded), (0x81, Array("{".utf8)), (0x81, Array("{}".utf8))] {
            let client = try panel.device()
            client.send(frame.0, frame.1)
            while let answer = try panel.answer(client) { #expect(answer["error"] != nil) }
        }
        // It is closed within two seconds, and by nothing that this test does.
        #expect(try panel.answer(try panel.device()) == nil)
    }

    @Test("At most four devices may wait for admission; programs on this machine are admitted regardless")
    func crowd() throws {
        let panel = try Panel()
        let crowd = try (0..<4).map { _ in try panel.device() }
        #expect(try panel.client().upgrade("/osc", host: Panel.name) == 503)
        #expect(try panel.client().upgrade("/osc") == 101)
        withExtendedLifetime(crowd) {}
    }

    @Test("A revoked device is disconnected within seconds, and its key is refused")
    func revoked() throws {
        let panel = try Panel()
        let client = try panel.device()
        try panel.say(["token": panel.access.addToken(for: .admin, at: Date().timeIntervalSince1970)], on: client)
        let key = try #require(try panel.answer(client)?["key"])
        _ = try panel.access.revoke(1)
        #expect(try panel.answer(client) == nil)
        let later = try panel.device()
        try panel.say(["key": key], on: later)
        #expect(try panel.answer(later)?["error"]?.contains("revoked") == true)
    }

    @Test("After five failures the address gets 429, for requests and WebSockets")
    func failures() throws {
        let panel = try Panel()
        for _ in 0..<5 {
            let client = try panel.device()
            try panel.say(["key": "nonsense"], on: client)
            _ = try panel.answer(client)
        }
        #expect(try panel.client().upgrade("/osc", host: Panel.name) == 429)
        let refusal = try panel.get("/", "Host: \(Panel.name)")
        // A browser asks for the page again by itself.
        #expect(refusal.hasPrefix("HTTP/1.1 429 "))
        #expect(refusal.contains("\r\nRefresh: 10\r\n"))
        // They came through a proxy on this machine, whose own programs are served.
        #expect(try panel.get("/", "Host: localhost").hasPrefix("HTTP/1.1 200 "))
        #expect(try panel.client().upgrade("/osc") == 101)
    }

    @Test("Only the server's own page may open a WebSocket, and only at /osc")
    func origins() throws {
        let panel = try Panel()
        for (host, origin, status) in [
            ("localhost", "http://localhost", 101), ("localhost", "http://localhost:3000", 403), ("localhost", "http://example.com", 403),
            ("localhost", "null", 403), (Panel.name, "https://\(Panel.name)", 101), (Panel.name, "http://localhost", 403),
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
        #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(page.contains("<title>Binaural</title>"))
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
        #expect(try panel.get("/picture.svg", "Host: \(Panel.name)").hasPrefix("HTTP/1.1 403 "))
        let token = try panel.access.addToken(for: .view, at: 0)
        let key = try #require(try panel.access.pair(token: token, name: "", at: 1)).key
        #expect(try panel.get("/picture.svg", "Host: \(Panel.name)", "Binaural-Key: \(key)").hasPrefix("HTTP/1.1 200 "))
    }
}
