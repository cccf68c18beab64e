import InstanceSupport
import OSC
import TestSupport
import Testing

/// Timebase masters with invalid numbers, which need a real server, are in `Program/Scenarios/wild_masters.py`.
@Suite("Invalid input for a playing instance")
struct InvalidInputTests {
    private static let rain = """
        title: Rain
        duration: 300
        layers:
          - {name: rain, noise: {color: pink, correlation: 0.3}, gain: -36}
          - {name: pulse, isochronic: {carrier: 300, pulseRate: 1/4}, gain: -34}

        """
    private static let patterns = ["[", "system:(", "*[", ""]

    /// Plays for eight seconds, with something that happens after one.
    private func play(_ happening: (SteppedInstance, SteppedPeer) throws -> Void) async throws -> (left: [Float], right: [Float]) {
        let home = try InstanceHome()
        try home.write(Self.rain, to: "rain.yaml")
        let instance = try home.start("rain.yaml", "--session", "mine.yaml", "--paused")
        let peer = SteppedPeer(instance)
        instance.device.keepsSound = true
        try #expect(peer.perform("play") == 0)
        let begin = instance.device.sound.left.count
        instance.pass(seconds: 1)
        try happening(instance, peer)
        #expect(instance.player.playback == .playing)
        instance.pass(periods: (begin + 8 * 48_000 - instance.device.sound.left.count) / 256)
        let (left, right) = instance.device.sound
        try await instance.end()
        #expect(try !home.folder.read("mine.yaml").contains("controllers"))
        return (Array(left[begin...]), Array(right[begin...]))
    }

    @Test("mappings and patterns that are invalid are refused, and change no bit of the sound and nothing of the session")
    func refused() async throws {
        let disturbed = try await play { instance, peer in
            for (address, code) in [("no/such/address", Int32(404)), ("layer/9/baet", 404), ("now/title", 400), ("queue/move", 400)] {
                #expect(try peer.perform("midi/map", .int32(7), .string(address)) == code, "\(address)")
                #expect(try peer.perform("midi/learn", .string(address)) == code, "\(address)")
            }
            // A peer gets ten errors a second.
            instance.pass(seconds: 1)
            #expect(try peer.value("midi/count") == [.int32(0)])
            #expect(try peer.text("midi/learn") == "")
            let choice = try peer.text("preferences/connect")
            for pattern in Self.patterns {
                #expect(try peer.perform("preferences/connect", .string(pattern)) == 400, "\(pattern)")
            }
            #expect(try peer.text("preferences/connect") == choice)
        }
        let quiet = try await play { _, _ in }
        #expect(disturbed.left.contains { abs($0) > 0.01 })
        // Comparing them inside would look for the shortest way from one to the other.
        let isSame = disturbed == quiet
        #expect(isSame)
    }

    @Test("a pattern of ports in the preferences that is invalid is reported with its place, and kept as written", arguments: patterns)
    func pattern(_ pattern: String) async throws {
        let home = try InstanceHome()
        try home.write(Self.rain, to: "rain.yaml")
        try home.write("connect: \"\(pattern)\"\n", to: "config/preferences.yaml")
        let instance = try home.start("rain.yaml", "--paused")
        #expect(instance.lines.contains { $0.contains("preferences.yaml:1:10: found the quoted text `\(pattern)`") }, "\(instance.lines)")
        try await instance.end()
        #expect(try home.folder.read("config/preferences.yaml") == "connect: \"\(pattern)\"\n")
    }
}
