import HTTP
import TestSupport
import Testing

@Suite("Requests", .ownThread)
struct RequestTests {
    /// The answer to bytes of a client, up to the end of the connection.
    private static func answer(_ text: String) throws -> String {
        let served = try Served()
        let client = try served.client()
        client.send(Array(text.utf8))
        return withExtendedLifetime(served) { client.everything() }
    }

    private static func status(_ text: String) throws -> Int? {
        try answer(text).split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }

    @Test("A request is answered when the empty line has arrived, however it is cut, with path, query and headers")
    func whole() throws {
        let served = try Served()
        let client = try served.client()
        let head = "\r\nGET /a/b?VALUE HTTP/1.1\r\nHost:  localhost:80 \r\nX-Two: 1\r\nx-two: 2\r\nConnection: close\r\n\r\n"
        for byte in head.utf8 { client.send([byte]) }
        #expect(client.everything().hasSuffix("\r\n\r\n/a/b\n"))
        let request = try #require(served.counts.last.withLock { $0 })
        #expect(request.method == "GET")
        #expect(request.path == "/a/b")
        #expect(request.query == "VALUE")
        #expect(!request.keepsAlive)
        #expect(request.headers == ["host": "localhost:80", "x-two": "1,2", "connection": "close"])
    }

    @Test("HTTP/1.0 and Connection: close are for one request; others may follow, even before the answer")
    func keeping() throws {
        let answer = try Self.answer(
            "GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\nHEAD /2 HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /3 HTTP/1.0\r\n\r\nGET /4 HTTP/1.1\r\nHost: localhost\r\n\r\n"
        )
        #expect(answer.components(of: "HTTP/1.1 200 OK\r\n") == 3)
        #expect(answer.contains("/1\n"))
        #expect(!answer.contains("/2"))
        #expect(answer.hasSuffix("/3\n"))
        #expect(
            try Self.answer("GET /1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\nGET /2 HTTP/1.1\r\nHost: localhost\r\n\r\n")
                .hasSuffix("\r\n\r\n/1\n"))
    }

    @Test("A request for a protocol that the server does not speak is answered, and its connection closed")
    func unknownProtocol() throws {
        for name in ["h2c", "TLS/1.0", "websockets", "h2c, irc/6.9"] {
            let answer = try Self.answer(
                "GET /1 HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: \(name)\r\n\r\nGET /2 HTTP/1.1\r\nHost: localhost\r\n\r\n"
            )
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.contains("Connection: close\r\n"))
            #expect(answer.hasSuffix("\r\n\r\n/1\n"))
        }
    }

    @Test(
        "An invalid request is refused with the status that says why",
        arguments: [
            ("nonsense\r\n\r\n", 405), ("GET /\r\n\r\n", 505), ("get / HTTP/1.1\r\n\r\n", 405),
            ("GET http://a/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
            ("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", 400), ("GET / HTTP/2.0\r\n\r\n", 505), ("GET / HTTP/3.7\r\n\r\n", 505),
            ("GET / FTP/1.1\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nno colon\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: localhost\r\nname : 1\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: localhost\r\n: 1\r\n\r\n", 400),
            ("GET /\u{0} HTTP/1.1\r\nHost: localhost\r\n\r\n", 400), ("POST / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
            ("BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
            ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n", 403),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://example.com\r\n\r\n", 403),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello", 413),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 413),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ])
    func refused(text: String, status: Int) throws { #expect(try Self.status(text) == status, "\(text)") }

    @Test("The size of a request's headers, their number and the length of its path are limited, also for a second request")
    func bounds() throws {
        let path = String(repeating: "a", count: Request.maximumTargetSize)
        let headers = String(repeating: "a: b\r\n", count: Request.maximumHeaderCount + 1)
        for first in ["", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"] {
            func last(_ text: String) throws -> Substring? {
                try Self.answer(first + text).components(separatedBy: "HTTP/1.1 ").last?.prefix(3)
            }
            #expect(try last("GET /\(path) HTTP/1.1\r\nHost: localhost\r\n\r\n") == "414")
            #expect(try last("GET / HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n") == "431")
            // The last line never ends.
            #expect(try last("GET / HTTP/1.1\r\nHost: localhost\r\na: \(String(repeating: "b", count: Request.maximumHeadSize))") == "431")
            #expect(try last("GET /\(String(repeating: "b", count: Request.maximumHeadSize))") == "431")
        }
        #expect(try Self.status("GET /\(path.dropLast()) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n") == 200)
    }

    @Test("A client that does not read its answer gets no other one, and holds a bounded amount of output")
    func unread() throws {
        let served = try Served()
        let client = try served.client()
        client.send(Array(String(repeating: "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 300).utf8))
        client.send(Array("GET /last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8))
        // Others are answered meanwhile.
        let other = try served.client()
        other.send(Array("GET /other HTTP/1.0\r\n\r\n".utf8))
        #expect(other.everything().hasSuffix("/other\n"))
        #expect(served.counts.last.withLock { $0?.path } == "/other")
        let answers = client.everything()
        #expect(answers.hasSuffix("/last\n"))
        #expect(answers.components(of: "HTTP/1.1 200 OK\r\n") == 301)
    }

    @Test("A request for a WebSocket is answered as in RFC 6455")
    func handshake() throws {
        func answer(_ changed: (String, String?)..., method: String = "GET", path: String = "/", version: String = "1.1") throws -> String {
            var headers = [
                "Host": "localhost", "Upgrade": "websocket", "Connection": "keep-alive, Upgrade", "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            ]
            for (name, value) in changed { headers[name] = value }
            // The close frame ends the WebSocket; after a refusal nobody reads it.
            let served = try Served()
            let client = try served.client()
            client.send(
                Array(("\(method) \(path) HTTP/\(version)\r\n" + headers.map { "\($0): \($1)\r\n" }.joined() + "\r\n").utf8) + [
                    0x88, 0x80, 0, 0, 0, 0,
                ])
            return withExtendedLifetime(served) { client.everything() }
        }
        let opened = try answer()
        #expect(try answer(method: "HEAD").hasPrefix("HTTP/1.1 400 "))
        #expect(try answer(version: "1.0").hasPrefix("HTTP/1.1 400 "))
        #expect(opened.hasPrefix("HTTP/1.1 101 "))
        #expect(opened.lowercased().contains("sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo="))
        #expect(try answer(("Connection", "close")).hasPrefix("HTTP/1.1 400 "))
        #expect(try answer(("Sec-WebSocket-Version", "8")).contains("Sec-WebSocket-Version: 13"))
        #expect(try answer(("Sec-WebSocket-Key", "short")).hasPrefix("HTTP/1.1 400 "))
        #expect(try answer(("Origin", "http://example.com")).hasPrefix("HTTP/1.1 403 "))
        #expect(try answer(path: "/refused").hasPrefix("HTTP/1.1 404 "))
        #expect(try answer(("Upgrade", nil), ("Connection", "close")).hasPrefix("HTTP/1.1 200 "))
    }
}

extension String {
    /// How often the text occurs.
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }

    fileprivate func components(separatedBy text: String) -> [Substring] { split(separator: text, omittingEmptySubsequences: false) }
}
