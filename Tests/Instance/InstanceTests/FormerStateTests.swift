import Foundation
import InstanceSupport
import OSC
import TestSupport
import Testing

@Suite("The state that an earlier run has left")
struct FormerStateTests {
    private let home: InstanceHome

    init() throws {
        home = try InstanceHome()
        let layers = "layers:\n  - {name: bed, tone: {carrier: 200}, gain: -20}\n  - {name: rain, noise: {color: pink}, gain: -40}\n"
        for name in ["one", "two"] { try home.write("title: Patch \(name)\nduration: 10:00\n\(layers)", to: "\(name).yaml") }
    }

    @Test("is reported at the start: the level and how it comes in, the changes and how to discard them; of a new session there is none")
    func reported() async throws {
        let first = try home.start("one.yaml", "two.yaml")
        #expect(!first.lines.contains { $0.contains("was left") || $0.contains("Earlier") }, "\(first.lines)")
        let peer = SteppedPeer(first)
        try peer.perform("master/gain", .float(-24))
        try peer.perform("layer/bed/carrier", .float(210))
        try peer.perform("layer/rain/mute", .int32(1))
        try await first.end()

        let second = try home.start("one.yaml", "two.yaml")
        #expect(
            second.lines.contains("The master is at -24 dB, as the session 'queue' was left. It rises to that over 3 s."), "\(second.lines)"
        )
        #expect(
            second.lines.contains(
                "Earlier changes still apply to item 1, 'Patch one' (bed, rain): 'binaural ctl queue/reset 1' discards them."),
            "\(second.lines)")
        let other = SteppedPeer(second)
        #expect(try (1...2).map { try other.number("layer/\($0)/edited") } == [1, 0])
        try other.perform("queue/next")
        try other.perform("layer/bed/gain", .float(-30))
        try await second.end()

        let third = try home.start("one.yaml", "two.yaml")
        #expect(
            third.lines.contains(
                "Earlier changes still apply to items 1, 2: 'binaural ctl queue/reset 1' discards those of item 1."),
            "\(third.lines)")
        try SteppedPeer(third).perform("queue/reset", .int32(1))
        try SteppedPeer(third).perform("queue/reset", .int32(2))
        try await third.end()
        #expect(try !home.start("one.yaml", "two.yaml").lines.contains { $0.contains("Earlier") })
    }

    @Test("a renamed patch is found again by queue/relink, with the changes made to it, also after a restart; the notice says how")
    func renamed() async throws {
        let first = try home.start("one.yaml", "two.yaml")
        try SteppedPeer(first).perform("layer/bed/carrier", .float(210))
        try await first.end()
        try home.write("title: Found again\nduration: 5:00\nlayers:\n  - {name: bed, tone: {carrier: 100}, gain: -20}\n", to: "late.yaml")
        try FileManager.default.removeItem(atPath: home.folder.file("one.yaml"))

        let second = try home.start()
        let peer = SteppedPeer(second)
        #expect(second.notices.contains { $0.contains("'binaural ctl queue/relink 1 NAME'") }, "\(second.notices)")
        #expect(try peer.perform("queue/relink", .int32(1), .string("gone.yaml")) == 100)
        #expect(try peer.perform("queue/relink", .int32(1), .string("late.yaml")) == 0)
        try peer.perform("queue/select", .int32(1))
        #expect(try peer.text("now/title") == "Found again")
        #expect(try peer.number("layer/1/carrier") == 210)
        try await second.end()

        let third = try home.start()
        #expect(try SteppedPeer(third).text("now/title") == "Found again")
        #expect(try SteppedPeer(third).number("layer/1/carrier") == 210)
    }

    @Test("a server that comes back is reported with its sample rate, and after an hour the sound rises again")
    func comesBack() throws {
        let instance = try home.start("one.yaml")
        instance.pass(seconds: 6)
        #expect(!instance.notices.contains { $0.contains("is back") })
        instance.go()
        // The machine was suspended meanwhile.
        instance.clock.setWallTime(forwardBy: 3600)
        instance.come(sampleRate: 44_100)
        #expect(instance.notices.suffix(1) == ["JACK is back, at 44.1 kHz."], "\(instance.notices)")
        instance.device.forgetPeak()
        instance.pass(seconds: 0.5)
        #expect(instance.device.peak < 0.02)
        instance.pass(seconds: 6)
        #expect(instance.device.peak > 0.05)
        instance.stall(seconds: 2)
        #expect(instance.notices.suffix(1) == ["JACK is back, at 44.1 kHz."], "\(instance.notices)")
    }
}
