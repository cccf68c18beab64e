import InstanceSupport
import OSC
import OSCRemote
import TestSupport
import Testing

@testable import Application

/// A storm of MIDI, and timebase masters with invalid numbers on a real server, are in `Program`.
@Suite("Requests, files and packets that do not concern the sound", .ownThread)
struct UnmovedSoundTests {
    private static let rain = """
        title: Rain
        duration: 300
        layers:
          - {name: rain, noise: {color: pink, correlation: 0.3}, gain: -36}
          - {name: pulse, isochronic: {carrier: 300, pulseRate: 1/4}, gain: -34}

        """

    /// A playing instance in a session of a session manager.
    private struct Scene {
        let home: InstanceHome
        let instance: SteppedInstance
        let peer: SteppedPeer
        let manager: MemorySessionManager

        func shell(_ script: String) async throws {
            let run = try await RunningProgram.run("/bin/sh", ["-ec", script], folder: home.folder.path)
            #expect(run.exit == .code(0), "\(script): \(run.errors)")
        }

        /// A session manager asks for another session, which is refused.
        func isRefused(_ path: String, client: String = "binaural.other") {
            let heard = manager.ask(instance, .open(path: path, displayName: "Other", clientID: client))
            #expect(heard.contains { if case .openFailed = $0 { true } else { false } }, "\(path): \(heard)")
        }
    }

    private static let peers = (0..<64).map { Endpoint(host: .loopback, port: UInt16(42_000 + $0)) }

    /// Each of them happens while it plays, in less than ten seconds.
    private let disturbances: [(name: String, happens: (Scene) async throws -> Void)] = [
        ("nothing", { _ in }),
        (
            "invalid mappings",
            { scene in
                for (address, code) in [("no/such/address", Int32(404)), ("layer/9/baet", 404), ("now/title", 400), ("queue/move", 400)] {
                    try #expect(scene.peer.perform("midi/map", .int32(7), .string(address)) == code, "\(address)")
                    try #expect(scene.peer.perform("midi/learn", .string(address)) == code, "\(address)")
                }
                // A peer gets ten errors a second.
                scene.instance.pass(seconds: 1)
                try #expect(scene.peer.value("midi/count") == [.int32(0)])
                try #expect(scene.peer.text("midi/learn") == "")
            }
        ),
        (
            "invalid ports and patterns of ports",
            { scene in
                let choice = try scene.peer.text("preferences/connect")
                for pattern in ["[", "system:(", "*[", ""] {
                    try #expect(scene.peer.perform("jack/connect", .string("out_left"), .string(pattern)) != 0, "\(pattern)")
                    try #expect(scene.peer.perform("preferences/connect", .string(pattern)) == 400, "\(pattern)")
                }
                try #expect(scene.peer.text("preferences/connect") == choice)
            }
        ),
        (
            "a patch that is half-written, deleted, or replaced by a folder, a pipe or 200 MB",
            { scene in
                let faults = [
                    "printf 'title: secret\nlayers:\n  - {tone: {carr' > rain.yaml", "rm rain.yaml", "mkdir rain.yaml",
                    "rmdir rain.yaml; mkfifo rain.yaml", "rm rain.yaml; truncate -s 200M rain.yaml",
                ]
                for script in faults {
                    try await scene.shell("cd data/patches; " + script)
                    scene.instance.seeChanges()
                    scene.instance.pass(seconds: 1.5)
                }
                let count = scene.instance.notices.count { $0.contains("The version read before stays in use.") }
                #expect(count == faults.count, "\(scene.instance.notices)")
            }
        ),
        (
            "sessions that cannot be opened",
            { scene in
                try scene.home.write("format: 99\nqueue: []\n", to: "sessions/newer/session.yaml")
                try await scene.shell("mkdir -p sessions/odd/session.yaml")
                for name in ["newer", "odd"] { scene.isRefused(scene.home.folder.file("sessions/\(name)")) }
                for path in ["/proc/none", "not/absolute", ""] { scene.isRefused(path) }
                for client in ["", "a:b", "a/b", ".hidden", "tab\there", String(repeating: "x", count: 64)] {
                    scene.isRefused(scene.home.folder.file("sessions/new"), client: client)
                }
                #expect(scene.manager.ask(scene.instance, .save).contains(.saved("Saved.")))
            }
        ),
        (
            "questions of 64 peers, which subscribe and leave",
            { scene in
                var random = SplitMix64(seed: 1)
                let rows = AddressTable.standard.rows.filter { $0.access != .write && !$0.path.contains("N") }
                for peer in peers {
                    for topic in ["now", "layers", "mixer", "session", "jack", "commands"] {
                        scene.instance.receive(OSCMessage("/binaural/subscribe", [.string(topic)]), from: peer)
                    }
                    for _ in 0..<8 {
                        scene.instance.receive(OSCMessage("/binaural/\(rows.randomElement(using: &random)!.path)"), from: peer)
                    }
                    scene.instance.pass(seconds: 0.05)
                    #expect(!scene.instance.packets(to: peer).isEmpty)
                    scene.instance.receive(OSCMessage("/binaural/unsubscribe"), from: peer)
                }
            }
        ),
        (
            "packets without a meaning",
            { scene in
                var random = SplitMix64(seed: 2)
                for number in 0..<2000 {
                    let bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
                    scene.instance.receive(bytes, from: peers[number % peers.count])
                    if number.isMultiple(of: 20) { scene.instance.pass(periods: 1) }
                }
            }
        ),
        (
            "OSCQuery, a page, and a program on the session bus, which read everything",
            { scene in
                let page = Endpoint(host: .loopback, port: 43_000)
                scene.instance.open(page, as: .view)
                for topic in ["now", "layers", "mixer"] {
                    scene.instance.receive(OSCMessage("/binaural/subscribe", [.string(topic)]), from: .webSocket(page))
                }
                for _ in 0..<20 {
                    guard case .json? = scene.instance.queryTree?.answer("/", query: nil, port: 1) else {
                        Issue.record("there is no tree")
                        return
                    }
                    scene.instance.reportToDesktop()
                }
                #expect(!scene.instance.packets(to: .webSocket(page)).isEmpty)
                scene.instance.close(page)
            }
        ),
        (
            "an invalid tempo of the transport",
            { scene in
                scene.instance.device.move(.start)
                for tempo in [Double.nan, .infinity, -.infinity, -120, 0] {
                    scene.instance.device.tempo = tempo
                    scene.instance.pass(seconds: 0.5)
                    try #expect(scene.peer.number("transport/tempo") == 0, "\(tempo)")
                }
            }
        ),
        (
            "controllers that move nothing",
            { scene in
                for number in 0..<4000 {
                    scene.instance.device.arrive([0xB0, UInt8(number % 120), UInt8(number % 128)])
                    if number.isMultiple(of: 40) { scene.instance.pass(periods: 1) }
                }
            }
        ),
    ]

    /// The sound of twelve seconds, in which something happens after the first one.
    private func sound(_ happens: (Scene) async throws -> Void) async throws -> [[Float]] {
        let home = try InstanceHome()
        try home.write(Self.rain, to: "data/patches/rain.yaml")
        try home.write("format: 1\nqueue:\n  - {patch: rain}\n", to: "sessions/one/session.yaml")
        let manager = MemorySessionManager()
        let instance = try home.start("one", of: manager, "--watch", "--paused")
        let scene = Scene(home: home, instance: instance, peer: SteppedPeer(instance), manager: manager)
        instance.device.keepsSound = true
        try #expect(scene.peer.perform("play") == 0)
        let begin = instance.device.sound.left.count
        instance.pass(seconds: 1)
        try await happens(scene)
        #expect(instance.player.playback == .playing)
        let left = begin + 12 * 48_000 - instance.device.sound.left.count
        try #require(left > 0)
        instance.pass(periods: left / 256)
        let sound = [instance.device.sound.left, instance.device.sound.right].map { Array($0[begin...]) }
        try await instance.end()
        try #expect(!home.folder.read("sessions/one/session.yaml").contains("controllers"))
        return sound
    }

    @Test("change no bit of it")
    func unmoved() async throws {
        var quiet: [[Float]]?
        for (name, happens) in disturbances {
            let heard = try await sound(happens)
            // Comparing them inside would look for the shortest way from one to the other.
            let isSame = heard == quiet ?? heard
            #expect(isSame, "\(name)")
            quiet = quiet ?? heard
        }
        #expect(quiet?.allSatisfy { $0.contains { abs($0) > 0.01 } } == true)
        // The least change of what is heard is seen.
        let moved = try await sound { scene in try #expect(scene.peer.perform("layer/rain/gain", .float(-36.001)) == 0) }
        let isSame = moved == quiet
        #expect(!isSame)
    }
}
