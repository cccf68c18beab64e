import Foundation
import HTTP
import TestSupport
import Testing

@testable import WebPanel

@Suite("Listening to what plays", .ownThread) struct ListeningTests {
    /// The page of another device, with a ticket.
    private func ticket(_ panel: Panel, for page: SocketClient) throws -> String {
        try panel.say(["listen": true], on: page)
        return try #require(try panel.answer(page)?["ticket"])
    }

    @Test("A program on this machine gets a stream in chunks, whose end is complete; with HTTP/1.0 it ends with the connection")
    func local() throws {
        let panel = try Panel()
        for (number, version, end) in [(1, "1.1", "end\r\n0\r\n\r\n"), (2, "1.0", "\r\n\r\nhelloend")] {
            let client = try panel.request("/listen.opus", host: "localhost", version: version)
            let (format, stream) = try panel.sound.stream(number)
            #expect(format == .opus)
            #expect(stream.add(Array("hello".utf8)))
            #expect(stream.add(Array("end".utf8)))
            stream.end()
            let answer = client.everything()
            #expect(answer.hasPrefix("HTTP/\(version) 200 OK\r\n"))
            #expect(answer.contains("Content-Type: audio/ogg; codecs=opus\r\n"))
            #expect(answer.hasSuffix(end), "\(answer)")
            #expect(answer.contains("hello"), "\(answer)")
            #expect(!answer.contains("Content-Length"), "\(answer)")
            #expect(answer.contains("chunked") == (version == "1.1"), "\(answer)")
        }
        #expect(try panel.get("/listen.wav", "Host: localhost").hasPrefix("HTTP/1.1 404 "))
        #expect(try panel.get("/listen.", "Host: localhost").hasPrefix("HTTP/1.1 404 "))
    }

    @Test("Another device listens with a ticket that its page has asked for; without one, or with a wrong one, it does not")
    func tickets() throws {
        let panel = try Panel()
        let page = try panel.pairedDevice()
        let client = try panel.request("/listen.mp3?ticket=\(try ticket(panel, for: page))")
        let (format, stream) = try panel.sound.stream(1)
        stream.end()
        #expect(format == .mp3)
        #expect(client.everything().hasPrefix("HTTP/1.1 200 OK\r\n"))
        for query in ["", "?ticket=", "?ticket=\(Credential.token())", "?\(Credential.token())"] {
            #expect(try panel.request("/listen.mp3\(query)", "Connection: close").everything().hasPrefix("HTTP/1.1 403 "), "\(query)")
        }
        // A stranger's page gets no ticket.
        let stranger = try panel.device()
        try panel.say(["listen": true], on: stranger)
        while let answer = try panel.answer(stranger) { #expect(answer["ticket"] == nil) }
    }

    @Test("A ticket is valid for 30 seconds, for the address that used it first; of two listeners with it the later one is served")
    func reuse() throws {
        var tickets = ListeningTickets()
        let text = tickets.issue(for: "phone", at: 100)
        #expect(tickets.ticket(text, from: "a", at: 129)?.pairing == "phone")
        #expect(tickets.ticket(text, from: "b", at: 129) == nil)
        #expect(tickets.ticket(text, from: "a", at: 131) == nil)
        let many = (0..<65).map { _ in tickets.issue(for: nil, at: 200) }
        #expect(tickets.ticket(many[0], from: "a", at: 200) == nil)
        #expect(tickets.ticket(many[1], from: "a", at: 200) != nil)

        let panel = try Panel()
        let page = try panel.pairedDevice()
        let path = "/listen.mp3?ticket=\(try ticket(panel, for: page))"
        let first = try panel.request(path)
        let one = try panel.sound.stream(1).stream
        let second = try panel.request(path)
        let two = try panel.sound.stream(2).stream
        #expect(first.everything().hasSuffix("\r\n\r\n0\r\n\r\n"))
        #expect(!one.add([1]))
        #expect(two.add(Array("x".utf8)))
        two.end()
        #expect(second.everything().hasSuffix("\r\n\r\n1\r\nx\r\n0\r\n\r\n"))
    }

    @Test("HEAD gets the same head as GET, without a length, and neither begins a stream nor ends that of its ticket")
    func head() throws {
        let panel = try Panel()
        let page = try panel.pairedDevice()
        let path = "/listen.flac?ticket=\(try ticket(panel, for: page))"
        let client = try panel.request(path)
        let stream = try panel.sound.stream(1).stream
        let head = try panel.request(path, method: "HEAD").everything()
        #expect(stream.add(Array("sound".utf8)))
        stream.end()
        let answer = client.everything()
        #expect(answer.hasPrefix(head))
        #expect(answer.dropFirst(head.count).hasPrefix("5\r\nsound\r\n"), "\(answer)")
        #expect(head.contains("Content-Type: audio/flac\r\n"))
        #expect(head.contains("Accept-Ranges: none\r\n"))
        #expect(!head.contains("Content-Length"), "\(head)")
        _ = try panel.request("/listen.opus", host: "localhost")
        #expect(try panel.sound.stream(2).format == .opus)
    }

    @Test("Sound that is encoded when the server is gone reaches nobody, and ends nothing but the stream")
    func late() throws {
        var panel: Panel? = try Panel()
        let client = try panel?.request("/listen.mp3", host: "localhost")
        let stream = try #require(try panel?.sound.stream(1).stream)
        panel = nil
        _ = client?.everything()
        #expect(eventually { !stream.add([1, 2, 3]) })
    }

    @Test("Eight clients may listen; a ninth gets 503 until one leaves, and so does every client without JACK")
    func crowd() throws {
        let panel = try Panel()
        panel.sound.refusal.withLock { $0 = "JACK is away." }
        #expect(try panel.get("/listen.mp3", "Host: localhost").hasSuffix("JACK is away.\n"))
        panel.sound.refusal.withLock { $0 = nil }
        var listeners = try (1...8).map { number in
            let client = try panel.request("/listen.flac", host: "localhost")
            _ = try panel.sound.stream(number)
            return client
        }
        let refused = try panel.get("/listen.flac", "Host: localhost")
        #expect(refused.hasPrefix("HTTP/1.1 503 "))
        #expect(refused.contains("8 devices are already listening"))
        #expect(try panel.request("/listen.flac", method: "HEAD", host: "localhost").everything().hasPrefix("HTTP/1.1 503 "))
        listeners.removeLast()
        // Only this shows the stream that its listener has disconnected.
        let last = try panel.sound.stream(8).stream
        #expect(eventually { !last.add([1]) })
        listeners.append(try panel.request("/listen.flac", host: "localhost"))
        #expect(try panel.sound.stream(9).stream.add([1]))
    }

    @Test(
        "A player that asks for the first bytes only gets the stream, and gives way to a listener for ten seconds; one that asks for all does not"
    )
    func probe() throws {
        let probing = PanelListeners.Place(isProbe: true, begun: 100)
        #expect(probing.givesWay(at: 109))
        #expect(!probing.givesWay(at: 111))
        #expect(!PanelListeners.Place(isProbe: false, begun: 100).givesWay(at: 101))

        let panel = try Panel()
        func listener(_ number: Int, _ range: String) throws -> SocketClient {
            let client = try panel.request("/listen.mp3", host: "localhost", "Range: \(range)")
            #expect(try panel.sound.stream(number).stream.add(Array("x".utf8)))
            return client
        }
        var listeners = try (1...7).map { try listener($0, "bytes=0-") }
        let probe = try listener(8, "bytes=0-1")
        listeners.append(try listener(9, "bytes=0-"))
        let answer = probe.everything()
        #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
        #expect(answer.hasSuffix("\r\n\r\n1\r\nx\r\n0\r\n\r\n"), "\(answer)")
        #expect(try panel.get("/listen.mp3", "Host: localhost", "Range: bytes=0-1").hasPrefix("HTTP/1.1 503 "))
        withExtendedLifetime(listeners) {}
    }

    @Test("A listener that stops reading is disconnected, and its output is bounded")
    func deaf() throws {
        let panel = try Panel()
        let client = try panel.request("/listen.flac", host: "localhost")
        let stream = try panel.sound.stream(1).stream
        var added = 0
        while stream.add([UInt8](repeating: 7, count: 16_384)), added < 100_000_000 {
            added += 16_384
            usleep(500)
        }
        // The system's buffers of both ends, and the limits of the stream.
        #expect(added < 16_000_000, "\(added) bytes")
        withExtendedLifetime(client) {}
    }

    @Test("A page of another site cannot make a browser on this machine listen")
    func sites() throws {
        let panel = try Panel()
        for site in ["cross-site", "same-site"] {
            #expect(
                try panel.request("/listen.mp3", host: "localhost", "Sec-Fetch-Site: \(site)", "Connection: close").everything()
                    .hasPrefix("HTTP/1.1 403 "))
        }
        let client = try panel.request("/listen.mp3", host: "localhost", "Sec-Fetch-Site: same-origin")
        try panel.sound.stream(1).stream.end()
        #expect(client.everything().hasPrefix("HTTP/1.1 200 "))
    }

    @Test("A ticket that a device got before it was revoked opens no stream")
    func revokedTicket() throws {
        let panel = try Panel()
        let page = try panel.pairedDevice()
        let path = "/listen.mp3?ticket=\(try ticket(panel, for: page))"
        _ = try panel.access.revoke(1)
        #expect(try panel.request(path, "Connection: close").everything().hasPrefix("HTTP/1.1 403 "))
    }

    @Test("A page of another site, or a missing ticket, locks nobody out, however often it asks")
    func lockOut() throws {
        let panel = try Panel()
        let site = try panel.client()
        let request = "GET /listen.mp3?ticket=x HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n"
        site.send(Array((String(repeating: request + "\r\n", count: 250) + request + "Connection: close\r\n\r\n").utf8))
        #expect(site.everything().hasPrefix("HTTP/1.1 403 "))
        #expect(try panel.get("/", "Host: localhost").hasPrefix("HTTP/1.1 200 "))
        for _ in 0..<6 { #expect(try panel.request("/listen.mp3", "Connection: close").everything().hasPrefix("HTTP/1.1 403 ")) }
        let device = try panel.device()
        try panel.say(["token": panel.access.addToken(for: .view, at: Date().timeIntervalSince1970)], on: device)
        #expect(try panel.answer(device)?["role"] == "view")
    }

    @Test("A revoked device stops hearing anything, also when its page is closed")
    func revoked() throws {
        let panel = try Panel()
        var page: SocketClient? = try panel.pairedDevice()
        let client = try panel.request("/listen.mp3?ticket=\(try ticket(panel, for: #require(page)))")
        let stream = try panel.sound.stream(1).stream
        #expect(stream.add([1]))
        page = nil
        _ = try panel.access.revoke(1)
        #expect(client.everything().hasSuffix("0\r\n\r\n"))
        #expect(!stream.add([1]))
    }
}
