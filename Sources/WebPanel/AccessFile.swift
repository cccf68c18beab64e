import Foundation
import Glibc
import OSCRemote
import OperatingSystem

/// The file with the paired clients and the pending tokens, as hashes; shared by all instances and the subcommand `web`.
package struct AccessFile: Sendable {
    private let path: String
    private let folder: String

    /// A client that was paired.
    package struct Client: Codable, Equatable, Sendable {
        /// The number that `web revoke` takes.
        package var id: Int
        package fileprivate(set) var name: String
        var role: String
        /// Seconds since 1970.
        package var paired: Double
        /// The hash of its key. Unlike the number, it never belongs to another client.
        fileprivate(set) var hash: String

        package var access: Role { Role(rawValue: role) ?? .view }
    }

    private struct Token: Codable, Sendable {
        var hash: String
        var role: String
        /// Seconds since 1970.
        var expires: Double
    }

    private struct Contents: Codable, Sendable {
        /// The URLs of the instance that was started last.
        var urls: [String] = []
        var clients: [Client] = []
        var tokens: [Token] = []
    }

    /// Seconds for which a token is valid.
    package static let tokenTime = 300.0
    private static let maximumClientCount = 64
    private static let maximumTokenCount = 16
    private static let maximumSize = 1 << 20
    /// If an edited file contains higher numbers, numbering does not continue from them.
    private static let highestID = 1_000_000

    /// - Parameter folder: The folder of the program's state; it is created when something is saved.
    package init(folder: String) { (self.folder, path) = (folder, folder + "/web.json") }

    // MARK: The subcommand

    package func clients() throws(FileError) -> [Client] { try read().clients }

    package func urls() throws(FileError) -> [String] { try read().urls }

    /// - Parameter now: Seconds since 1970.
    /// - Returns: A new token, which pairs one client.
    package func addToken(for role: Role, at now: Double) throws(FileError) -> String {
        let token = Credential.token()
        try change { contents in
            contents.tokens.removeAll { $0.expires <= now }
            contents.tokens.append(Token(hash: SHA256.hexadecimal(token), role: role.rawValue, expires: now + Self.tokenTime))
            contents.tokens.removeFirst(max(0, contents.tokens.count - Self.maximumTokenCount))
        }
        return token
    }

    /// - Returns: The client, whose connections are closed; `nil` if no client has that number.
    package func revoke(_ id: Int) throws(FileError) -> Client? {
        var revoked: Client?
        try change { contents in
            revoked = contents.clients.first { $0.id == id }
            contents.clients.removeAll { $0.id == id }
        }
        return revoked
    }

    // MARK: The server

    package func setURLs(_ urls: [String]) throws(FileError) { try change { $0.urls = urls } }

    /// Pairs a client.
    ///
    /// - Parameters:
    ///   - name: Its name in the list of clients, of which a part is kept.
    ///   - now: Seconds since 1970.
    /// - Returns: The client and its key; `nil` if the token is unknown, used or expired.
    func pair(token: String, name: String, at now: Double) throws(FileError) -> (client: Client, key: String)? {
        let (hash, key) = (SHA256.hexadecimal(token), Credential.key())
        return try pair(name: name, at: now) { $0 == hash ? key : nil }
    }

    /// Pairs a client that proves its token instead of sending it, and derives the key.
    func pair(proof: String, for challenge: String, name: String, at now: Double) throws(FileError) -> (client: Client, key: String)? {
        try pair(name: name, at: now) { hash in
            Credential.proof(of: hash, for: challenge) == proof ? Credential.key(from: hash, for: challenge) : nil
        }
    }

    /// - Parameter key: The key of a client that has shown the token with a hash; `nil` if it has not.
    private func pair(name: String, at now: Double, _ key: (String) -> String?) throws(FileError) -> (client: Client, key: String)? {
        guard try read().tokens.contains(where: { key($0.hash) != nil }) else { return nil }
        var paired: (Client, String)?
        try change { contents in
            guard let index = contents.tokens.firstIndex(where: { key($0.hash) != nil }) else { return }
            let token = contents.tokens.remove(at: index)
            guard token.expires > now, let key = key(token.hash) else { return }
            let id = (contents.clients.map(\.id).filter { $0 < Self.highestID }.max() ?? 0) + 1
            let client = Client(id: id, name: Self.shown(name), role: token.role, paired: now, hash: SHA256.hexadecimal(key))
            contents.clients.append(client)
            contents.clients.removeFirst(max(0, contents.clients.count - Self.maximumClientCount))
            paired = (client, key)
        }
        return paired
    }

    /// The client that a key belongs to; `nil` if it was never paired, or was revoked.
    func client(withKey key: String) throws(FileError) -> Client? {
        let hash = SHA256.hexadecimal(key)
        return try read().clients.first { $0.hash == hash }
    }

    /// The client that proves its key instead of sending it.
    func client(proving proof: String, for challenge: String) throws(FileError) -> Client? {
        try read().clients.first { Credential.proof(of: $0.hash, for: challenge) == proof }
    }

    /// A value that changes whenever the file does; `nil` if the file is missing.
    var version: [Int]? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return [Int(status.st_ino), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }

    // MARK: The file

    /// A name as it may be shown anywhere: at most 64 characters, without those that control a terminal, break the line or turn the direction of
    /// what follows.
    private static func shown(_ name: String) -> String {
        let isUnseen = { (scalar: Unicode.Scalar) -> Bool in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
        let name = String(String.UnicodeScalarView(name.unicodeScalars.filter { !isUnseen($0) }.prefix(64)))
        return name.isEmpty ? "Browser" : name
    }

    /// A damaged file counts as empty: it admits nobody.
    private func read() throws(FileError) -> Contents { try decoded() ?? Contents() }

    /// The contents, empty if there is no file; `nil` if it is damaged.
    private func decoded() throws(FileError) -> Contents? {
        do throws(FileError) {
            let bytes = try RegularFile.read(path, limit: Self.maximumSize)
            guard var contents = try? JSONDecoder().decode(Contents.self, from: Data(bytes)) else { return nil }
            // Earlier versions kept other characters, too.
            for index in contents.clients.indices { contents.clients[index].name = Self.shown(contents.clients[index].name) }
            return contents
        } catch  where error.isMissing {
            return Contents()
        }
    }

    /// Changes the file while no other process does.
    private func change(_ body: (inout Contents) -> Void) throws(FileError) {
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let lock = try RegularFile.openLock(path + ".lock")
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0, errno == EINTR {}
        let decoded = try decoded()
        // A damaged file is kept, beside the new one.
        if decoded == nil { try RegularFile.move(path, to: path + ".damaged") }
        var contents = decoded ?? Contents()
        body(&contents)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        guard let bytes = try? encoder.encode(contents) else { return }
        try RegularFile.replace(path, with: Array(bytes), by: path + ".new", permissions: 0o600)
    }
}
