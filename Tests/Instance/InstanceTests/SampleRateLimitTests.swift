import InstanceSupport
import OSC
import Testing

/// The warnings of `check` and `render` are in ProgramTests.
@Suite("Frequencies beyond half the sample rate, while they play")
struct SampleRateLimitTests {
    private static let patch = """
        title: Heights
        duration: 10:00
        layers:
          - {name: bed, binaural: {carrier: 200}, gain: -30}
          - {name: near, tone: {carrier: 10600}, gain: -30}
          - {name: whistle, monaural: {carrier: 15000}, gain: -30}
          - {name: sweep, tone: {carrier: 1000}, gain: -30}
          - {name: piano, keys: {}}
        chapters:
          - {at: 1:30, over: 0:10, set: {sweep.carrier: 13000}}

        """

    private let home: InstanceHome
    private let instance: SteppedInstance
    private let peer: SteppedPeer

    init() throws {
        home = try InstanceHome()
        try home.write(Self.patch, to: "heights.yaml")
        try home.write("title: Other\nduration: 10:00\nlayers: [{name: low, tone: {carrier: 300}, gain: -30}]\n", to: "other.yaml")
        instance = try home.start(["heights.yaml", "other.yaml"], sampleRate: 22_050)
        peer = SteppedPeer(instance)
        instance.pass(seconds: 1)
    }

    @Test("they are reported once for an item, whatever is changed in it, and again for another item")
    func live() throws {
        let first = "layer `near` is softer than its gain at 0:00: its frequency is close to half of a sample rate of 22050 Hz"
        #expect(instance.notices.contains { $0.contains("In 'Heights' \(first), and 3 more.") }, "\(instance.notices)")
        for carrier: Float in [12_000, 300, 13_000] {
            try #expect(peer.perform("layer/3/carrier", .float(carrier)) == 0)
            instance.pass(seconds: 1)
        }
        try #expect(peer.perform("position", .float(100)) == 0)
        try #expect(peer.perform("queue/next") == 0)
        instance.pass(seconds: 1)
        #expect(!instance.notices.contains { $0.contains("In 'Other'") })
        // Nothing is at a high frequency until it is moved there.
        try #expect(peer.perform("layer/1/carrier", .float(11_500)) == 0)
        instance.pass(seconds: 1)
        #expect(instance.notices.contains { $0.contains("In 'Other' layer `low` is silent at 0:0") }, "\(instance.notices)")
        #expect(instance.notices.count { $0.contains("In 'Heights'") } == 1, "\(instance.notices)")
    }

    @Test("different items selected one right after the other, and while JACK is away, are each reported with their own layers")
    func unlikeItems() throws {
        for round in 0..<100 {
            peer.send("queue/select", .int32(2))
            peer.send("queue/select", .int32(1))
            if round % 10 == 0 { try #expect(peer.perform("layer/5/gain", .float(-40)) == 0) }
        }
        instance.go()
        try #expect(peer.perform("queue/select", .int32(2)) == 0)
        try #expect(peer.perform("layer/1/gain", .float(-40)) == 0)
        try #expect(peer.perform("layer/5/gain", .float(-40)) != 0)
        instance.pass(seconds: 1)
        #expect(instance.notices.contains { $0.contains("In 'Heights'") })
        #expect(!instance.notices.contains { $0.contains("In 'Other'") }, "\(instance.notices)")
    }
}
