import OSC
import OSCRemote
import Patches
import Playback
import Testing

/// Patterns and lists of points make much work with few packets, so they are limited, for each peer by itself.
@Suite("Limits of patterns")
struct PatternLimitTests {
    /// Plays an item with 64 tones.
    private func server() -> TestServer {
        let server = TestServer()
        server.change { receiver in
            var state = receiver.player.state
            state.items = [QueueItem(reference: "many", patch: Patch(layers: (1...64).map { Layer(name: "tone \($0)", kind: .tone) }))]
            state.currentIndex = 0
            receiver.player = Player(state)
        }
        return server
    }

    /// Sets the gains of all layers.
    ///
    /// - Returns: The arguments of the error, if there is one.
    private func set(_ gain: Float, _ server: TestServer, from peer: Endpoint = TestServer.local) -> [OSCArgument]? {
        server.drop()
        server.send("layer/*/gain", .float(gain), from: peer)
        return server.messages(to: peer).first { $0.address == "error" }?.arguments
    }

    @Test(
        "A peer's patterns may match 24,000 addresses at once; then they are an error (429), while its other messages and other peers are served"
    )
    func burst() {
        let server = server()
        for count in 0..<24_000 / 64 { #expect(set(-30 - Float(count % 10), server) == nil) }
        #expect(
            set(-50, server) == [
                .string("/binaural/layer/*/gain"), .int32(429),
                .string("Patterns that match more than 6400 addresses a second: send fewer, or narrower ones."),
            ])
        #expect(server.receiver.player.state.current?.edits.last?.setting.value != -50)
        server.drop()
        server.send("layer/1/gain", .float(-51))
        #expect(server.receiver.player.state.current?.edits.last?.setting.value == -51)
        #expect(set(-40, server, from: TestServer.other) == nil)
    }

    @Test("After the burst, a peer's patterns may match 6400 addresses a second")
    func rate() {
        let server = server()
        func allowed(_ gain: Float) -> Int { (0..<1000).first { _ in set(gain, server) != nil } ?? 1000 }
        #expect(allowed(-30) == 24_000 / 64)
        server.advance(seconds: 1)
        #expect(allowed(-31) == 6400 / 64)
    }

    @Test("A peer that lists the points of an item too often is refused (429), while other peers and its shorter lists are answered")
    func points() {
        let server = server()
        func ask(_ list: String = "course/point", from peer: Endpoint = TestServer.local) -> OSCMessage? {
            server.drop()
            server.send("\(list)/list", .int32(1), from: peer)
            return server.messages(to: peer).last
        }
        // Each tone has a carrier and a gain.
        var count = 0
        while count < 1000, ask() == OSCMessage("course/point/end", [.int32(128)]) { count += 1 }
        #expect(count == (24_000 + 127) / 128)
        #expect(
            ask()?.arguments == [
                .string("/binaural/course/point/list"), .int32(429),
                .string("Lists of more than 6400 items a second: ask again in a moment."),
            ])
        #expect(ask("course/place") == OSCMessage("course/place/end", [.int32(0)]))
        #expect(ask(from: TestServer.other) == OSCMessage("course/point/end", [.int32(128)]))
        server.advance(seconds: 1)
        #expect(ask() == OSCMessage("course/point/end", [.int32(128)]))
    }

    @Test("A subscription to a pattern counts as well, however often the pattern changes")
    func subscriptions() {
        let server = server()
        func subscribe(_ number: Int) -> [OSCMessage] {
            server.drop()
            server.send("subscribe", .string("/binaural/{x\(number),layer}/*/*"))
            defer { server.send("unsubscribe", .string("/binaural/{x\(number),layer}/*/*")) }
            return server.messages().filter { ["subscribed", "error"].contains($0.address) }
        }
        var number = 0
        while number < 1000, subscribe(number).first?.address == "subscribed" { number += 1 }
        #expect(number > 10)
        #expect(subscribe(number).first?.arguments[1] == .int32(429))
        server.send("subscribe", .string("layers"))
        #expect(server.messages().contains { $0.address == "subscribed" })
    }
}
