import HTTP
import Testing

@Suite("The head of a request")
struct RequestTests {
    private static func read(_ text: String) -> Request.Reading { Request.read(Array(text.utf8)) }

    private static func status(_ text: String) -> Response.Status? {
        if case .refused(let response) = read(text) { response.status } else { nil }
    }

    @Test("a head is read when the empty line arrives, with path, query and headers; bytes after it stay unread")
    func whole() throws {
        let head = "\r\nGET /a/b?VALUE HTTP/1.1\r\nHost:  localhost:80 \r\nX-Two: 1\r\nx-two: 2\r\n\r\n"
        for end in 1..<head.utf8.count { #expect(Request.read(Array(head.utf8.prefix(end))) == .incomplete) }
        guard case .complete(let request, let size) = Self.read(head + "GET /next") else {
            Issue.record("it is not complete")
            return
        }
        #expect(size == head.utf8.count)
        #expect(request.method == "GET")
        #expect(request.path == "/a/b")
        #expect(request.query == "VALUE")
        #expect(request.keepsAlive)
        #expect(request.headers == ["host": "localhost:80", "x-two": "1,2"])
    }

    @Test(
        "lines may end without a carriage return; HTTP/1.0 and Connection: close are for one request",
        arguments: [
            ("GET / HTTP/1.1\n\n", true), ("GET / HTTP/1.0\r\n\r\n", false), ("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", false),
            ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true),
        ])
    func keeping(text: String, keeps: Bool) {
        guard case .complete(let request, _) = Self.read(text) else {
            Issue.record("it is not complete")
            return
        }
        #expect(request.keepsAlive == keeps)
        #expect(request.query == nil)
    }

    @Test(
        "an invalid head is refused with the status that says why",
        arguments: [
            ("nonsense\r\n\r\n", Response.Status.badRequest), ("GET /\r\n\r\n", .badRequest), ("get / HTTP/1.1\r\n\r\n", .badRequest),
            ("GET  / HTTP/1.1\r\n\r\n", .badRequest), ("GET http://a/ HTTP/1.1\r\n\r\n", .badRequest),
            ("GET * HTTP/1.1\r\n\r\n", .badRequest),
            ("GET / HTTP/2.0\r\n\r\n", .versionNotSupported), ("GET / FTP/1.1\r\n\r\n", .badRequest),
            ("GET / HTTP/1.1\r\nno colon\r\n\r\n", .badRequest), ("GET / HTTP/1.1\r\nname : 1\r\n\r\n", .badRequest),
            ("GET / HTTP/1.1\r\n: 1\r\n\r\n", .badRequest), ("GET /\u{0} HTTP/1.1\r\n\r\n", .badRequest),
        ])
    func refused(text: String, status: Response.Status) { #expect(Self.status(text) == status) }

    @Test(
        "a request may have a body",
        arguments: [
            ("", false), ("Content-Length: 0\r\n", false), ("Content-Length: 5\r\n", true), ("Content-Length: x\r\n", true),
            ("Transfer-Encoding: chunked\r\n", true),
        ])
    func body(header: String, has: Bool) {
        guard case .complete(let request, _) = Self.read("POST / HTTP/1.1\r\n\(header)\r\n") else {
            Issue.record("it is not complete")
            return
        }
        #expect(request.hasBody == has)
    }

    @Test("the size of a head, the length of its path and the number of its headers are limited")
    func bounds() {
        #expect(Self.status(String(repeating: "x", count: Request.maximumHeadSize)) == .headTooLarge)
        #expect(Self.read(String(repeating: "x", count: Request.maximumHeadSize - 1)) == .incomplete)
        #expect(Self.status("GET /\(String(repeating: "a", count: Request.maximumTargetSize)) HTTP/1.1\r\n\r\n") == .targetTooLong)
        let headers = String(repeating: "a: b\r\n", count: Request.maximumHeaderCount + 1)
        #expect(Self.status("GET / HTTP/1.1\r\n\(headers)\r\n") == .headTooLarge)
        let long = "GET / HTTP/1.1\r\na: \(String(repeating: "b", count: Request.maximumHeadSize))\r\n\r\n"
        #expect(Self.status(long) == .headTooLarge)
        #expect(Request.read([0xFF, 0xFE, 0x0A, 0x0A]) != .incomplete)
    }

    @Test("a request for a WebSocket is answered as in RFC 6455")
    func handshake() throws {
        func answer(_ changed: (String, String?)...) -> Response? {
            var headers = [
                "Host": "localhost", "Upgrade": "websocket", "Connection": "keep-alive, Upgrade", "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            ]
            for (name, value) in changed { headers[name] = value }
            let head = "GET / HTTP/1.1\r\n" + headers.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
            guard case .complete(let request, _) = Self.read(head) else { return nil }
            return Handshake.answer(request)
        }
        let response = try #require(answer())
        #expect(response.status == .switchingProtocols)
        #expect("\(response)".contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
        #expect(answer(("Upgrade", nil)) == nil)
        #expect(answer(("Connection", "close"))?.status == .badRequest)
        #expect(answer(("Sec-WebSocket-Version", "8"))?.status == .upgradeRequired)
        #expect(answer(("Sec-WebSocket-Key", "short"))?.status == .badRequest)
    }
}
