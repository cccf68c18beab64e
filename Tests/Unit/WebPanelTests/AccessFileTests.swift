import Foundation
import TestSupport
import Testing

@testable import WebPanel

@Suite("Paired clients") struct AccessFileTests {
    @Test("A token pairs one client, once, within five minutes; the key is kept as a hash")
    func pairing() throws {
        let folder = try TemporaryFolder()
        let file = AccessFile(folder: folder.path)
        let token = try file.addToken(for: .control, at: 1000)
        #expect(token.utf8.count == 32)
        #expect(try file.pair(token: String(token.reversed()), name: "Thief", at: 1001) == nil)
        let (client, key) = try #require(try file.pair(token: token, name: "Phone", at: 1299))
        #expect(client.id == 1)
        #expect(client.name == "Phone")
        #expect(client.access == .control)
        #expect(try file.pair(token: token, name: "Thief", at: 1300) == nil)
        #expect(try file.client(withKey: key) == client)
        #expect(try file.clients() == [client])
        #expect(try file.client(withKey: token) == nil)
        let late = try file.addToken(for: .view, at: 2000)
        #expect(try file.pair(token: late, name: "Late", at: 2300) == nil)
        let text = try String(contentsOfFile: folder.file("web.json"), encoding: .utf8)
        #expect(!text.contains(key))
        #expect(!text.contains(token))
        #expect(text.contains(SHA256.hexadecimal(key)))
        #expect(try FileManager.default.attributesOfItem(atPath: folder.file("web.json"))[.posixPermissions] as? Int == 0o600)
    }

    @Test("A revoked client's key is invalid at once, and its number is not in the list")
    func revoking() throws {
        let folder = try TemporaryFolder()
        let file = AccessFile(folder: folder.path)
        let keys = try (0..<3).map { number in
            try #require(try file.pair(token: file.addToken(for: .view, at: 0), name: "\(number)", at: 1)).key
        }
        let before = file.version
        #expect(try file.revoke(2)?.name == "1")
        #expect(file.version != before)
        #expect(try file.revoke(2) == nil)
        #expect(try keys.map { try file.client(withKey: $0)?.name } == ["0", nil, "2"])
    }

    @Test("A name has no characters that control a terminal, break a line or turn the direction of a text, also in a file from before")
    func names() throws {
        let folder = try TemporaryFolder()
        let file = AccessFile(folder: folder.path)
        for name in ["Phone\u{1B}[31m\u{9B}\u{202E}\u{200B}\u{2028}\u{2029}\n\u{7F}", "\u{7}", "Téléphone 📱"] {
            _ = try file.pair(token: file.addToken(for: .view, at: 0), name: name, at: 1)
        }
        #expect(try file.clients().map(\.name) == ["Phone[31m", "Browser", "Téléphone 📱"])
        try folder.write(try folder.read("web.json").replacing("\"Browser\"", with: "\"a\\u001bb\\u202ec\""), to: "web.json")
        #expect(try file.clients()[1].name == "abc")
        #expect(try file.revoke(2)?.name == "abc")
    }

    @Test("A token or key is proven for one challenge, and the key of a proven token is that which both sides derive")
    func proofs() throws {
        let folder = try TemporaryFolder()
        let file = AccessFile(folder: folder.path)
        let token = try file.addToken(for: .control, at: 0)
        let proof = Credential.proof(of: SHA256.hexadecimal(token), for: "one")
        #expect(try file.pair(proof: proof, for: "two", name: "Thief", at: 1) == nil)
        let (client, key) = try #require(try file.pair(proof: proof, for: "one", name: "Phone", at: 1))
        #expect(key == Credential.key(from: SHA256.hexadecimal(token), for: "one"))
        #expect(try file.pair(proof: proof, for: "one", name: "Thief", at: 1) == nil)
        #expect(try file.client(withKey: key) == client)
        let shown = Credential.proof(of: SHA256.hexadecimal(key), for: "three")
        #expect(try file.client(proving: shown, for: "three") == client)
        #expect(try file.client(proving: shown, for: "four") == nil)
        #expect(try !folder.read("web.json").contains(key))
    }

    @Test("Clients and tokens are limited in number")
    func bounds() throws {
        let folder = try TemporaryFolder()
        let file = AccessFile(folder: folder.path + "/new")
        for number in 0..<70 { _ = try file.pair(token: file.addToken(for: .view, at: 0), name: "\(number)", at: 1) }
        #expect(try file.clients().count == 64)
        #expect(try file.clients().first?.name == "6")
        let first = try file.addToken(for: .view, at: 0)
        for _ in 0..<16 { _ = try file.addToken(for: .view, at: 0) }
        #expect(try file.pair(token: first, name: "", at: 1) == nil)
    }

    @Test("A damaged file admits nobody, and is kept when a device is paired")
    func damaged() throws {
        let folder = try TemporaryFolder()
        let file = AccessFile(folder: folder.path)
        try folder.write("{", to: "web.json")
        #expect(try file.clients().isEmpty)
        #expect(try file.pair(token: file.addToken(for: .view, at: 0), name: "phone", at: 1)?.client.id == 1)
        #expect(try folder.read("web.json.damaged") == "{")
        // A number from an edited file cannot overflow.
        try folder.write(try folder.read("web.json").replacing("\"id\" : 1", with: "\"id\" : \(Int.max)"), to: "web.json")
        #expect(try file.clients().map(\.id) == [Int.max])
        #expect(try file.pair(token: file.addToken(for: .view, at: 0), name: "tablet", at: 1)?.client.id == 1)
    }
}
