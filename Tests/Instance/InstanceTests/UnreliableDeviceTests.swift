import InstanceSupport
import JACKBackend
import OSC
import TestSupport
import Testing

@Suite("A device that is not to be relied on")
struct UnreliableDeviceTests {
    private let home: InstanceHome
    private let instance: SteppedInstance
    private let peer: SteppedPeer

    init() throws {
        home = try InstanceHome()
        try home.write(InstanceHome.tone, to: "tone.yaml")
        instance = try home.start("tone.yaml")
        peer = SteppedPeer(instance)
        instance.pass(seconds: 6)
    }

    private static let events: [BackendEvent] = [
        .available(sampleRate: 48_000, bufferSize: 256), .available(sampleRate: 8000, bufferSize: 0),
        .available(sampleRate: 768_000, bufferSize: 1), .sampleRateChanged(44_100), .sampleRateChanged(8000), .resumed, .stalled,
        .lost(reason: "nobody knows"), .reopening(as: "other"), .leftBehind, .bufferSizeChanged(0), .xrun(total: -1),
        .connectionsLearnt([PortLink(port: "no_such_port", other: "")]), .connectionsLearnt([]), .portsChanged(nil), .portsChanged([]),
        .waiting(for: []), .freewheelChanged(true), .notice(""), .libraryMessage("\u{0}"),
    ]

    @Test("Events in any order, with any numbers, end nothing: the next command is answered, and the next server plays at the same level")
    func anyOrder() async throws {
        instance.device.forgetPeak()
        instance.pass(seconds: 1)
        let level = instance.device.peak
        #expect(level > 0.05)
        var random = SplitMix64(seed: 36)
        for _ in 0..<300 {
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                instance.tell(Self.events[Int.random(in: 0..<Self.events.count, using: &random)])
            }
            instance.pass(periods: Int.random(in: 0...3, using: &random))
            try #expect(peer.value("info").isEmpty == false)
        }
        instance.go()
        instance.come(period: 256)
        instance.pass(seconds: 1)
        try #expect(peer.perform("play") == 0)
        // It comes in softly.
        instance.pass(seconds: 10)
        instance.device.forgetPeak()
        instance.pass(seconds: 1)
        #expect(abs(instance.device.peak / level - 1) < 1e-3, "\(instance.device.peak) after \(level)")
        #expect(instance.device.loudest <= level * 1.001)
        try await instance.end()
        // It may not know yet that nobody listens any more.
        for event in Self.events { instance.tell(event) }
    }

    @Test("Requests that are never answered keep nothing else waiting, and not the end either")
    func silentDevice() async throws {
        instance.device.answersRequests = false
        for _ in 0..<50 {
            peer.send("jack/connect", .string("out_left"), .string("system:playback_1"))
            peer.send("jack/reconnect")
        }
        instance.pass(seconds: 5)
        try #expect(peer.perform("layer/1/gain", .float(-30)) == 0)
        try #expect(peer.value("now/state") == [.string("playing")])
        #expect(!peer.heard.contains { $0.address == "reply" && $0.arguments.first == .string("/binaural/jack/connect") })
        try await instance.end()
    }

    @Test(
        "While time stands still the sound continues and commands are answered; a time of day that is set changes nothing of a sleep timer")
    func strangeTime() async throws {
        try #expect(peer.perform("sleep", .float(60)) == 0)
        instance.device.forgetPeak()
        for _ in 0..<1000 { instance.device.step() }
        #expect(instance.device.peak > 0.05)
        try #expect(peer.perform("layer/1/gain", .float(-26)) == 0)
        for seconds in [3600.0, -86_400, 315_576_000, -315_576_000] {
            instance.clock.setWallTime(forwardBy: seconds)
            instance.pass(seconds: 1)
            try #expect(peer.value("now/state") == [.string("playing")])
        }
        instance.pass(seconds: 60)
        try #expect(peer.value("now/state") == [.string("stopped")])
        try await instance.end()
    }
}
