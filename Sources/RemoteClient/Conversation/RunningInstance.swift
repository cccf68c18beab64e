import Foundation
import OSC
import OSCRemote

/// The address of a running instance, from its file or from the user.
package struct RunningInstance {
    package let address: PeerAddress
    /// For error messages: the file or the option that the address came from.
    package let source: String

    /// - Parameter client: the JACK client's name; `nil` means the only instance, or the one called `binaural`.
    package static func find(client: String?, environment: [String: String] = ProcessInfo.processInfo.environment) throws -> RunningInstance
    {
        let file = try client.map { InstanceFile(client: $0, environment: environment) } ?? onlyFile(environment)
        var endpoint: Endpoint
        do {
            endpoint = try file.read()
        } catch {
            throw RemoteClientError(.unavailable, "\(error)")
        }
        // An instance that listens on all addresses is reached over loopback.
        if endpoint.host == IPAddress("0.0.0.0") { endpoint.host = .loopback }
        if endpoint.host == IPAddress("::") { endpoint.host = .loopback6 }
        return RunningInstance(address: .udp(endpoint), source: file.path)
    }

    private static func onlyFile(_ environment: [String: String]) throws -> InstanceFile {
        let usual = InstanceFile(client: "binaural", environment: environment)
        let files = InstanceFile.all(environment: environment)
        if files.isEmpty || files.contains(where: { $0.path == usual.path }) { return usual }
        if files.count == 1 { return files[0] }
        let names = names(environment: environment).joined(separator: ", ")
        throw RemoteClientError(.unavailable, "Several instances are running: \(names). Choose one with --client NAME.")
    }

    /// The JACK client names of all instances that have written such a file.
    package static func names(environment: [String: String] = ProcessInfo.processInfo.environment) -> [String] {
        InstanceFile.all(environment: environment).map { URL(filePath: $0.path).deletingPathExtension().lastPathComponent }
    }

    /// Parses an address; `nil` if it contains a host name.
    package static func address(_ text: String) -> PeerAddress? {
        guard text.hasPrefix(unixPrefix) else { return Endpoint(text).map(PeerAddress.udp) }
        let path = String(text.dropFirst(unixPrefix.count))
        let folder = FileManager.default.currentDirectoryPath
        return UnixAddress(path: path.isEmpty || path.hasPrefix("/") ? path : "\(folder)/\(path)").map(PeerAddress.unix)
    }

    private static let unixPrefix = "unix:"

    /// - Parameter text: `unix:PATH`, or `HOST:PORT`, where HOST is a name, an IPv4 address, or an IPv6 address in brackets.
    package static func at(_ text: String) throws -> RunningInstance {
        if let address = address(text) { return RunningInstance(address: address, source: "--to") }
        guard !text.hasPrefix(unixPrefix) else {
            throw RemoteClientError(.usage, "--to unix:PATH takes a path of 1 to \(UnixAddress.maximumLength) bytes, not '\(text)'.")
        }
        guard let match = text.wholeMatch(of: /([^:\[\]\s]+):([0-9]{1,5})/), let port = UInt16(match.2) else {
            throw RemoteClientError(.usage, "--to takes HOST:PORT, such as 192.168.1.20:7830, or unix:PATH, not '\(text)'.")
        }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(String(match.1), nil, &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        guard code == 0, let host = IPAddress(resolved: found) else {
            throw RemoteClientError(.unavailable, "There is no host named '\(match.1)': \(String(cString: gai_strerror(code))).")
        }
        return RunningInstance(address: .udp(Endpoint(host: host, port: port)), source: "--to")
    }
}

extension IPAddress {
    fileprivate init?(resolved entry: UnsafeMutablePointer<addrinfo>?) {
        guard let entry else { return nil }
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(entry.pointee.ai_addr, entry.pointee.ai_addrlen, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        self.init(String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
}
