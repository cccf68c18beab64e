import Foundation
import InstanceSupport
import OSC
import TestSupport
import Testing

@Suite("Sequences of SBaGen, played")
struct SequencePlayingTests {
    @Test(
        "a sequence is a queue item with chapters, layers and a place in the session; a restart restores its position, chapter and edits"
    )
    func queue() async throws {
        let home = try InstanceHome()
        try home.write("-SE\nfall: 200+10/20 pink/10\ndeep: 150+4/20\nNOW fall\n+0:10 == deep\n+0:20 fall\n", to: "nap.sbg")
        try home.write("queue: 100/10\nNOW queue\n", to: "hum.sbg")
        let instance = try home.start("nap.sbg", "hum.sbg")
        let peer = SteppedPeer(instance)
        instance.pass(seconds: 1)
        #expect(instance.player.playback == .playing)
        #expect(try peer.text("now/title") == "nap")
        #expect(try peer.text("layer/1/name") == "voice1")
        try #expect(peer.perform("next") == 0)
        #expect(try peer.value("now/chapter").contains(.string("deep")))
        #expect((600..<601).contains(try peer.number("position")))
        try #expect(peer.perform("queue/next") == 0)
        #expect(try peer.text("now/title") == "hum")
        try #expect(peer.perform("queue/previous") == 0)
        // From 10:30 on `deep` has come in.
        try #expect(peer.perform("position", .float(700)) == 0)
        try #expect(peer.perform("layer/1/beat", .float(6)) == 0)
        let left = try peer.number("position")
        #expect((700..<701).contains(left))
        try await instance.end()

        let second = try home.start()
        let again = SteppedPeer(second)
        second.pass(seconds: 1)
        #expect(second.player.playback == .playing)
        #expect(try again.text("now/title") == "nap")
        #expect(try again.value("now/chapter").contains(.string("deep")))
        #expect((left..<left + 2).contains(try again.number("position")))
        // The first sound has risen by then.
        second.pass(seconds: 6)
        second.device.keepsSound = true
        second.pass(seconds: 3)
        for (channel, frequency) in zip([second.device.sound.left, second.device.sound.right], [153.0, 147]) {
            let sine = try #require(measureSine(channel.map(Double.init)[48_000...], sampleRate: 48_000, near: frequency))
            #expect(abs(sine.frequency - frequency) < 0.01, "\(sine)")
            #expect(abs(decibels(sine.amplitude) - decibels(0.2) + 6) < 0.1, "\(sine)")
        }
    }

    @Test("a sequence by the clock plays from the time of day, and a seek overrides that")
    func clock() throws {
        let home = try InstanceHome()
        try home.write("a: 200+10/20\nb: 150+4/20\n06:00 a\n18:00 b\n", to: "day.sbg")
        let instance = try home.start("day.sbg")
        let peer = SteppedPeer(instance)
        instance.pass(seconds: 1)
        // Seconds after midnight in this process's time zone.
        let now = Date(timeIntervalSince1970: instance.clock.wallTime.secondsSince1970)
        let parts = Calendar.current.dateComponents([.hour, .minute, .second], from: now)
        let timeOfDay = Double((parts.hour ?? 0) * 3600 + (parts.minute ?? 0) * 60 + (parts.second ?? 0))
        let position = try peer.number("position")
        #expect((timeOfDay - 0.1..<timeOfDay + 1.1).contains(position), "\(timeOfDay) \(position)")
        try #expect(peer.perform("position", .float(43_200)) == 0)
        #expect((43_200..<43_201).contains(try peer.number("position")))
    }
}
