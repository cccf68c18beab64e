/// An answer to a request.
package struct Response: Error, Equatable, Sendable {
    package let status: Status
    package let contentType: String
    package let body: [UInt8]
    /// Whether the connection is closed after it.
    package let closes: Bool
    let headers: [String]

    package enum Status: Int, Sendable {
        case switchingProtocols = 101
        case ok = 200
        case noContent = 204
        case badRequest = 400
        case forbidden = 403
        case notFound = 404
        case methodNotAllowed = 405
        case timeout = 408
        case bodyTooLarge = 413
        case targetTooLong = 414
        case upgradeRequired = 426
        case headTooLarge = 431
        case unavailable = 503
        case versionNotSupported = 505

        var phrase: String {
            switch self {
            case .switchingProtocols: "Switching Protocols"
            case .ok: "OK"
            case .noContent: "No Content"
            case .badRequest: "Bad Request"
            case .forbidden: "Forbidden"
            case .notFound: "Not Found"
            case .methodNotAllowed: "Method Not Allowed"
            case .timeout: "Request Timeout"
            case .bodyTooLarge: "Content Too Large"
            case .targetTooLong: "URI Too Long"
            case .upgradeRequired: "Upgrade Required"
            case .headTooLarge: "Request Header Fields Too Large"
            case .unavailable: "Service Unavailable"
            case .versionNotSupported: "HTTP Version Not Supported"
            }
        }
    }

    package static func json(_ body: [UInt8]) -> Response { Response(.ok, "application/json", body) }

    /// - Parameter text: A sentence for people; the default is the status's own phrase.
    package init(_ status: Status, text: String? = nil, closes: Bool = false, headers: [String] = []) {
        let text = status == .noContent || status == .switchingProtocols ? "" : (text ?? status.phrase) + "\n"
        self.init(status, "text/plain; charset=utf-8", Array(text.utf8), closes: closes, headers: headers)
    }

    private init(_ status: Status, _ contentType: String, _ body: [UInt8], closes: Bool = false, headers: [String] = []) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.closes = closes
        self.headers = headers
    }

    /// - Parameter hasBody: False in a response to HEAD.
    func encoded(hasBody: Bool = true, closes: Bool) -> [UInt8] {
        var lines = ["HTTP/1.1 \(status.rawValue) \(status.phrase)"] + headers
        if status != .switchingProtocols {
            if status != .noContent { lines += ["Content-Type: \(contentType)", "Content-Length: \(body.count)"] }
            // Answers are snapshots, so they must not be cached.
            lines.append("Cache-Control: no-store")
            if closes { lines.append("Connection: close") }
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (hasBody ? body : [])
    }
}
