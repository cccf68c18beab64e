/// The head of an HTTP request (RFC 9112).
package struct Request: Equatable, Sendable {
    package let method: String
    /// The path as it was sent, beginning with a slash, without the query.
    package let path: String
    /// The text after the first `?`; `nil` if there is none.
    package let query: String?
    /// The headers by lowercase name; several values of one name are joined by commas.
    package let headers: [String: String]
    /// Whether the client allows the connection to be reused.
    package let keepsAlive: Bool
    /// Whether a body follows. Bodies are not read.
    package let hasBody: Bool

    /// Maximum size of a head in bytes.
    package static let maximumHeadSize = 8192
    package static let maximumTargetSize = 2048
    package static let maximumHeaderCount = 64

    /// The result of reading the bytes received so far.
    package enum Reading: Equatable, Sendable {
        case incomplete
        /// The head is the first `size` bytes; the next request begins after them.
        case complete(Request, size: Int)
        /// The request is refused with this response, and the connection is closed.
        case refused(Response)
    }

    package static func read(_ bytes: some RandomAccessCollection<UInt8>) -> Reading {
        var bytes = bytes[...]
        // Empty lines before a request are skipped.
        let leading = bytes.prefix { $0 == Character.carriageReturn || $0 == Character.newline }.count
        bytes = bytes.dropFirst(leading)
        guard let end = endOfHead(bytes) else {
            return bytes.count + leading >= maximumHeadSize ? .refused(Response(.headTooLarge, closes: true)) : .incomplete
        }
        guard leading + end <= maximumHeadSize else { return .refused(Response(.headTooLarge, closes: true)) }
        do throws(Response) {
            return .complete(try Request(head: bytes.prefix(end)), size: leading + end)
        } catch {
            return .refused(error)
        }
    }

    /// The number of bytes up to and including the empty line, or `nil` if there is none yet; a line may end without the carriage return.
    private static func endOfHead(_ bytes: some RandomAccessCollection<UInt8>) -> Int? {
        var lineLength = 0
        for (count, byte) in bytes.enumerated() {
            if byte == Character.newline {
                if lineLength == 0 { return count + 1 }
                lineLength = 0
            } else if byte != Character.carriageReturn {
                lineLength += 1
            }
        }
        return nil
    }

    private init(head: some Collection<UInt8>) throws(Response) {
        guard let text = String(validating: head, as: UTF8.self), head.allSatisfy({ $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }) else {
            throw .malformed("The request is not valid text.")
        }
        let lines = text.split { $0 == "\n" || $0 == "\r\n" }
        let words = lines.first?.split(separator: " ", omittingEmptySubsequences: false) ?? []
        guard words.count == 3, !words[0].isEmpty, words[0].utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
            throw .malformed("A request must begin with a method, a path and a version, such as: GET / HTTP/1.1")
        }
        guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
            throw words[2].hasPrefix("HTTP/") ? Response(.versionNotSupported, closes: true) : .malformed("The version must be HTTP/1.1.")
        }
        guard words[1].utf8.count <= Self.maximumTargetSize else { throw Response(.targetTooLong, closes: true) }
        guard words[1].hasPrefix("/") else { throw .malformed("The path must begin with a slash.") }
        let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        method = String(words[0])
        path = String(target[0])
        query = target.count > 1 ? String(target[1]) : nil
        headers = try Self.headers(lines.dropFirst())
        let options = headers["connection"]?.lowercased() ?? ""
        keepsAlive = words[2] == "HTTP/1.1" ? !options.contains("close") : options.contains("keep-alive")
        hasBody = headers["transfer-encoding"] != nil || headers["content-length"].map { Int($0) != 0 } == true
    }

    private static func headers(_ lines: some Collection<Substring>) throws(Response) -> [String: String] {
        guard lines.count <= maximumHeaderCount else { throw Response(.headTooLarge, closes: true) }
        var headers: [String: String] = [:]
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains(where: { $0 == " " || $0 == "\t" }) else {
                throw .malformed("A header must have the form NAME: VALUE.")
            }
            let name = parts[0].lowercased()
            let value = parts[1].trimmed
            headers[name] = headers[name].map { "\($0),\(value)" } ?? value
        }
        return headers
    }
}

extension Response {
    static func malformed(_ sentence: String) -> Response { Response(.badRequest, text: sentence, closes: true) }
}

extension Substring {
    /// The text without leading and trailing blanks.
    var trimmed: String {
        let isBlank = { (character: Character) in character == " " || character == "\t" || character == "\r" }
        let rest = drop(while: isBlank)
        guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(rest[...last])
    }
}

extension Character {
    static let newline = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
}
