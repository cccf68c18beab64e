import NIOCore
import NIOHTTP1

/// An answer to a request.
package struct Response: Error, Equatable, Sendable {
    package let status: Status
    package let contentType: String
    package let body: [UInt8]
    /// Whether the connection is closed after it.
    package let closes: Bool
    private let headers: HTTPHeaders

    package enum Status: Int, Sendable {
        case ok = 200
        case noContent = 204
        case notModified = 304
        case badRequest = 400
        case forbidden = 403
        case notFound = 404
        case methodNotAllowed = 405
        case timeout = 408
        case bodyTooLarge = 413
        case targetTooLong = 414
        case upgradeRequired = 426
        case tooManyRequests = 429
        case headTooLarge = 431
        case unavailable = 503
        case versionNotSupported = 505

        fileprivate var hasBody: Bool { self != .noContent && self != .notModified }

        fileprivate var http: HTTPResponseStatus { HTTPResponseStatus(statusCode: rawValue) }
    }

    package static func json(_ body: [UInt8]) -> Response { Response(.ok, "application/json", body) }

    /// - Parameter text: A sentence for people; the default is the status's own phrase.
    package init(_ status: Status, text: String? = nil, closes: Bool = false, headers: [(String, String)] = []) {
        let text = !status.hasBody ? "" : (text ?? status.http.reasonPhrase) + "\n"
        self.init(status, "text/plain; charset=utf-8", Array(text.utf8), closes: closes, headers: headers)
    }

    package init(_ status: Status, _ contentType: String, _ body: [UInt8], closes: Bool = false, headers: [(String, String)] = []) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.closes = closes
        self.headers = HTTPHeaders(headers)
    }

    /// The same response, compressed if the client accepts that and it is worth it.
    package func compressed(for request: Request) -> Response {
        guard body.count > Self.shortest, request.acceptsGzip, let body = Gzip.compressed(body) else { return self }
        let more = [("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding")]
        return Response(status, contentType, body, closes: closes, headers: headers.map { ($0.name, $0.value) } + more)
    }

    /// A body of at most so many bytes is in one packet either way.
    private static let shortest = 1000

    static func malformed(_ sentence: String) -> Response { Response(.badRequest, text: sentence, closes: true) }

    func head(closes: Bool) -> HTTPResponseHead {
        var headers = headers
        if status.hasBody {
            headers.add(name: "Content-Type", value: contentType)
            headers.add(name: "Content-Length", value: "\(body.count)")
        }
        // Answers are snapshots, so they must not be cached.
        if !headers.contains(name: "Cache-Control") { headers.add(name: "Cache-Control", value: "no-store") }
        if closes { headers.add(name: "Connection", value: "close") }
        return HTTPResponseHead(version: .http1_1, status: status.http, headers: headers)
    }

    /// The status line and headers of a response whose length is not known. In HTTP/1.0, which has no chunks, the body ends with the
    /// connection.
    func streamHead(for request: Request) -> HTTPResponseHead {
        var head = head(closes: true)
        head.headers.remove(name: "Content-Length")
        if request.isVersion1Point0 { head.version = .http1_0 }
        return head
    }
}
