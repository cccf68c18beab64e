import OSC
import OSCRemote
import Patches
import Playback
import Testing

/// Controllers of MIDI devices, on the addresses of the table.
@Suite("Controllers")
struct TurningTests {
    /// The results of a controller that takes these values in turn.
    private func turned(_ address: String, _ values: Int..., server: TestServer = TestServer()) -> [Command] {
        var before: Int?
        for value in values {
            server.server.move(address, to: ControllerPosition(value, before: before), by: "midi", at: server.now) { _ in }
            before = value
        }
        return server.receiver.performed
    }

    @Test("A continuous address moves over the curve of its twin")
    func continuous() {
        #expect(turned("layer/1/beat", 0, 127).map(\.value) == [0, 40])
        #expect(turned("layer/1/gain", 0, 127).map(\.value) == [Parameter.off, 0])
        #expect(turned("layer/1/beat/norm", 127).map(\.value) == [40])
        #expect(turned("layer/selected/note", 69) == [.set(Setting(layer: 0, parameter: .carrier, value: 440), ramp: nil)])
        #expect(turned("master/fade", 127).count == 1)
    }

    @Test("A knob presses once on its way up, a button at every press; a switch is on from 64 up; a choice has equal parts")
    func others() {
        #expect(turned("toggle", 10, 63, 64, 90, 127, 90, 30, 80) == [.toggle, .toggle])
        #expect(turned("play", 127, 0, 127, 127) == [.play, .play, .play])
        #expect(turned("layer/2/mute", 0, 63, 64, 127) == [false, false, true, true].map { .mute(layer: 1, $0) })
        #expect(turned("repeat", 0, 64, 127) == [RepeatMode.off, .one, .all].map { .changeRepeatMode(to: $0) })
        #expect(turned("queue/select", 2) == [.selectItem(1)])
        #expect(turned("chapter/select", 2) == [.changePosition(to: 100)])
    }

    @Test("It is refused like a packet, also because of a touch, and others are notified of its changes")
    func alike() {
        let server = TestServer()
        server.send("subscribe", .string("layers"))
        server.drop()
        var results: [CommandResult] = []
        func turn(_ address: String, _ value: Int) {
            server.server.move(address, to: ControllerPosition(value, before: nil), by: "midi", at: server.now) { results.append($0) }
        }
        turn("layer/1/beat", 64)
        server.advance(seconds: 0.1)
        let sent = server.messages().first { $0.address == "layer/1/beat" }?.arguments.first
        #expect(sent == .float(Float(64.0 / 127 * 40)))
        turn("layer/99/beat", 64)
        turn("layer/2/beat", 64)
        turn("no/such/address", 64)
        server.send("touch/layer/1/beat", .int32(1))
        turn("layer/1/beat", 0)
        #expect(results.map(\.status) == [.success, .unknownAddress, .notSupported, .unknownAddress, .busy])
        #expect(server.receiver.player.state.history.undoDepth == 1)
    }

    @Test("Every row that a controller may move accepts both of its ends; others are refused")
    func everyRow() {
        var count = 0
        for row in AddressTable.standard.rows {
            let address = row.path.replacing("/N/", with: "/1/")
            guard AddressTable.standard.fault(ofController: address) == nil else { continue }
            count += 1
            let server = TestServer()
            for value in [0, 127] {
                server.server.move(address, to: ControllerPosition(value, before: nil), by: "midi", at: server.now) { result in
                    #expect(result.status != .badArguments || row.path == "midi/forget", "\(row.path): \(result.message)")
                }
            }
        }
        #expect(count > 80)
        for address in [
            "now/title", "session/load", "layer/1/xy", "quit", "touch/layer/1/beat", "ping", "jack/connect", "layer/*/gain", "",
        ] {
            #expect(AddressTable.standard.fault(ofController: address) != nil, "\(address)")
        }
    }
}

extension Command {
    fileprivate var value: Double? { if case .set(let setting, _) = self { setting.value } else { nil } }
}
