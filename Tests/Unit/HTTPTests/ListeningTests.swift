import Foundation
import HTTP
import TestSupport
import Testing

@Suite("The addresses of a server") struct ListeningTests {
    @Test("All addresses have one port, and an unspecified address includes the others of its kind")
    func addresses() throws {
        for addresses in [[], ["127.0.0.1"], ["127.0.0.2", "127.0.0.2"], ["0.0.0.0", "127.0.0.2"]] {
            let server = try WebServer(port: 0, listeningOn: addresses)
            #expect(SocketClient(port: server.port) != nil, "\(addresses)")
            #expect(throws: ListenError.portInUse(server.port, address: "127.0.0.1")) { try WebServer(port: server.port) }
        }
    }

    @Test("An invalid address, or one that this machine does not have, is named")
    func faults() {
        #expect(throws: ListenError.invalidAddress("studio")) { try WebServer(port: 0, listeningOn: ["studio"]) }
        #expect(throws: ListenError.failed(call: "bind", address: "192.0.2.1", code: EADDRNOTAVAIL)) {
            try WebServer(port: 0, listeningOn: ["192.0.2.1"])
        }
    }

    @Test(
        "Other machines hold at most half of the places, so that programs on this machine get in",
        .enabled(if: SocketClient.networkAddress != nil, "this machine has an address in a network"))
    func lockedOut() throws {
        let served = try Served(listeningOn: ["0.0.0.0"])
        let others = try (0..<20).map { _ in try #require(SocketClient(port: served.server.port, host: SocketClient.networkAddress ?? 0)) }
        #expect(others.map { $0.upgrade() }.count { $0 == 101 } == WebServer.Bounds().connectionCount / 2)
        #expect(try served.client().upgrade() == 101)
        withExtendedLifetime(others) {}
    }
}
