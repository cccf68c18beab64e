import InstanceSupport
import OSC
import Testing

/// The preferences of a running instance, in the user's file and over OSC.
@Suite("Preferences")
struct PreferencesTests {
    private static let name = "config/preferences.yaml"
    private static let tone = "title: Tone\nduration: 10:00\nlayers:\n  - {tone: {carrier: 200}, gain: -20}\n"

    @Test("a preference set remotely applies at once and at the next start; command-line options override it and are never written")
    func saved() async throws {
        let home = try InstanceHome.withLibrary()
        try home.write("connect: \"system:.*\"\nhologram: 3\nskipIntervals: [20]\n", to: Self.name)
        let instance = try home.start("deep-alpha", "--paused", "--connect", "none")
        let peer = SteppedPeer(instance)
        #expect(try peer.value("skip/intervals") == [.float(20)])
        #expect(try peer.text("preferences/connect") == "system:.*")
        try #expect(peer.perform("preferences/skipIntervals", .float(100), .float(5)) == 0)
        try #expect(peer.perform("preferences/crossfade", .float(2.5)) == 0)
        try #expect(peer.perform("preferences/startSession", .string("welcome")) == 0)
        #expect(try peer.value("skip/intervals") == [.float(100), .float(5)])
        try #expect(peer.perform("skip/forward") == 0)
        #expect(try peer.number("position") == 100)
        try await instance.end()
        #expect(
            try home.folder.read(Self.name) == """
                # Preferences of binaural; comments are lost when the program writes this file.
                skipIntervals: [100, 5]
                crossfade: 2.5
                startSession: welcome
                connect: system:.*
                hologram: 3

                """)

        let again = SteppedPeer(try home.start("--paused"))
        #expect(try again.value("skip/intervals") == [.float(100), .float(5)])
        #expect(try again.number("preferences/crossfade") == 2.5)
        #expect(try again.value("now/queue") == [.int32(1), .int32(4)], "the session welcome was opened")
    }

    @Test("access, feedback and transport are taken from the preferences, and from the command line if it has them")
    func startOptions() async throws {
        let home = try InstanceHome.withLibrary()
        let text = """
            oscAllow: ["192.0.2.0/24=control"]
            oscFeedback: ["127.0.0.1:40002=now", "192.0.2.1:9=nwo"]
            transport: follow

            """
        try home.write(text, to: Self.name)
        let guest = try #require(Endpoint("192.0.2.7:9000"))
        let first = try home.start("deep-alpha", "--paused")
        let sentence = "'192.0.2.1:9=nwo' of the preference oscFeedback is ignored. oscFeedback takes HOST:PORT=TOPICS"
        #expect(first.lines.contains { $0.hasPrefix(sentence) }, "\(first.lines)")
        first.receive(OSCMessage("/binaural/ping", [.int32(1)]), from: guest)
        #expect(!first.packets(to: guest).isEmpty)
        #expect(!SteppedPeer(first, port: 40_002).texts("now/title").isEmpty)
        #expect(try SteppedPeer(first).text("transport/mode") == "follow")
        try await first.end()

        let second = try home.start("deep-alpha", "--paused", "--transport", "none", "--osc-allow", "none", "--osc-feedback", "none")
        #expect(!second.lines.contains { $0.contains("is ignored") }, "\(second.lines)")
        second.receive(OSCMessage("/binaural/ping", [.int32(1)]), from: guest)
        #expect(second.packets(to: guest).isEmpty)
        #expect(SteppedPeer(second, port: 40_002).texts("now/title").isEmpty)
        #expect(try SteppedPeer(second).text("transport/mode") == "none")
        try await second.end()
        #expect(try home.folder.read(Self.name) == text, "options are never written")
    }

    @Test("a file with a mistake is reported and not changed, and the program plays")
    func mistake() async throws {
        let home = try InstanceHome.withLibrary()
        try home.write("crossfade: a while\n", to: Self.name)
        let instance = try home.start("deep-alpha")
        #expect(instance.lines.contains { $0.contains("preferences.yaml:1:12: found `a while`") }, "\(instance.lines)")
        let peer = SteppedPeer(instance)
        try #expect(peer.perform("preferences/buttonHold", .float(1)) == 0)
        instance.pass(seconds: 2)
        #expect(instance.notices.contains { $0.hasPrefix("The preferences were not saved: ") }, "\(instance.notices)")
        #expect(instance.player.playback == .playing)
        #expect(try home.folder.read(Self.name) == "crossfade: a while\n")
        try home.write("crossfade: 3\n", to: Self.name)
        try await instance.end()
        #expect(try home.folder.read(Self.name).hasSuffix("\nbuttonHold: 1\ncrossfade: 3\n"), "corrected, it is saved")
    }

    @Test("no remote and no session raises the master above the preference maximumLevel; the value applied is sent back")
    func maximumLevel() async throws {
        let home = try InstanceHome()
        try home.write("maximumLevel: -18\n", to: Self.name)
        try home.write(Self.tone, to: "tone.yaml")
        try home.write("format: 1\nqueue: [{patch: tone.yaml}]\nmaster: {gain: -3}\n", to: "loud.yaml")
        for (session, isLowered) in [("new.yaml", false), ("loud.yaml", true)] {
            let instance = try home.start("tone.yaml", "--paused", "--session", session)
            #expect(try SteppedPeer(instance).number("master/gain") == -18)
            // A new session never had another level.
            let notice = "The session's master level of -3 dB is above the preference maximumLevel: it is now -18 dB."
            let said = (instance.lines + instance.notices).filter { $0.contains("is above the preference") }
            #expect(said == (isLowered ? [notice] : []))
            try await instance.end()
        }
        let peer = SteppedPeer(try home.start("tone.yaml"))
        for (address, value) in [("master/gain", Float(0)), ("master/gain/norm", 1), ("master/gain", -17.9)] {
            try peer.perform(address, .float(value))
            #expect(try peer.number("master/gain") == -18)
        }
        try #expect(peer.perform("master/gain", .float(-30)) == 0)
        #expect(try peer.number("master/gain") == -30)
        // A new value applies at the next start.
        try #expect(peer.perform("preferences/maximumLevel", .float(0)) == 0)
        try peer.perform("master/gain", .float(0))
        #expect(try peer.number("master/gain") == -18)
    }

    @Test("a pattern of ports that is invalid is reported with its place, and kept as written", arguments: ["[", "system:(", "*[", ""])
    func pattern(_ pattern: String) async throws {
        let home = try InstanceHome()
        try home.write(Self.tone, to: "tone.yaml")
        try home.write("connect: \"\(pattern)\"\n", to: Self.name)
        let instance = try home.start("tone.yaml", "--paused")
        #expect(instance.lines.contains { $0.contains("preferences.yaml:1:10: found the quoted text `\(pattern)`") }, "\(instance.lines)")
        try await instance.end()
        #expect(try home.folder.read(Self.name) == "connect: \"\(pattern)\"\n")
    }
}
