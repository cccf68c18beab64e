import Foundation
import HTTP
import TestSupport
import Testing

@testable import WebPanel

/// Altered request headers, pairing messages and files of paired devices. Each client has an address of its own, so that the limits of an
/// address do not hide what comes after them.
@Suite("Changed requests for entry", .ownThread) struct FuzzedEntryTests {
    /// Servers are replaced before the addresses that they remember are used up.
    private struct Panels {
        var panel: Panel
        private var count = 0

        init() throws { panel = try Panel() }

        mutating func client() throws -> SocketClient {
            if count == 200 { (panel, count) = (try Panel(), 0) }
            count += 1
            return try #require(SocketClient(port: panel.server.port, source: 0x7F01_0100 + UInt32(count)))
        }
    }

    // MARK: Heads

    private static let evil = "evil.example"
    private static let socket =
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    /// Most changes of it do not matter.
    private static let browser =
        "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36\r\n"
        + "Accept-Language: en-GB,en;q=0.9\r\nAccept-Encoding: gzip, deflate\r\nSec-Fetch-Site: same-origin\r\nPragma: no-cache\r\n"
    /// Heads and the status of their answers.
    private static let requests: [(text: String, status: Int)] = [
        ("GET / HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n", 200),
        ("HEAD /app.js HTTP/1.0\r\nHost: [::1]:7880\r\nOrigin: http://[::1]:7880\r\n\r\n", 200),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n", 200),
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n\r\nhello", 413),
        ("GET /course.json?width=700&dark HTTP/1.1\r\nHost: \(Panel.name)\r\nBinaural-Key: 0123\r\n\r\n", 403),
        ("GET /listen.mp3?ticket=0123456789abcdef HTTP/1.1\r\nHost: \(Panel.name)\r\nSec-Fetch-Site: same-origin\r\n\r\n", 403),
        ("GET /osc HTTP/1.1\r\nHost: \(Panel.name)\r\nOrigin: http://\(Panel.name)\r\n\(socket)\(browser)\r\n", 101),
        ("GET /osc HTTP/1.0\r\nHost: localhost\r\n\(socket)\r\n", 400), ("HEAD /osc HTTP/1.1\r\n\(socket)\r\n", 400),
        ("GET /osc HTTP/1.1\r\nHost: localhost\r\nOrigin: http://\(evil)\r\n\(socket)\r\n", 403),
        ("GET /course.json HTTP/1.1\r\nHost: \(evil):7880\r\n\r\n", 403),
        ("GET /osc HTTP/1.1\r\nHost: \(evil)\r\nOrigin: http://\(evil)\r\n\(socket)\r\n", 403),
    ]

    /// It ends what was cut short; for a WebSocket it is a wrong frame, which the zeros complete.
    private static let end =
        Array("\r\n\r\nGET /end HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8) + [UInt8](repeating: 0, count: 200)

    @Test(
        "However the headers of a request are altered, it is answered with the status that the rules call for, and none that names another site or shows no key gets in"
    )
    func requests() throws {
        var mutations = Mutations(
            seed: 1,
            words: [
                "\r\n", "\n", "\r\n\r\n", ":", " ", "\t", "\r\n ", ", ", "Host: ", "Host: \(Self.evil)\r\n", "Origin: null\r\n", "HOST",
                "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "Expect: 100-continue\r\n", "HTTP/1.0", "HTTP/9.9", "%00", "../",
                "?",
                "Via: 1.1 x\r\n", "X-Forwarded-For: 1\r\n", "&width=", "1e999", "nan", "-0", "@", "#", "\u{0}", "ö", "keep-alive",
                "x: y\r\n",
                String(repeating: "a: b\r\n", count: 65),
            ])
        let count = Mutations.count(few: 1000, many: 100_000), hosts = HostRule(named: [Panel.name])
        var (panels, statuses, usual) = (try Panels(), [Int: Int](), 0)
        for (text, status) in Self.requests {
            #expect(try Self.answer(to: Array(text.utf8), panels.client()).status == status, "\(text)")
            #expect(EntryReference(Array(text.utf8), hosts: hosts)?.statuses.contains(status) == true, "\(text)")
        }
        for _ in 0..<count {
            let bytes = mutations.next(of: Self.requests.map { Array($0.text.utf8) })
            let (status, answer) = Self.answer(to: bytes, try panels.client(), in: mutations.parts(of: bytes))
            let sent = String(decoding: bytes, as: UTF8.self)
            try #require(Self.isEnd(answer), "closed without an end: \(sent)")
            statuses[status, default: 0] += 1
            if let reference = EntryReference(bytes + Self.end, hosts: hosts) {
                usual += 1
                try #require(reference.statuses.contains(status), "\(status) instead of \(reference.statuses): \(sent)")
            } else {
                // Wrong and unusual requests are answered, too.
                let known = [101, 200, 400, 403, 404, 405, 413, 414, 426, 431, 503, 505]
                try #require(known.contains(status), "\(status): \(sent)")
            }
            let named = Self.values(of: "host", in: sent), origins = Self.values(of: "origin", in: sent)
            if (named + origins).contains(where: { $0.contains(Self.evil) }) {
                try #require([400, 403, 405, 414, 431, 505].contains(status), "\(status): \(sent)")
            }
            if named.contains(where: { $0.contains(Panel.name) }) { try #require(!answer.contains("{\"end\":60}"), "\(sent)") }
        }
        #expect([101, 200, 400, 403, 404, 405, 413, 414, 431, 505].allSatisfy { statuses[$0] ?? 0 > 0 }, "\(statuses)")
        #expect(usual > count / 5)
        print(
            "figure: \(count) altered request headers, \(usual) of them with the usual syntax: \(statuses.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))"
        )
    }

    /// The first status, 0 for none, and everything that was answered.
    private static func answer(to bytes: [UInt8], _ client: SocketClient, in parts: [[UInt8]]? = nil) -> (status: Int, text: String) {
        for part in parts ?? [bytes] { client.send(part) }
        client.send(end)
        // A stream would never end.
        if String(decoding: bytes, as: UTF8.self).contains("listen") { client.finish() }
        let text = client.everything()
        let status = text.hasPrefix("HTTP/1.") ? Int(text.dropFirst(9).prefix(3)) : nil
        return (text.isEmpty ? 0 : status ?? -1, text)
    }

    /// Whether the server has closed the connection because of what it was sent, and not after a time.
    private static func isEnd(_ text: String) -> Bool {
        guard let end = text.firstRange(of: "\r\n\r\n")?.upperBound else { return false }
        return text.hasPrefix("HTTP/1.1 101") ? end < text.endIndex : text.contains("Connection: close") && !text.contains("HTTP/1.1 408")
    }

    /// The values of a header in the first request of a text.
    private static func values(of name: String, in text: String) -> [String] {
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map {
            String($0).trimmingCharacters(in: ["\r"])
        }
        let begin = lines.firstIndex { !$0.isEmpty } ?? lines.endIndex
        return lines[begin...].prefix { !$0.isEmpty }.dropFirst().compactMap { line in
            let parts = line.lowercased().split(separator: ":", maxSplits: 1)
            return parts.count == 2 && parts[0] == name ? String(parts[1]) : nil
        }
    }

    // MARK: Pairing

    @Test("However a pairing message is changed, only one that has the whole token or key lets its sender in, once")
    func pairing() throws {
        var mutations = Mutations(
            seed: 2,
            words: [
                "\"", "\\u0000", "\\", "{", "}", "[", "]", ":", ",", "null", "true", "1e999", "-1", "\"key\"", "\"token\"", "\"listen\"",
                "\"name\"",
                "ö", "\u{FEFF}", "\\ud800", "[[[[[[[[[[", "{\"a\":", "0", " ",
            ])
        let count = Mutations.count(few: 300, many: 20_000)
        var (panels, entered, refused, closed) = (try Panels(), 0, 0, 0)
        for _ in 0..<count {
            let client = try panels.client()
            let panel = panels.panel
            try #require(client.upgrade("/osc", host: Panel.name) == 101)
            let (token, now) = (try panel.access.addToken(for: .view, at: Date().timeIntervalSince1970), Date().timeIntervalSince1970)
            let spare = try panel.access.addToken(for: .control, at: now)
            let key = try #require(try panel.access.pair(token: spare, name: "Phone", at: now)).key
            let messages = [
                "{\"token\":\"\(token)\",\"name\":\"\(String(repeating: "Tablet ", count: 20))\"}", "{\"key\":\"\(key)\"}",
                "{\"listen\":true}",
                "{\"name\":\"\\u0007x\",\"key\":null,\"token\":\"\(token)\"}",
            ].map { Array($0.utf8) }
            let bytes = mutations.next(of: messages)
            let before = try panel.access.clients().count
            client.send(SocketClient.frame(0x81, bytes))
            let text = String(decoding: bytes, as: UTF8.self)
            let isWhole = text.contains("\"\(token)\"") || text.contains("\"\(key)\"")
            let answer = client.frame()
            if let answer, answer.first == 0x81, let values = try? JSONDecoder().decode([String: String].self, from: Data(answer.payload)),
                values["error"] == nil
            {
                entered += 1
                try #require(isWhole && values["role"] == (text.contains(token) ? "view" : "control"), "\(text)")
            } else {
                if answer?.first == 0x81 { refused += 1 } else { closed += 1 }
                try #require([0x81, 0x88].contains(answer?.first))
                let code = (answer?.first == 0x88 ? answer : client.frame())?.payload ?? []
                try #require([[0x03, 0xF0], [0x03, 0xEF], [0x03, 0xF1]].contains(code), "\(text)")
                try #require(try panel.access.clients().count == before)
            }
            // It stays a short list of devices, whose names have no control characters.
            if try panel.access.clients().count > 40 { for each in try panel.access.clients() { _ = try panel.access.revoke(each.id) } }
            let names = try panel.access.clients().map(\.name)
            try #require(names.allSatisfy { name in name.unicodeScalars.count <= 64 && !name.unicodeScalars.contains { $0.value < 32 } })
        }
        #expect(entered > 0)
        #expect(refused > 0)
        #expect(closed > 0)
        print(
            "figure: \(count) changed pairing messages: \(entered) had the whole token or key, \(refused) refused with a sentence, \(closed) closed"
        )
    }

    @Test("However the file of paired devices is changed, a wrong key is refused, and a device can be paired")
    func file() throws {
        var mutations = Mutations(
            seed: 3,
            words: [
                "\"", "{", "}", "[", "]", ":", ",", "null", "-1", "9223372036854775807", "1e999", "\"role\"", "\"admin\"", "\\ud800",
                "\u{0}",
            ])
        let (folder, now) = (try TemporaryFolder(), 1000.0)
        let access = AccessFile(folder: folder.path)
        for name in ["Phone", "Tablet"] { _ = try access.pair(token: access.addToken(for: .view, at: now), name: name, at: now) }
        _ = try access.addToken(for: .admin, at: now)
        let whole = try Array(Data(contentsOf: URL(filePath: folder.file("web.json"))))
        let count = Mutations.count(few: 300, many: 20_000)
        var readable = 0
        for _ in 0..<count {
            try Data(mutations.next(of: [whole])).write(to: URL(filePath: folder.file("web.json")))
            try #require(try access.client(withKey: Credential.key()) == nil && access.client(withKey: "") == nil)
            try #require(try access.pair(token: Credential.token(), name: "", at: now) == nil)
            readable += try access.clients().isEmpty ? 0 : 1
            _ = try access.revoke(1)
            let token = try access.addToken(for: .view, at: now)
            let paired = try #require(try access.pair(token: token, name: "New", at: now + 1))
            try #require(try access.client(withKey: paired.key)?.name == "New" && access.clients().count <= 64)
        }
        #expect(readable > 0)
        #expect(readable < count)
        print("figure: \(count) changed files of paired devices, \(readable) of them readable")
    }

    // MARK: Without a connection

    @Test("However a Host and an Origin are changed, those that name another site are refused")
    func hosts() {
        var mutations = Mutations(
            seed: 4,
            words: [Self.evil, ".", ":", "@", "/", "[", "]", "localhost", "127.0.0.1", "::1", "%", " ", "\0", "0x7f", "ö", ".local", "#"])
        let rule = HostRule(machine: "studio", named: [Panel.name])
        let hosts = ["localhost", "127.0.0.1:7880", "[::1]:80", "studio.local", "\(Self.evil):80", Panel.name].map { Array($0.utf8) }
        let count = Mutations.count(few: 10_000, many: 1_000_000)
        var admitted = 0
        for _ in 0..<count {
            let host = String(decoding: mutations.next(of: hosts), as: UTF8.self).lowercased()
            let origin =
                Bool.random(using: &mutations.random) ? "http://" + String(decoding: mutations.next(of: hosts), as: UTF8.self) : nil
            var headers = ["host": host]
            headers["origin"] = origin
            guard rule.admits(headers, isLocal: Bool.random(using: &mutations.random)) else { continue }
            admitted += 1
            // Without a port, it has to be one of the names, or digits.
            let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
            let isNumeric = name.unicodeScalars.allSatisfy { "0123456789abcdef.:[]".unicodeScalars.contains($0) }
            #expect(["localhost", "studio.local", Panel.name].contains(String(name)) || isNumeric, "\(host)")
            if let origin {
                #expect(!origin.contains(Self.evil))
                #expect(!host.contains(Self.evil), "\(origin)")
            }
        }
        #expect(admitted > 0)
        #expect(admitted < count)
        print("figure: \(count) changed hosts, \(admitted) admitted")
    }
}
