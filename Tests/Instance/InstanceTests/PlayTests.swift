import Foundation
import InstanceSupport
import OSC
import TestSupport
import Testing

@Suite("play, over OSC")
struct PlayTests {
    private static let tone = "title: Tone\nduration: 10:00\nlayers:\n  - {tone: {carrier: 200}, gain: -20}\n"

    @Test("--sleep fades, stops and shows the remaining time; the session is left stopped, at its level")
    func sleep() async throws {
        let home = try InstanceHome()
        try home.write(Self.tone, to: "tone.yaml")
        let instance = try home.start(
            "tone.yaml", "--session", "mine.yaml", "--sleep", "0:04", "--sleep-fade", "2", "--sleep-ease", "quadIn")
        let peer = SteppedPeer(instance)
        instance.pass(seconds: 1)
        #expect(try peer.value("sleep").suffix(2) == [.float(2), .string("quadIn")])
        #expect((2.9..<3.1).contains(try peer.number("now/sleep")))
        instance.pass(seconds: 1)
        instance.device.forgetPeak()
        instance.pass(seconds: 0.1)
        let full = instance.device.peak
        instance.pass(seconds: 1.7)
        instance.device.forgetPeak()
        instance.pass(seconds: 0.05)
        #expect(instance.device.peak > 0)
        #expect(instance.device.peak < full / 2)
        instance.pass(seconds: 0.3)
        #expect(instance.player.playback == .stopped)
        #expect(try peer.number("master/gain") == 0)
        #expect(try peer.number("now/sleep") == 0)
        try await instance.end()
        #expect(try !home.folder.read("mine.yaml").contains("playing"))
    }

    @Test("after a kill, the same session and item resume at the position that was saved while it played; the working folder stays clean")
    func killed() throws {
        let home = try InstanceHome.withLibrary()
        var left = 0.0
        do {
            let instance = try home.start("deep-alpha")
            let peer = SteppedPeer(instance)
            try #expect(peer.perform("position", .float(100)) == 0)
            // Saved again and again: not only where the seek went.
            instance.pass(seconds: 30)
            left = try peer.number("position")
        }
        let second = try home.start()
        second.pass(seconds: 0.1)
        #expect(second.player.playback == .playing)
        #expect(try SteppedPeer(second).text("now/title") == "Deep alpha")
        let resumed = try SteppedPeer(second).number("position")
        #expect((left - 2...left + 0.2).contains(resumed), "left at \(left), resumed at \(resumed)")
        let names = try FileManager.default.contentsOfDirectory(atPath: home.folder.path)
        #expect(Set(names).isSubset(of: ["data", "state", "config", "cache"]), "\(names)")
    }

    @Test("quitting in the middle of a tone fades it out without a click, and saves")
    func quitting() async throws {
        let home = try InstanceHome()
        try home.write("softStart: 0\n", to: "config/preferences.yaml")
        try home.write(Self.tone, to: "tone.yaml")
        let instance = try home.start("tone.yaml", "--session", "mine.yaml", "--paused")
        instance.device.keepsSound = true
        try SteppedPeer(instance).perform("play")
        instance.pass(seconds: 0.3)
        try await instance.end()
        #expect(try home.folder.read("mine.yaml").contains("tone.yaml"))
        for channel in [instance.device.sound.left, instance.device.sound.right].map({ $0.map(Double.init) }) {
            #expect(channel.contains { abs($0) > 0.05 }, "it sounded")
            #expect(channel.last == 0)
            #expect(peakAbove(2000, in: channel[...], sampleRate: 48_000) < -100)
        }
    }
}
