import InstanceSupport
import OSC
import TestSupport
import Testing

@Suite("A surface on a phone")
struct ControlSurfaceTests {
    private static let moving = """
        title: Moving
        duration: 30
        layers:
          - {name: bed, binaural: {carrier: 200, beat: 10}, gain: -26}
          - {name: tone, tone: {carrier: 432, pan: -0.3}, gain: -36}
        chapters:
          - {at: 0, title: Settle}
          - {at: 4, title: Drop, over: 10, ease: sineInOut, set: {bed.beat: 4, tone.carrier: 300}}
          - {at: 15, title: Bounce, over: 6, ease: bounceOut, set: {bed.carrier: 180}}

        """

    /// Moves a fader at random, 60 times a second.
    private func move(_ address: String, upTo highest: Float, count: Int, seed: UInt64, _ peer: SteppedPeer, _ instance: SteppedInstance) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<count {
            peer.send(address, .float(.random(in: 0...highest, using: &random)))
            instance.pass(seconds: 1.0 / 60)
        }
    }

    @Test(
        "For a surface that only sends floats and listens on its port, buttons fire once, faders are confirmed at rest, and the clock runs"
    )
    func touchSurface() throws {
        let home = try InstanceHome()
        try home.write(Self.moving, to: "moving.yaml")
        let instance = try home.start("moving.yaml", "--paused", "--osc-feedback", "127.0.0.1:40001=now,layers,tick/4")
        let surface = SteppedPeer(instance)
        instance.pass(seconds: 1)
        // It gets everything without subscribing.
        for address in ["now/title", "layer/1/gain/norm", "layer/2/carrier", "now/text", "now/norm"] {
            #expect(surface.heard.contains { $0.address == address }, "\(address)")
        }
        /// Presses and releases a button, and returns the feedback.
        func press(_ address: String) throws -> [OSCMessage] {
            let count = surface.heard.count
            #expect(try surface.perform(address, .float(1)) == 0)
            surface.send(address, .float(0))
            instance.pass(seconds: 0.5)
            return Array(surface.heard.dropFirst(count))
        }
        func states(_ messages: [OSCMessage]) -> [[OSCArgument]] { messages.filter { $0.address == "now/state" }.map(\.arguments) }
        #expect(states(try press("play")) == [[.string("playing")]])
        let chapters = try press("next").filter { $0.address == "now/chapter" }.map(\.arguments.first)
        #expect(chapters == [.int32(2)], "the release acted too")
        #expect(states(try press("toggle")) == [[.string("paused")]])
        #expect(states(try press("toggle")) == [[.string("playing")]])

        var count = surface.heard.count
        instance.pass(seconds: 2)
        let ticks = surface.heard.dropFirst(count).filter { $0.address == "now/tick" }.compactMap { message -> Float? in
            if case .float(let seconds)? = message.arguments.first { seconds } else { nil }
        }
        #expect((7...9).contains(ticks.count), "\(ticks)")
        #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0 < $1 }, "\(ticks)")

        count = surface.heard.count
        move("layer/2/gain/norm", upTo: 1, count: 60, seed: 3, surface, instance)
        instance.pass(seconds: 1)
        // Another one reads the value, so that what the surface gets is feedback.
        let real = try SteppedPeer(instance, port: 40_002).value("layer/2/gain/norm")
        let feedback = surface.heard.dropFirst(count)
        #expect(feedback.filter { $0.address == "layer/2/gain/norm" }.map(\.arguments) == [real], "played back under the finger")
        #expect(feedback.contains { $0.address == "layer/2/gain" })
    }

    @Test(
        "A fader that jumps sixty times a second leaves no click in a tone of 200 Hz",
        // The highest value used: the layer's own level stays under the ceiling.
        arguments: [("layer/1/gain/norm", Float(0.75)), ("master/gain/norm", 1), ("layer/1/pan/norm", 1)])
    func faders(address: String, highest: Float) throws {
        let home = try InstanceHome()
        try home.write("title: Tone\nlayers:\n  - {name: a, tone: {carrier: 200, phase: 90}, gain: -20}\n", to: "tone.yaml")
        let instance = try home.start("tone.yaml", "--paused")
        let peer = SteppedPeer(instance)
        instance.device.keepsSound = true
        #expect(try peer.perform("play") == 0)
        move(address, upTo: highest, count: 120, seed: 1, peer, instance)
        // At full level again, as the reference for clicks.
        peer.send(address, .float(address.contains("pan") ? 0.5 : highest))
        instance.pass(seconds: 0.1)
        #expect(try peer.perform("stop") == 0)
        instance.pass(seconds: 0.1)
        for channel in [instance.device.sound.left, instance.device.sound.right].map({ $0.map(Double.init) }) {
            #expect(channel.last == 0)
            let click = peakAbove(2000, in: channel[...], sampleRate: 48_000)
            print("figure: above 2 kHz, \(address) thrown 60 times a second, 200 Hz: \(click) dB")
            #expect(click < -100)
        }
    }
}
