import Foundation
import OSC
import OperatingSystem

/// The small file with the URL of a running instance, by which `ctl` finds it.
///
/// `$XDG_RUNTIME_DIR/binaural/CLIENT.url`, mode 0600, or in `/tmp/binaural-UID` if that variable is unset; the folder must be 0700 and
/// owned by this user.
package struct InstanceFile: Sendable {
    package let path: String
    private let folder: String

    package enum Fault: Error, Equatable, Sendable, CustomStringConvertible {
        /// Other users could read or write the folder.
        case untrustedFolder(String)
        case failed(path: String, code: Int32)
        case noInstance(path: String)
        /// Another user has written the file, or could have.
        case untrustedFile(path: String)
        case noAddress(path: String)

        package var description: String {
            switch self {
            case .untrustedFolder(let path): "\(path) is not a folder that only this user can access: remove it, or set XDG_RUNTIME_DIR."
            case .failed(let path, let code): "Cannot write \(path): \(Errno(rawValue: code))."
            case .noInstance(let path): "No instance is running: there is no address in \(path). Start one with 'binaural play'."
            case .untrustedFile(let path):
                "\(path) is not trusted: it belongs to another user, or others can write to it. Name the instance with --to HOST:PORT."
            case .noAddress(let path):
                "\(path) does not contain an address such as osc.udp://127.0.0.1:7830/. Give one with --to HOST:PORT."
            }
        }
    }

    /// - Parameter client: The name of the JACK client.
    package init(client: String, environment: [String: String]) {
        folder = Self.folder(environment)
        path = "\(folder)/\(Self.fileName(client)).url"
    }

    /// Creates the folder if necessary and writes the URL; an older file of that name is replaced atomically.
    package func write(_ endpoint: Endpoint) throws(Fault) {
        try makeFolder()
        do throws(FileError) {
            try RegularFile.replace(
                path, with: Array("\(Self.url(endpoint))\n".utf8), by: "\(path).\(getpid())", permissions: 0o600, isDurable: false)
        } catch {
            throw .failed(path: error.path, code: error.code ?? EEXIST)
        }
    }

    /// The address of the instance. Only a file that nobody else can write is trusted, since the folder may be open to everybody.
    package func read() throws(Fault) -> Endpoint {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw errno == ENOENT || errno == ENOTDIR ? .noInstance(path: path) : .untrustedFile(path: path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == getuid(), status.st_mode & 0o022 == 0
        else { throw .untrustedFile(path: path) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard let endpoint = Self.endpoint(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)) else {
            throw .noAddress(path: path)
        }
        return endpoint
    }

    /// Removes the file if it is still the one written for `endpoint`.
    package func remove(_ endpoint: Endpoint) {
        if (try? read()) == endpoint { unlink(path) }
    }

    /// The folder of these files, which is made if it is missing.
    package func folderOfInstances() throws(Fault) -> String {
        try makeFolder()
        return folder
    }

    /// All instances with such a file, sorted by client name.
    package static func all(environment: [String: String]) -> [InstanceFile] {
        let folder = folder(environment)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".url") }.sorted().map { InstanceFile(folder: folder, path: "\(folder)/\($0)") }
    }

    private init(folder: String, path: String) {
        self.folder = folder
        self.path = path
    }

    static func url(_ endpoint: Endpoint) -> String { "osc.udp://\(endpoint)/" }

    static func endpoint(_ url: String) -> Endpoint? {
        let text = url.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.hasPrefix("osc.udp://"), text.hasSuffix("/") else { return nil }
        return Endpoint(String(text.dropFirst(10).dropLast()))
    }

    private static func folder(_ environment: [String: String]) -> String {
        if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") { return "\(runtime)/binaural" }
        return "/tmp/binaural-\(getuid())"
    }

    /// Replaces slashes, which a client's name may contain but a file's may not.
    private static func fileName(_ client: String) -> String { client.replacingOccurrences(of: "/", with: "_") }

    private func makeFolder() throws(Fault) {
        if mkdir(folder, 0o700) != 0, errno != EEXIST { throw .failed(path: folder, code: errno) }
        var status = stat()
        guard lstat(folder, &status) == 0 else { throw .failed(path: folder, code: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid(), status.st_mode & 0o077 == 0 else {
            throw .untrustedFolder(folder)
        }
    }
}
