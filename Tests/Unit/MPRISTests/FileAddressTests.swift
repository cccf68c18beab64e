import Testing

@testable import MPRIS

@Suite("Addresses of files") struct FileAddressTests {
    @Test(
        "A path and its address are converted into each other",
        arguments: [
            ("/home/me/deep sleep.yaml", "file:///home/me/deep%20sleep.yaml"), ("/ä/%", "file:///%C3%A4/%25"),
            ("/a#b?c", "file:///a%23b%3Fc"),
        ])
    func converted(path: String, address: String) throws {
        #expect(FileAddress.of(path) == address)
        #expect(try FileAddress.path(address) == path)
    }

    @Test("A file of this machine may be named with its host, with one slash, and in capitals")
    func hosts() throws {
        #expect(try FileAddress.path("file://localhost/a.yaml") == "/a.yaml")
        #expect(try FileAddress.path("FILE:///a.yaml") == "/a.yaml")
        #expect(try FileAddress.path("file:/a%20b.yaml") == "/a b.yaml")
        #expect(try FileAddress.path("file:/localhost/a.yaml") == "/localhost/a.yaml")
    }

    @Test(
        "Anything else is not a file of this machine",
        arguments: [
            "http://example.com/a.yaml", "file://example.com/a.yaml", "file:a.yaml", "/a.yaml", "", "file:", "file://", "smb://server/a",
        ])
    func elsewhere(address: String) {
        #expect(throws: FileAddress.Fault.elsewhere) { try FileAddress.path(address) }
    }

    @Test(
        "A percent sign that is not the beginning of a character's code is a fault of its own",
        arguments: ["file:///%", "file:///%2", "file:///%zz", "file:///%FF"])
    func percentSigns(address: String) {
        #expect(throws: FileAddress.Fault.percentSign) { try FileAddress.path(address) }
    }

    @Test("A zero byte, which no name of a file can hold, is a fault of its own")
    func zeroByte() { #expect(throws: FileAddress.Fault.zeroByte) { try FileAddress.path("file:/x/a%00b") } }

    @Test("An address of more than 4096 bytes is not read")
    func long() {
        #expect(throws: FileAddress.Fault.tooLong) { try FileAddress.path("file:///" + String(repeating: "a", count: 5000)) }
    }
}
