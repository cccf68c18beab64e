import Foundation
import HTTP

@testable import WebPanel

/// The status that a request from this machine without a valid key gets, by RFC 9112, RFC 6455 and the panel's rules, read in the simplest way.
struct EntryReference {
    /// The statuses that are right.
    let statuses: Set<Int>

    /// - Returns: `nil` if the syntax of the request's head is unusual or wrong.
    init?(_ bytes: [UInt8], hosts: HostRule) {
        guard let lines = Self.lines(of: bytes), let head = Head(lines) else { return nil }
        statuses = Self.statuses(of: head, hosts)
    }

    /// The lines before the first empty one, of printable characters only; empty lines at the beginning are skipped.
    private static func lines(of bytes: [UInt8]) -> [String]? {
        var (lines, line, size) = ([String](), "", 0)
        var rest = bytes[...]
        while rest.starts(with: [13, 10]) { rest = rest.dropFirst(2) }
        while let byte = rest.popFirst() {
            size += 1
            guard size < Request.maximumHeadSize else { return nil }
            switch byte {
            case 13:
                guard rest.popFirst() == 10 else { return nil }
                if line.isEmpty { return lines }
                lines.append(line)
                line = ""
            case 9, 0x20...0x7E: line.unicodeScalars.append(Unicode.Scalar(byte))
            default: return nil
            }
        }
        return nil
    }

    private struct Head {
        let method: String
        let target: String
        let version: String
        /// By lowercase name.
        var headers: [String: [String]] = [:]

        init?(_ lines: [String]) {
            guard let match = lines.first?.wholeMatch(of: /([A-Z]+) (\/[^ #\t]*) HTTP\/([0-9]\.[0-9])/),
                lines.count <= Request.maximumHeaderCount
            else { return nil }
            (method, target, version) = (String(match.1), String(match.2), String(match.3))
            for line in lines.dropFirst() {
                guard let field = line.wholeMatch(of: /([-!#$%&'*+.^_`|~0-9A-Za-z]+):[ \t]*(.*?)[ \t]*/) else { return nil }
                headers[field.1.lowercased(), default: []].append(String(field.2))
            }
        }

        func value(_ name: String) -> String? { headers[name]?.joined(separator: ",") }

        /// The parts of a list.
        func names(_ name: String) -> [String] {
            (value(name) ?? "").lowercased().split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    private static func statuses(of head: Head, _ hosts: HostRule) -> Set<Int> {
        let isKnownVersion = ["1.0", "1.1"].contains(head.version)
        // Methods that the parser does not know are refused before anything else, and some of those that it knows need another target.
        if !["GET", "HEAD"].contains(head.method) { return isKnownVersion ? [400, 403, 405] : [405, 505] }
        guard isKnownVersion else { return [505] }
        if let lengths = head.headers["content-length"] {
            guard lengths.count == 1, !lengths[0].isEmpty, lengths[0].allSatisfy({ ("0"..."9").contains($0) }) else { return [400] }
            // A number may be too large for its reader.
            if lengths[0].drop(while: { $0 == "0" }).count > 18 { return [400, 403, 413] }
        }
        if let coding = head.value("transfer-encoding"), head.headers["content-length"] != nil || coding.lowercased() != "chunked" {
            return [400, 403, 413]
        }
        guard head.target.utf8.count <= Request.maximumTargetSize else { return [414] }
        guard head.version == "1.0" || head.headers["host"] != nil else { return [400] }
        let fields = head.headers.mapValues { $0.joined(separator: ",") }
        guard hosts.admits(fields, isLocal: !isForwarded(head)) else { return [403] }
        if head.headers["transfer-encoding"] != nil || head.value("content-length").map({ Int($0) != 0 }) == true { return [413] }
        return head.names("upgrade").contains("websocket") ? [webSocket(head)] : plain(head)
    }

    private static func webSocket(_ head: Head) -> Int {
        let keys = head.headers["sec-websocket-key"] ?? []
        guard head.method == "GET", head.version == "1.1", head.names("connection").contains("upgrade") else { return 400 }
        guard head.headers["sec-websocket-version"] == ["13"] else { return 426 }
        guard keys.count == 1, keys[0].utf8.count == 24, keys[0].hasSuffix("==") else { return 400 }
        guard path(of: head) == "/osc" else { return 404 }
        guard let origin = head.value("origin")?.lowercased(), let host = head.value("host")?.lowercased() else { return 101 }
        return ["http://\(host)", "https://\(host)"].contains(origin) ? 101 : 403
    }

    private static func plain(_ head: Head) -> Set<Int> {
        let path = path(of: head)
        let isElsewhere = head.value("sec-fetch-site").map { !["same-origin", "none"].contains($0) } ?? false
        let isTrusted = head.value("host").map(HostRule.isLoopback(authority:)) == true && !isForwarded(head) && !isElsewhere
        if path == "/course.json" { return [isTrusted ? 200 : 403] }
        if ["/listen.mp3", "/listen.opus", "/listen.flac"].contains(path) {
            // Not more than eight may listen.
            return isTrusted ? [200, 503] : [403]
        }
        return [PanelFiles.file(at: path) == nil ? 404 : 200]
    }

    private static func isForwarded(_ head: Head) -> Bool {
        head.headers.keys.contains { ["forwarded", "via", "x-real-ip"].contains($0) || $0.hasPrefix("x-forwarded") }
    }

    private static func path(of head: Head) -> String { String(head.target.prefix { $0 != "?" }) }
}
