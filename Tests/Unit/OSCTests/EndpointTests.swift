import OSC
import Testing

@Suite("Endpoints")
struct EndpointTests {
    @Test(
        "An endpoint is printed as it was parsed",
        arguments: ["127.0.0.1:7830", "192.168.1.255:0", "[::1]:65535", "[fe80::1%3]:9000", "[2001:db8::8:800:200c:417a]:1"])
    func roundTrip(text: String) throws {
        #expect(try #require(Endpoint(text)).description == text)
    }

    @Test(
        "Names, halves and nonsense are refused",
        arguments: [
            "localhost:1", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "::1:7", "[127.0.0.1]:7", "[::1]", ":7", "", "127.1:7",
            "[fe80::1%eth0]:7",
        ])
    func refused(text: String) { #expect(Endpoint(text) == nil) }

    @Test("An IPv4 address mapped to IPv6 is IPv4")
    func mapped() { #expect(IPAddress("::ffff:10.0.0.1") == IPAddress("10.0.0.1")) }

    @Test("Loopback is 127.0.0.0/8 and ::1")
    func loopback() throws {
        for text in ["127.0.0.1", "127.9.9.9", "::1"] { #expect(try #require(IPAddress(text)).isLoopback) }
        for text in ["128.0.0.1", "10.0.0.1", "::2", "::"] { #expect(try !#require(IPAddress(text)).isLoopback) }
    }

    @Test(
        "A range contains the addresses with its prefix",
        arguments: [
            ("192.168.1.0/24", "192.168.1.77", true), ("192.168.1.0/24", "192.168.2.77", false), ("0.0.0.0/0", "8.8.8.8", true),
            ("10.0.0.1", "10.0.0.1", true), ("10.0.0.1", "10.0.0.2", false), ("fe80::/10", "febf::1", true),
            ("fe80::/10", "fec0::1", false),
            ("2001:db8::/96", "2001:db8::ffff:ffff", true), ("2001:db8::/96", "2001:db8::1:0:0", false), ("::/0", "10.0.0.1", false),
            ("::/0", "::5", true),
        ])
    func ranges(range: String, host: String, contained: Bool) throws {
        #expect(try #require(IPAddressRange(range)).contains(try #require(IPAddress(host))) == contained)
    }

    @Test("Invalid ranges are refused", arguments: ["10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "::/129", "x/8", ""])
    func noRange(text: String) { #expect(IPAddressRange(text) == nil) }
}
