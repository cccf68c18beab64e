import OSC
import OSCRemote
import Playback
import Testing

@Suite("Presets and adding to the queue, over OSC")
struct PresetRowTests {
    @Test(
        "an invalid name is 400, also a relative path",
        arguments: ["", "a/b", "../x", ".hidden", "./x.yaml", "a\nb", String(repeating: "a", count: 201)])
    func names(_ name: String) {
        let server = TestServer()
        for address in ["preset/save", "queue/add", "queue/play"] {
            server.send(address, .string(name))
            #expect(server.messages().map { $0.arguments.dropFirst().first } == [.int32(400)], "\(address)")
        }
        server.send("queue/add", .int32(1))
        #expect(server.messages()[0].arguments[1] == .int32(400))
        #expect(server.receiver.performed.isEmpty)
        #expect(server.receiver.player.state.presets.isEmpty)
    }

    @Test("only programs on this machine may name a file by its path: a phone, or a paired device that comes through a proxy, may not")
    func paths() {
        let server = TestServer { $0.allowed = [AccessRule("192.168.1.0/24=admin")!] }
        let paired = Endpoint(host: .loopback, port: 50_009)
        server.server.opened(.webSocket(paired), as: .admin, named: "Phone")
        for address in ["queue/add", "queue/play"] {
            let path = OSCMessage("/binaural/" + address, [.string("/home/me/mine.yaml")])
            for peer in [PeerAddress.udp(TestServer.phone), .webSocket(paired)] {
                server.receive(bytes: path.encoded, from: peer)
                #expect(server.messages(to: peer).map { $0.arguments.dropFirst().first } == [.int32(400)], "\(address) \(peer)")
            }
            #expect(server.receiver.performed.isEmpty)
            server.receive(.message(path))
            #expect(
                server.receiver.performed == [address == "queue/add" ? .addFile("/home/me/mine.yaml") : .openFile("/home/me/mine.yaml")])
            server.receiver.performed = []
        }
    }

    @Test("a missing preset or patch is 100, by name and by number")
    func missing() {
        let server = TestServer()
        server.send("preset/save", .string("dawn"))
        for argument in [OSCArgument.string("dusk"), .int32(2), .int32(0), .int32(-1), .string("")] {
            for address in ["preset/load", "preset/remove"] {
                server.send(address, argument)
                #expect(server.messages().map { $0.arguments[1] } == [.int32(100)], "\(address) \(argument)")
            }
        }
        #expect(server.receiver.player.state.presets.count == 1)
    }

    @Test("loading a preset sends the new values to subscribers")
    func feedback() {
        let server = TestServer()
        server.send("preset/save", .string("dawn"))
        server.send("layer/1/beat", .float(3))
        server.send("subscribe", .string("layers"))
        server.advance(seconds: 1)
        server.drop()
        server.send("preset/load", .string("dawn"))
        server.advance(seconds: 0.2)
        #expect(server.messages().contains(OSCMessage("layer/1/beat", [.float(10)])))
    }
}
