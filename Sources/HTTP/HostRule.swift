import Glibc

/// Decides by the headers of a request whether it is answered.
///
/// `Origin` names the site of a browser's page, which may only be this server. `Host` reveals a site's name that was made to resolve to this
/// machine (DNS rebinding): it must be a numeric address, which no site can have, or a name of this machine.
package struct HostRule: Sendable {
    private let names: Set<String>

    /// - Parameters:
    ///   - machine: The machine's name, which is accepted with `.local` after it; `nil` for none.
    ///   - named: Further names that are accepted.
    package init(machine: String? = nil, named: [String] = []) {
        let own = machine.map { ["\($0.prefix { $0 != "." }).local"] } ?? []
        names = Set((["localhost"] + own + named).map { $0.lowercased() })
    }

    /// - Parameters:
    ///   - headers: The request's headers by lowercase name.
    ///   - isLocal: Whether the request comes from this machine. Its programs may omit `Host` in HTTP/1.0, and its own sites may read from it.
    package func admits(_ headers: [String: String], isLocal: Bool) -> Bool {
        guard let text = headers["host"] else { return isLocal && headers["origin"] == nil }
        guard let host = Self.host(of: text.lowercased()), names.contains(host) || Self.isAddress(host) else { return false }
        guard let origin = headers["origin"]?.lowercased() else { return true }
        guard let scheme = ["http://", "https://"].first(where: origin.hasPrefix) else { return false }
        let site = String(origin.dropFirst(scheme.count))
        if site == text.lowercased() { return true }
        return isLocal && scheme == "http://" && Self.isLoopbackHost(host) && Self.host(of: site).map(Self.isLoopbackHost) == true
    }

    /// The host of `HOST` or `HOST:PORT`, where an IPv6 address is in brackets; `nil` if it is neither.
    private static func host(of authority: String) -> String? {
        guard let match = authority.wholeMatch(of: /(\[[0-9a-f:.]+\]|[^:\[\]\/@,\s\x00]+)(:[0-9]{1,5})?/) else { return nil }
        return String(match.1)
    }

    /// Whether a request's `Host` names this machine itself. A client of a proxy can do that, too.
    package static func isLoopback(authority: String) -> Bool { host(of: authority.lowercased()).map(isLoopbackHost) == true }

    private static func isLoopbackHost(_ host: String) -> Bool { ["127.0.0.1", "[::1]", "localhost"].contains(host) }

    private static func isAddress(_ host: String) -> Bool {
        var bytes = in6_addr()
        if host.hasPrefix("[") { return inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &bytes) == 1 }
        return inet_pton(AF_INET, host, &bytes) == 1
    }
}
