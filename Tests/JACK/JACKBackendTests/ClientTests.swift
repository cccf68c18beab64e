import Foundation
import JACK
import Synchronization
import TestSupport
import Testing

/// Tests that open JACK clients in this process run one after the other: the library keeps the shared memory of one server at a time.
@Suite(.serialized, .ownThread) enum InProcessTests {}

extension InProcessTests {
    /// The overlay on real servers.
    @Suite struct ClientTests {
        @Test("Without a server, opening fails at once, names the server, and starts none")
        func withoutServer() async throws {
            try await JACKServer.runWithoutStarting { server in
                receiveLog(nil)
                #expect(throws: JACKError.noServer(name: server.name)) {
                    _ = try InactiveClient.open(name: "nobody", serverName: server.name) { _ in }
                }
                #expect(!FileManager.default.fileExists(atPath: "/dev/shm/jack_\(server.name)_\(getuid())_0"))
            }
        }

        @Test("A client with the server's name is refused, and the server still answers afterwards")
        func nameOfServer() async throws {
            try await JACKServer.run { server in
                #expect(throws: JACKError.nameOfServer(server.name)) {
                    _ = try InactiveClient.open(name: server.name, serverName: server.name) { _ in }
                }
                let client = try InactiveClient.open(name: "overlay", serverName: server.name) { _ in }
                #expect(client.name == "overlay")
            }
        }

        @Test("A client has the server's rate and size, its ports, a number if its name is in use, and connections")
        func client() async throws {
            try await JACKServer.run(sampleRate: 44_100, bufferSize: 128) { server in
                let other = try InactiveClient.open(name: "overlay", serverName: server.name) { _ in }
                let inactive = try InactiveClient.open(name: "overlay", serverName: server.name) { _ in }
                #expect(other.name == "overlay")
                #expect(inactive.name == "overlay-01")
                #expect(inactive.sampleRate == 44_100)
                #expect(inactive.bufferSize == 128)
                let port = try inactive.registerOutput("out")
                let client = try inactive.activate()
                #expect(port.name == "overlay-01:out")
                #expect(client.ports(flags: [.physical, .input]) == ["system:playback_1", "system:playback_2"])
                #expect(client.ports(matching: "^overlay", flags: .output) == ["overlay-01:out"])
                try client.connect(port.name, to: "system:playback_2")
                try client.connect(port.name, to: "system:playback_2")
                #expect(client.connections(of: port) == ["system:playback_2"])
                try client.disconnect(port.name, from: "system:playback_2")
                #expect(client.connections(of: port).isEmpty)
                #expect(throws: JACKError.cannotConnect(source: port.name, destination: "nowhere:in", code: -1)) {
                    try client.connect(port.name, to: "nowhere:in")
                }
                let frame = client.frame(atTime: microseconds())
                #expect(abs(Int64(client.frame(atTime: client.time(ofFrame: frame))) - Int64(frame)) <= 1)
                #expect(client.load >= 0)
                #expect(client.load < 100)
            }
        }

        @Test("JACK's thread flushes denormal numbers to zero")
        func denormals() async throws {
            try await JACKServer.run { server in
                let answer = WatchedState<Bool?>(nil)
                let context = Unmanaged.passRetained(answer)
                let inactive = try InactiveClient.open(name: "denormals", serverName: server.name) { _ in }
                try inactive.setProcessCallback(reportDenormals, context: context.toOpaque())
                let client = try inactive.activate()
                #expect(await answer.wait { $0 } == true)
                let isClosed = WatchedState(false)
                client.closeBehind { isClosed.update { $0 = true } }
                #expect(await isClosed.wait { $0 ? true : nil } == true)
                context.release()
                #expect(!flushesDenormals())
            }
        }
    }
}

private func reportDenormals(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
    // SAFETY: the test keeps it until the client is closed.
    let answer = Unmanaged<WatchedState<Bool?>>.fromOpaque(context!).takeUnretainedValue()
    if answer.value == nil { answer.update { $0 = flushesDenormals() } }
    return 0
}
