import NIOHTTP1

/// The request line and the headers of an HTTP request (RFC 9112).
package struct Request: Equatable, Sendable {
    package let method: String
    /// The path as it was sent, beginning with a slash, without the query.
    package let path: String
    /// The text after the first `?`; `nil` without a `?`.
    package let query: String?
    /// The headers by lowercase name; several values of one name are joined by commas.
    package let headers: [String: String]
    /// Whether the client allows the connection to be reused.
    package let keepsAlive: Bool
    /// Whether the client speaks HTTP/1.0.
    let isVersion1Point0: Bool
    /// Whether a body follows. Bodies are not read.
    let hasBody: Bool

    /// Maximum size of request line and headers in bytes.
    package static let maximumHeadSize = 8192
    package static let maximumTargetSize = 2048
    package static let maximumHeaderCount = 64

    /// Whether a proxy says that it passes the request on for another machine (RFC 7239, RFC 9110, section 7.6.3, and older customs).
    package var isForwarded: Bool {
        headers.keys.contains { ["forwarded", "via", "x-real-ip"].contains($0) || $0.hasPrefix("x-forwarded") }
    }

    /// Whether a browser says that a page of another site has asked for it. Without that, nothing is known.
    package var isCrossSite: Bool { headers["sec-fetch-site"].map { !["same-origin", "none"].contains($0) } ?? false }

    /// Whether the client accepts content that is compressed by gzip (RFC 9110, section 12.5.3).
    package var acceptsGzip: Bool {
        (headers["accept-encoding"] ?? "").lowercased().split(separator: ",").contains { coding in
            let parts = coding.split(separator: ";").map { String($0).trimmed }
            guard let name = parts.first, ["gzip", "x-gzip", "*"].contains(name) else { return false }
            return !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
        }
    }

    /// Whether the client has the content with that weak tag already, which may be one of several that it names (RFC 9110, section 13.1.2).
    package func knows(tag: String) -> Bool {
        (headers["if-none-match"] ?? "").split(separator: ",").map { String($0).trimmed }.contains {
            $0 == tag || $0 == "*" || "W/" + $0 == tag
        }
    }

    /// - Throws: The response to an invalid request.
    init(_ head: HTTPRequestHead) throws(Response) {
        guard head.version == .http1_1 || head.version == .http1_0 else { throw Response(.versionNotSupported, closes: true) }
        guard head.uri.utf8.count <= Self.maximumTargetSize else { throw Response(.targetTooLong, closes: true) }
        guard head.uri.hasPrefix("/") else { throw .malformed("The path must begin with a slash.") }
        let target = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        method = head.method.rawValue
        path = String(target[0])
        query = target.count > 1 ? String(target[1]) : nil
        headers = Dictionary(head.headers.map { ($0.name.lowercased(), $0.value.trimmed) }) { "\($0),\($1)" }
        // The parser takes what follows an Upgrade for another protocol, whether that is known or not.
        keepsAlive = head.isKeepAlive && !head.headers.contains(name: "upgrade")
        isVersion1Point0 = head.version == .http1_0
        guard isVersion1Point0 || headers["host"] != nil else { throw .malformed("A request in HTTP/1.1 must name the host.") }
        hasBody = headers["transfer-encoding"] != nil || headers["content-length"].map { Int($0) != 0 } == true
    }
}

/// Whether a request asks for a WebSocket (RFC 6455, section 4.2).
enum Upgrade {
    case none
    case webSocket
    case refused(Response)

    init(_ head: HTTPRequestHead) {
        guard Self.names(head, "upgrade").contains("websocket") else {
            self = .none
            return
        }
        let (versions, keys) = (head.headers["sec-websocket-version"], head.headers["sec-websocket-key"])
        if head.method != .GET || head.version == .http1_0 {
            self = .refused(.malformed("A WebSocket needs a request with the method GET in HTTP/1.1."))
        } else if !Self.names(head, "connection").contains("upgrade") {
            self = .refused(.malformed("A WebSocket needs the header Connection: Upgrade."))
        } else if versions != ["13"] {
            self = .refused(Response(.upgradeRequired, closes: true, headers: [("Sec-WebSocket-Version", "13")]))
        } else if keys.count != 1 || keys[0].utf8.count != 24 || !keys[0].hasSuffix("==") {
            // The key is 16 bytes in base64.
            self = .refused(.malformed("A WebSocket needs a header Sec-WebSocket-Key of 16 bytes in base64."))
        } else {
            self = .webSocket
        }
    }

    private static func names(_ head: HTTPRequestHead, _ header: String) -> [String] {
        head.headers[canonicalForm: header].map { $0.lowercased() }
    }
}

extension String {
    /// The text without leading and trailing blanks.
    fileprivate var trimmed: String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        guard let last = lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(self[...last].drop(while: isBlank))
    }
}
