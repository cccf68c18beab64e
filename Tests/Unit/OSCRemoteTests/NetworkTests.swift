import Foundation
import Logging
import OSC
import OSCRemote
import Patches
import Playback
import TestSupport
import Testing

/// The server on real sockets, with programs that use liblo on the other side.
@Suite("Over UDP", .serialized, .ownThread)
struct NetworkTests {
    /// Runs the server's sockets on the thread of the test.
    final class Host {
        let receiver = TestReceiver()
        let sockets: OSCServerSockets
        let server: OSCServer

        init(listeningOn addresses: [IPAddress] = [], unix paths: [String] = []) throws {
            let sockets = try OSCServerSockets(port: 0, listeningOn: addresses, unix: paths)
            self.sockets = sockets
            let identity = InstanceIdentity(name: "binaural", version: "1", port: sockets.endpoint.port, bootID: 1)
            server = OSCServer(
                OSCServerConfiguration(identity: identity), receiver: receiver, logger: Logger(label: "test") { _ in LogLines().handler },
                send: { sockets.send($0, to: $1) })
        }

        var url: String { "osc.udp://\(sockets.endpoint)/" }

        /// Serves until the condition holds; false if it never does.
        func serve(at file: StaticString = #fileID, _ line: UInt = #line, until condition: () -> Bool) -> Bool {
            eventually(at: file, line) {
                _ = sockets.receive(into: server, at: Instant.current)
                server.tick(at: Instant.current())
                return condition()
            }
        }
    }

    @Test("oscsend's commands of every kind arrive")
    func oscsend() async throws {
        let tool = try requireTool("oscsend", package: "liblo-tools")
        let host = try Host()
        for arguments in [
            ["play"], ["layer/1/beat", "ffs", "4.5", "10", "sineInOut"], ["repeat", "s", "all"], ["layer/2/mute", "T"],
            ["skip/by", "d", "-15"],
        ] {
            let before = host.receiver.performed.count
            let sender = try RunningProgram(tool, [host.url, "/binaural/" + arguments[0]] + arguments.dropFirst())
            #expect(host.serve { host.receiver.performed.count > before }, "\(arguments) did not arrive")
            _ = try await sender.exit()
        }
        #expect(
            host.receiver.performed == [
                .play, RowTests.set(0, .beat, 4.5, ramp: Ramp(seconds: 10, easing: .sineInOut)), .changeRepeatMode(to: .all),
                .mute(layer: 1, true), .skip(by: -15),
            ])
    }

    @Test("oscdump, named as a feedback peer, prints its feedback")
    func oscdump() async throws {
        let tool = try requireTool("oscdump", package: "liblo-tools")
        let host = try Host()
        // A port that was free a moment ago.
        let port = try UDPSocket(boundTo: Endpoint(host: .loopback, port: 0)).localEndpoint.port
        let dump = try RunningProgram(tool, ["-L", String(port)])
        let client = try UDPSocket(boundTo: Endpoint(host: .loopback, port: 0))
        let subscribe = OSCMessage("/binaural/subscribe", [.string("mixer"), .int32(Int32(port))]).encoded
        // The dump does not report that it is ready, so the value is requested again until something arrives.
        let arrived = host.serve {
            client.send(subscribe, to: host.sockets.endpoint)
            return dump.outputLines.contains { $0.contains("/binaural/snapshot/end s \"mixer\"") }
        }
        #expect(arrived, "\(dump.transcript)")
        client.send(OSCMessage("/binaural/tuning/a4", [.float(432)]).encoded, to: host.sockets.endpoint)
        #expect(host.serve { dump.outputLines.contains { $0.contains("/binaural/tuning/a4 f 432.0") } }, "\(dump.transcript)")
        await dump.end()
    }

    @Test("The example NowPlaying prints title and state, and again when they change")
    func nowPlaying() async throws {
        let host = try Host()
        let example = try RunningProgram("stdbuf", ["-oL", PackageRoot.file(".build/debug/NowPlaying"), "\(host.sockets.endpoint)"])
        #expect(host.serve { example.outputLines == ["Deep (stopped)"] }, "\(example.transcript)")
        host.receiver.perform(.play, from: "test") { _ in }
        host.server.changed(at: .current())
        #expect(host.serve { example.outputLines == ["Deep (stopped)", "Deep (playing)"] }, "\(example.transcript)")
        await example.end()
    }

    @Test("A program on ::1 is answered there, like one on 127.0.0.1, on the same port")
    func loopback6() throws {
        let host = try Host(listeningOn: [.loopback6])
        #expect(Set(host.sockets.sockets.map(\.localEndpoint.port)).count == 1)
        for address in [IPAddress.loopback6, .loopback] {
            let client = try UDPSocket(boundTo: Endpoint(host: address, port: 0))
            let server = Endpoint(host: address, port: host.sockets.endpoint.port)
            client.send(OSCMessage("/binaural/ping", [.int32(5)]).encoded, to: server)
            var answer: UDPSocket.Event?
            #expect(
                host.serve {
                    answer = client.receive()
                    return answer != nil
                })
            #expect(answer == .packet(OSCMessage("/binaural/pong", [.int32(5), .int64(1)]).encoded, from: server))
        }
    }

    @Test("A subscriber that is gone is detected by the network's answer and dropped")
    func gone() throws {
        let host = try Host()
        var client: UDPSocket? = try UDPSocket(boundTo: Endpoint(host: .loopback, port: 0))
        client?.send(OSCMessage("/binaural/subscribe", [.string("mixer")]).encoded, to: host.sockets.endpoint)
        var received = false
        #expect(
            host.serve {
                if client?.receive() != nil { received = true }
                return received
            })
        client = nil
        let snapshots = { () -> Int in
            let before = host.receiver.snapshotCount
            host.server.changed(at: .current())
            return host.receiver.snapshotCount - before
        }
        // Without subscribers changes are not even checked.
        #expect(
            host.serve {
                host.receiver.player.update { $0.masterGain -= 0.01 }
                return snapshots() == 0
            })
    }
}
