import Foundation
import OSC
import TestSupport
import Testing

@testable import WebPanel

@Suite("Entry to the panel", .ownThread) struct PanelHandlerTests {
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

    @Test("Of the devices that wait for admission, the one that has waited longest gives way to a newcomer, which enters with its key")
    func crowd() throws {
        let panel = try Panel()
        let token = try panel.access.addToken(for: .view, at: 0)
        let key = try #require(try panel.access.pair(token: token, name: "", at: 1)).key
        let crowd = try (0..<5).map { _ in try panel.device() }
        let device = try panel.device()
        try panel.say(["key": key], on: device)
        #expect(try panel.answer(device)?["role"] == "view")
        #expect(try panel.client().upgrade("/osc") == 101)
        for each in crowd { #expect(try panel.answer(each) == nil) }
    }

    @Test("A client that has asked for a challenge waits no longer for admission than others: a newcomer is not turned out in its place")
    func challenged() throws {
        let panel = try Panel()
        let key = try #require(try panel.access.pair(token: panel.access.addToken(for: .view, at: 0), name: "", at: 1)).key
        let holders = try (0..<2).map { _ in
            let client = try panel.device()
            try panel.say(["challenge": true], on: client)
            _ = try #require(try panel.answer(client))
            return client
        }
        let device = try panel.device()
        let other = try panel.device()
        for each in holders { #expect(try panel.answer(each) == nil) }
        try panel.say(["key": key], on: device)
        #expect(try panel.answer(device)?["role"] == "view")
        withExtendedLifetime(other) {}
    }

    @Test("Of two clients with one address and port, at two ports of the panel, the later one is disconnected, to try again")
    func samePort() throws {
        let panel = try Panel(hasProxy: true)
        let loopback: UInt32 = 0x7F00_0001
        let own = try #require(SocketClient(port: panel.server.port, source: loopback))
        #expect(own.upgrade("/osc") == 101)
        #expect(try panel.answer(own)?["role"] == "admin")
        let proxyPort = try #require(panel.server.proxyPort)
        let device = try #require(SocketClient(port: proxyPort, source: loopback, sourcePort: own.localPort))
        #expect(device.upgrade("/osc", host: Panel.name) == 101)
        // The page takes 1008 for the end of its pairing.
        #expect(device.frame()?.payload == [0x0F, 0xAD])
        try panel.say(["listen": true], on: own)
        #expect(try panel.answer(own)?["ticket"] != nil)
    }

    @Test("The failures of a proxy's client are counted for the last address that the proxy names, not for all who come through it")
    func proxied() throws {
        let panel = try Panel(hasProxy: true)
        let port = try #require(panel.server.proxyPort), now = Date().timeIntervalSince1970
        func answer(_ fields: [String: String], for addresses: String) throws -> [String: String]? {
            let client = try #require(SocketClient(port: port))
            #expect(client.upgrade("/osc", host: Panel.name, more: "X-Forwarded-For: \(addresses)") == 101)
            try panel.say(fields, on: client)
            return try panel.answer(client)
        }
        for number in 1...5 { _ = try answer(["key": "nonsense"], for: "192.0.2.\(number), 198.51.100.1") }
        let token = try panel.access.addToken(for: .view, at: now)
        #expect(try answer(["token": token], for: "198.51.100.1")?["error"]?.contains("in a minute") == true)
        #expect(try answer(["token": token], for: "198.51.100.2")?["role"] == "view")
    }

    @Test("A client that comes through a proxy has to be paired, whatever host its request names")
    func proxy() throws {
        let panel = try Panel(hasProxy: true)
        let port = try #require(panel.server.proxyPort)
        func answer(_ head: String, through port: UInt16) throws -> Int? {
            let client = try #require(SocketClient(port: port))
            client.send(Array((head + "\r\n").utf8))
            return client.everything().split(separator: " ").dropFirst().first.flatMap { Int($0) }
        }
        let close = "Connection: close\r\n"
        for host in ["127.0.0.1", "localhost", "[::1]", Panel.name] {
            #expect(try answer("GET /course.json HTTP/1.1\r\nHost: \(host)\r\n\(close)", through: port) == 403, "\(host)")
            #expect(try answer("GET /listen.mp3 HTTP/1.1\r\nHost: \(host)\r\n\(close)", through: port) == 403, "\(host)")
            let client = try #require(SocketClient(port: port))
            #expect(client.upgrade("/osc", host: host) == 101)
            client.send(0x82, OSCMessage("/binaural/play").encoded)
            #expect(try panel.answer(client) == nil, "\(host)")
        }
        #expect(try answer("GET / HTTP/1.1\r\nHost: \(Panel.name)\r\n\(close)", through: port) == 200)
        #expect(try answer("GET /course.json HTTP/1.0\r\n", through: port) == 403)
        // A proxy at the server's own port says that it is one, or leaves out what a program sends.
        for line in [
            "Forwarded: for=192.0.2.1", "Via: 1.1 proxy", "X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: https", "X-Real-IP: 192.0.2.1",
        ] {
            #expect(try panel.get("/course.json", "Host: localhost", line).hasPrefix("HTTP/1.1 403 "), "\(line)")
        }
        #expect(try answer("GET /course.json HTTP/1.0\r\n", through: panel.server.port) == 403)
        #expect(try answer("GET /course.json HTTP/1.1\r\n\(close)", through: panel.server.port) == 400)
        #expect(try panel.get("/course.json", "Host: localhost").hasPrefix("HTTP/1.1 200 "))
    }

    @Test("Where a proxy has no port of its own, programs on this machine have to be paired as well")
    func untrusted() throws {
        let panel = try Panel(trustsThisMachine: false)
        #expect(try panel.get("/course.json", "Host: localhost").hasPrefix("HTTP/1.1 403 "))
        let client = try panel.client()
        #expect(client.upgrade("/osc") == 101)
        try panel.say(["token": panel.access.addToken(for: .control, at: Date().timeIntervalSince1970)], on: client)
        #expect(try panel.answer(client)?["role"] == "control")
    }

    @Test("A page proves its token or key without sending it, and shows a pass with its other requests")
    func proving() throws {
        let panel = try Panel()
        func challenge(_ client: SocketClient) throws -> String {
            try panel.say(["challenge": true], on: client)
            return try #require(try panel.answer(client)?["challenge"])
        }
        let token = try panel.access.addToken(for: .view, at: Date().timeIntervalSince1970), hash = SHA256.hexadecimal(token)
        let first = try panel.device()
        let text = try challenge(first), key = Credential.key(from: hash, for: text)
        try panel.say(["tokenProof": Credential.proof(of: hash, for: text), "name": "Phone"], on: first)
        let entered = try #require(try panel.answer(first))
        #expect(entered["role"] == "view")
        #expect(entered["key"] == nil)
        let later = try panel.device()
        try panel.say(["keyProof": Credential.proof(of: SHA256.hexadecimal(key), for: challenge(later))], on: later)
        let pass = try #require(try panel.answer(later)?["pass"])
        #expect(pass != key)
        #expect(try panel.get("/course.json", "Host: \(Panel.name)", "Binaural-Pass: \(pass)").hasPrefix("HTTP/1.1 200 "))
        #expect(try panel.get("/course.json", "Host: \(Panel.name)", "Binaural-Pass: ").hasPrefix("HTTP/1.1 403 "))
        // A proof that somebody has read along is for another challenge.
        let thief = try panel.device()
        _ = try challenge(thief)
        try panel.say(["keyProof": Credential.proof(of: SHA256.hexadecimal(key), for: text)], on: thief)
        #expect(try panel.answer(thief)?["error"]?.contains("revoked") == true)
    }

    @Test("A revoked device is disconnected within seconds, and its key is refused")
    func revoked() throws {
        let panel = try Panel()
        let client = try panel.device()
        try panel.say(["token": panel.access.addToken(for: .admin, at: Date().timeIntervalSince1970)], on: client)
        let key = try #require(try panel.answer(client)?["key"])
        _ = try panel.access.revoke(1)
        // The next one that is paired gets its number.
        _ = try panel.access.pair(token: panel.access.addToken(for: .view, at: 0), name: "Other", at: 1)
        #expect(try panel.answer(client) == nil)
        let later = try panel.device()
        try panel.say(["key": key], on: later)
        #expect(try panel.answer(later)?["error"]?.contains("revoked") == true)
    }

    @Test("After five wrong keys an address may pair no device for a minute, but a right key from it is never refused, nor are others")
    func failures() throws {
        let panel = try Panel()
        let now = Date().timeIntervalSince1970
        let key = try #require(try panel.access.pair(token: panel.access.addToken(for: .view, at: now), name: "", at: now)).key
        for _ in 0..<5 {
            let client = try panel.device()
            try panel.say(["key": "nonsense"], on: client)
            _ = try panel.answer(client)
        }
        let newcomer = try panel.device()
        try panel.say(["token": panel.access.addToken(for: .view, at: now)], on: newcomer)
        #expect(try panel.answer(newcomer)?["error"]?.contains("in a minute") == true)
        #expect(try panel.get("/", "Host: \(Panel.name)").hasPrefix("HTTP/1.1 200 "))
        #expect(try panel.get("/course.json", "Host: \(Panel.name)", "Binaural-Key: \(key)").hasPrefix("HTTP/1.1 200 "))
        let device = try panel.device()
        try panel.say(["key": key], on: device)
        #expect(try panel.answer(device)?["role"] == "view")
        #expect(try panel.client().upgrade("/osc") == 101)
    }

    @Test(
        "A client that sends too many requests gets 429, and its page asks again by itself; programs on this machine are served meanwhile")
    func tooMany() throws {
        let panel = try Panel()
        let request = "GET /nothing HTTP/1.1\r\nHost: \(Panel.name)\r\n"
        var answers = ""
        // A slow machine may need some time for more than is allowed in it.
        for _ in 0..<20 where !answers.contains("HTTP/1.1 429 ") {
            let client = try panel.client()
            client.send(Array((String(repeating: request + "\r\n", count: 250) + request + "Connection: close\r\n\r\n").utf8))
            answers = client.everything()
        }
        #expect(answers.contains("HTTP/1.1 429 "))
        #expect(answers.contains("\r\nRefresh: 10\r\n"))
        #expect(try panel.get("/", "Host: localhost").hasPrefix("HTTP/1.1 200 "))
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
            "Referrer-Policy: no-referrer", "Cache-Control: no-cache", "Vary: Accept-Encoding",
        ] { #expect(page.contains(header), "\(header)") }
        #expect(try panel.get("/secret", "Host: localhost").hasPrefix("HTTP/1.1 404 "))
    }

    @Test("A file of the page is compressed for clients that accept it, and is not sent again to one that has it")
    func files() throws {
        let panel = try Panel()
        func length(_ answer: String) throws -> Int {
            try #require(answer.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) })
        }
        let plain = try panel.get("/app.js", "Host: localhost")
        #expect(!plain.contains("Content-Encoding"))
        for accepted in ["gzip, deflate, br", "br;q=1.0, GZIP;q=0.5", "*"] {
            let answer = try panel.get("/app.js", "Host: localhost", "Accept-Encoding: \(accepted)")
            #expect(answer.contains("\r\nContent-Encoding: gzip\r\n"), "\(accepted)")
            #expect(try length(answer) < length(plain) / 2, "\(accepted)")
        }
        for refused in ["", "br", "gzip;q=0", "gzip; q=0.0, br"] {
            #expect(
                !(try panel.get("/app.js", "Host: localhost", "Accept-Encoding: \(refused)").contains("Content-Encoding")), "\(refused)")
        }
        let tag = try #require(plain.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") }?.dropFirst(6))
        for known in ["\(tag)", "W/\"other\", \(tag)", "\(tag.dropFirst(2))"] {
            let answer = try panel.get("/app.js", "Host: localhost", "Accept-Encoding: gzip", "If-None-Match: \(known)")
            #expect(answer.hasPrefix("HTTP/1.1 304 Not Modified\r\n"), "\(known)")
            #expect(answer.hasSuffix("\r\n\r\n") && answer.contains("\r\nETag: \(tag)\r\n"), "\(known)")
        }
        #expect(try panel.get("/", "Host: localhost", "If-None-Match: \(tag)").hasPrefix("HTTP/1.1 200 "))
    }

    @Test("A long course is compressed for clients that accept it")
    func longCourse() throws {
        let panel = try Panel()
        panel.course.json = "[" + String(repeating: "0,", count: 5000) + "0]"
        let answer = try panel.get("/course.json", "Host: localhost", "Accept-Encoding: gzip")
        #expect(answer.contains("\r\nContent-Encoding: gzip\r\n") && answer.contains("\r\nCache-Control: no-store\r\n"))
        #expect(answer.utf8.count < 2000)
        #expect(try panel.get("/course.json", "Host: localhost").hasSuffix(",0]"))
    }

    @Test("The course of what plays is for programs on this machine and paired devices; nothing is sent if nothing plays")
    func course() throws {
        let panel = try Panel()
        let answer = try panel.get("/course.json?width=nan", "Host: localhost")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n{\"end\":60}"))
        for header in ["Content-Type: application/json\r\n", "Cache-Control: no-store\r\n", "X-Content-Type-Options: nosniff\r\n"] {
            #expect(answer.contains(header), "\(header)")
        }
        #expect(try panel.get("/course.json", "Host: \(Panel.name)").hasPrefix("HTTP/1.1 403 "))
        let token = try panel.access.addToken(for: .view, at: 0)
        let key = try #require(try panel.access.pair(token: token, name: "", at: 1)).key
        #expect(try panel.get("/course.json", "Host: \(Panel.name)", "Binaural-Key: \(key)").hasPrefix("HTTP/1.1 200 "))
        panel.course.json = nil
        #expect(try panel.get("/course.json", "Host: localhost").hasPrefix("HTTP/1.1 204 "))
        #expect(try panel.get("/picture.svg", "Host: localhost").hasPrefix("HTTP/1.1 404 "))
    }
}
