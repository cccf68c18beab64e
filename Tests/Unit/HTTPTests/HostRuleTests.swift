import HTTP
import TestSupport
import Testing

@Suite("The hosts of requests") struct HostRuleTests {
    private let rule = HostRule(machine: "Studio.example.org", named: ["Music.example.org"])

    private func admits(_ headers: String..., isLocal: Bool = false) -> Bool {
        let fields = headers.map { header -> (String, String) in
            let parts = header.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (parts[0].lowercased(), parts[1].trimmingPrefix(" ").description)
        }
        return rule.admits(Dictionary(uniqueKeysWithValues: fields), isLocal: isLocal)
    }

    @Test(
        "A request may use any numeric address, and the names of this machine",
        arguments: [
            "127.0.0.1", "127.0.0.1:7880", "192.168.1.5:7880", "[::1]", "[fe80::1]:7880", "localhost", "LocalHost:80", "studio.local:7880",
            "music.example.org",
        ])
    func hosts(_ host: String) {
        #expect(admits("Host: \(host)"))
        #expect(admits("Host: \(host)", "Origin: http://\(host)"))
    }

    @Test(
        "A request by any other name is refused, as from a site whose name was made to resolve to this machine",
        arguments: [
            "example.com", "studio.example.org", "other.local", "studio.local.example.com", "127.0.0.1.example.com", "1.2.3", "[::1", "::1",
            "[]", "", "localhost:port", "user@localhost", "localhost, example.com", "127.0.0.1:123456", "localhost/",
            "127.0.0.1\0.example.com",
        ])
    func rebinding(_ host: String) {
        #expect(!admits("Host: \(host)"))
        #expect(!admits("Host: \(host)", isLocal: true))
    }

    @Test("Pages of other sites are refused; those of this machine may read on this machine only")
    func origins() {
        for origin in [
            "http://example.com", "null", "http://192.168.1.6:7880", "http://192.168.1.5:8000", "file://", "ftp://192.168.1.5:7880",
        ] {
            #expect(!admits("Host: 192.168.1.5:7880", "Origin: \(origin)"))
            #expect(!admits("Host: 192.168.1.5:7880", "Origin: \(origin)", isLocal: true))
        }
        #expect(admits("Host: music.example.org", "Origin: https://music.example.org"))
        #expect(admits("Host: 127.0.0.1:7880", "Origin: http://localhost:8000", isLocal: true))
        #expect(!admits("Host: 127.0.0.1:7880", "Origin: http://localhost:8000"))
        #expect(!admits("Host: 192.168.1.5:7880", "Origin: http://localhost:8000", isLocal: true))
    }

    @Test("Only a program on this machine may leave the host out")
    func absent() {
        #expect(admits(isLocal: true))
        #expect(!admits())
        #expect(!admits("Origin: http://example.com", isLocal: true))
    }
}
