import Testing

@testable import MPRIS

@Suite("Addresses of files") struct FileAddressTests {
    @Test(
        "A path and its address are converted into each other",
        arguments: [
            ("/home/me/deep sleep.yaml", "file:///home/me/deep%20sleep.yaml"), ("/ä/%", "file:///%C3%A4/%25"),
            ("/a#b?c", "file:///a%23b%3Fc"),
        ])
    func converted(path: String, address: String) {
        #expect(FileAddress.of(path) == address)
        #expect(FileAddress.path(address) == path)
    }

    @Test("A file of this machine may be named with its host, and in capitals")
    func hosts() {
        #expect(FileAddress.path("file://localhost/a.yaml") == "/a.yaml")
        #expect(FileAddress.path("FILE:///a.yaml") == "/a.yaml")
    }

    @Test(
        "Anything else is not a file",
        arguments: [
            "http://example.com/a.yaml", "file://example.com/a.yaml", "file:a.yaml", "/a.yaml", "", "file://", "file:///%", "file:///%2",
            "file:///%zz", "file:///a%00b", "file:///%FF", "smb://server/a", "file:///" + String(repeating: "a", count: 5000),
        ])
    func refused(address: String) { #expect(FileAddress.path(address) == nil) }
}
