import Foundation
import HTTP
import TestSupport
import Testing

@Suite("The addresses of a server", .ownThread) struct ListeningTests {
    @Test("All addresses have one port, and an unspecified address includes the others of its kind")
    func addresses() throws {
        for addresses in [[], ["127.0.0.1"], ["127.0.0.2", "127.0.0.2"], ["0.0.0.0", "127.0.0.2"]] {
            let server = try WebServer(port: 0, listeningOn: addresses)
            #expect(SocketClient(port: server.port) != nil, "\(addresses)")
            #expect(throws: ListenError.portInUse(server.port, address: "127.0.0.1")) { try WebServer(port: server.port) }
        }
    }

    @Test("A port for a proxy is open beside the server's own; if it is taken, neither is opened")
    func proxyPort() throws {
        let server = try WebServer(port: 0, proxyPort: 0)
        let port = try #require(server.proxyPort)
        #expect(port != server.port)
        #expect(SocketClient(port: port) != nil)
        let free = try WebServer(port: 0).port
        #expect(throws: ListenError.portInUse(port, address: "127.0.0.1")) { try WebServer(port: free, proxyPort: port) }
        #expect(try WebServer(port: free).port == free)
        #expect(try WebServer(port: 0).proxyPort == nil)
    }

    @Test("An invalid address, or one that this machine does not have, is named")
    func faults() {
        #expect(throws: ListenError.invalidAddress("studio")) { try WebServer(port: 0, listeningOn: ["studio"]) }
        #expect(throws: ListenError.failed(call: "bind", address: "192.0.2.1", code: EADDRNOTAVAIL)) {
            try WebServer(port: 0, listeningOn: ["192.0.2.1"])
        }
    }

    @Test("Connections that only wait for another request give way to new ones, the longest idle first; others keep their places")
    func idle() throws {
        let served = try Served()
        let limit = WebServer.Bounds().connectionCount
        let busy = try (0..<4).map { _ in try served.webSocket() }
        let crowd = try (4..<limit).map { number in
            let client = try served.client()
            client.send(Array("GET /\(number) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
            var answer = ""
            while !answer.hasSuffix("/\(number)\n"), let part = client.part() { answer += part }
            return client
        }
        // The last one begins another request, which has arrived when a later message is answered.
        crowd[limit - 5].send(Array("GET /slow".utf8))
        busy[0].send(0x81, [])
        _ = busy[0].frame()
        for number in 0..<limit - 5 {
            let newcomer = try served.client()
            newcomer.send(Array("GET /new HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8))
            #expect(newcomer.everything().hasSuffix("/new\n"))
            // One place is free from now on.
            if number == 0 { #expect(crowd[0].part() == nil) }
        }
        let holders = try (0..<limit - 5).map { _ in try served.webSocket() }
        #expect(crowd.dropLast().allSatisfy { $0.part() == nil })
        crowd[limit - 5].send(Array(" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8))
        #expect(crowd[limit - 5].everything().hasSuffix("/slow\n"))
        for client in busy + holders {
            client.send(0x81, Array("there".utf8))
            #expect(client.frame()?.payload == Array("there".utf8))
        }
    }

    @Test(
        "Other machines hold at most half of the places, so that programs on this machine can connect",
        .enabled(if: SocketClient.networkAddress != nil, "this machine has an address in a network"))
    func lockedOut() throws {
        let served = try Served(listeningOn: ["0.0.0.0"])
        let others = try (0..<20).map { _ in try #require(SocketClient(port: served.server.port, host: SocketClient.networkAddress ?? 0)) }
        #expect(others.map { $0.upgrade() }.count { $0 == 101 } == WebServer.Bounds().connectionCount / 2)
        #expect(try served.client().upgrade() == 101)
        withExtendedLifetime(others) {}
    }
}
