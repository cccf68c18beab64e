import Foundation
import InstanceSupport
import OSC
import OSCRemote
import Patches
import PatchFiles
import Playback
import TestSupport
import Testing

@testable import Application

/// An instance is started, played, and ended or killed, again and again, in one home.
@Suite("Lives of an instance")
struct LivesTests {
    private static let peers = (1...3).map { Endpoint(host: .loopback, port: UInt16(40_000 + $0)) }
    /// Lives of a run, and steps of a life.
    private static let (lives, steps) = (isStress ? 200 : 8, 40)
    /// Seconds within which a change is saved.
    private static let delay = 2.0

    private static let patches: [(name: String, patch: Patch)] = {
        func brief(_ layers: Int, seconds: Double) -> Patch {
            Patch(
                details: .init(title: "Brief \(layers)"), duration: seconds,
                layers: (1...layers).map { Layer(name: "layer-\($0)", kind: .tone, values: [.carrier: Double(100 * $0)]) })
        }
        return [("deep", .deep), ("tone", .endless), ("brief 1", brief(1, seconds: 1)), ("brief 2", brief(2, seconds: 90))]
    }()

    /// Parts of the state that a session keeps.
    private struct Kept: Equatable, CustomStringConvertible {
        let references: [String]
        let current: Int?
        let repeatMode: RepeatMode
        let isMuted: Bool
        let presets: [String]

        init(_ state: PlayerState) {
            references = state.items.map(\.reference)
            (current, repeatMode, isMuted) = (state.currentIndex, state.repeatMode, state.isMasterMuted)
            presets = state.presets.map(\.name)
        }

        var description: String { "\(references) at \(current ?? -1), \(repeatMode), \(isMuted ? "muted" : "audible"), \(presets)" }
    }

    @Test(
        "Whatever happens in it, an instance comes back after its end with what it had, and after being killed with what it had two seconds before",
        arguments: 1...UInt64(isStress ? 50 : 2))
    func lives(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let home = try InstanceHome()
        for (name, patch) in Self.patches { try home.write(patch.yaml, to: "data/patches/\(name).yaml") }
        let queue = Self.patches.map { "  - {patch: \($0.name)}\n" }.joined()
        for session in ["x", "night-2"] { try home.write("format: 1\nqueue:\n\(queue)", to: "data/sessions/\(session).yaml") }
        /// Its state lately, and when.
        var history: [(seconds: Double, kept: Kept)] = []
        var wasKilled = false
        for life in 1...Self.lives {
            let instance = try start(life == 1 ? ["x"] : [], in: home)
            let place = "seed \(seed), life \(life)"
            if let last = history.last {
                let kept = Kept(instance.player)
                let recent = history.filter { last.seconds - $0.seconds <= Self.delay }
                // The one before the first of these was still there at that time.
                let before = history.last { last.seconds - $0.seconds > Self.delay }
                let possible = wasKilled ? recent.map(\.kept) + [before?.kept].compactMap { $0 } : [last.kept]
                #expect(possible.contains(kept), "\(place), \(wasKilled ? "killed" : "ended"): \(kept), not \(last.kept)")
            }
            history = []
            for _ in 1...Self.steps {
                try step(instance, home, &random)
                history.append((instance.clock.seconds, Kept(instance.player)))
            }
            if life % 20 == 4 {
                // While the server is away, there are 67 ticks a second.
                instance.go()
                instance.wait(seconds: 300)
                instance.come()
                history.append((instance.clock.seconds, Kept(instance.player)))
            }
            if life % 2 == 0 {
                withoutRoom {
                    for _ in 1...6 {
                        instance.receive(RandomPacket.next(at: instance.now, &random), from: Self.peers[0])
                        instance.pass(seconds: 0.5)
                    }
                }
                wasKilled = life % 4 == 0
                if wasKilled { continue }
                // There is room again, and it is tried again.
                for seconds in [10, 3.0] {
                    instance.pass(seconds: seconds)
                    history.append((instance.clock.seconds, Kept(instance.player)))
                }
            }
            try compare(instance, place)
            wasKilled = Bool.random(using: &random)
            if !wasKilled {
                // A bundle that is still to come may change something.
                instance.pass(seconds: 0.3)
                history.append((instance.clock.seconds, Kept(instance.player)))
                try await instance.end()
            }
        }
    }

    private func start(_ items: [String], in home: InstanceHome) throws -> SteppedInstance {
        var configuration = PlayConfiguration(kernel: .baseline, osc: .init(version: "1"))
        (configuration.items, configuration.isPaused, configuration.watched) = (items, true, .off)
        // A packet may have named another session to start with.
        try home.write("", to: "config/preferences.yaml")
        return try SteppedInstance(configuration, in: home)
    }

    /// Does something while no file of this process can grow, as on a full disk.
    private func withoutRoom(_ body: () -> Void) {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &none)
        defer { setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) }
        body()
    }

    private func step(_ instance: SteppedInstance, _ home: InstanceHome, _ random: inout SplitMix64) throws {
        switch Int.random(in: 0..<42, using: &random) {
        case 0: instance.go()
        case 9: instance.device.arrive((0..<3).map { _ in UInt8.random(in: 0...255, using: &random) })
        case 1, 2: instance.come(sampleRate: [8000, 44_100, 48_000].randomElement(using: &random)!, period: 256)
        case 3: instance.stall(seconds: [0.1, 0.5, 2].randomElement(using: &random)!)
        case 4: instance.clock.setWallTime(forwardBy: [-3600, 3600, -86_400, 0.5].randomElement(using: &random)!)
        // JACK does not call for a minute.
        case 5: instance.wait(seconds: [1, 20, 60].randomElement(using: &random)!)
        case 6: try home.write(["layers: 3\n", "", "\u{0}"].randomElement(using: &random)!, to: "data/patches/brief 1.yaml")
        case 7: try home.write(Self.patches[2].patch.yaml, to: "data/patches/brief 1.yaml")
        case 8:
            let command: Command = [.toggle, .next, .previous, .stop].randomElement(using: &random)!
            instance.perform(command)
        default: instance.receive(RandomPacket.next(at: instance.now, &random), from: Self.peers.randomElement(using: &random)!)
        }
        if instance.player.items.count < 2 {
            for name in ["deep", "tone"] { instance.receive(OSCMessage("/binaural/queue/add", [.string(name)]), from: Self.peers[0]) }
        }
        instance.pass(seconds: [0, 0.01, 0.06, 0.5].randomElement(using: &random)!)
    }

    /// Checks that the answers to reads are the player's.
    private func compare(_ instance: SteppedInstance, _ place: String) throws {
        let peer = SteppedPeer(instance, port: 41_000)
        let state = instance.player
        #expect(try peer.value("now/state") == [.string(state.playback.rawValue)], "\(place)")
        #expect(try peer.value("now/title") == [.string(state.current?.title ?? "")], "\(place)")
        #expect(try peer.value("repeat") == [.string(state.repeatMode.rawValue)], "\(place)")
        #expect(try peer.value("master/mute") == [.int32(state.isMasterMuted ? 1 : 0)], "\(place)")
        #expect(try peer.value("now/queue").last == .int32(Int32(state.items.count)), "\(place)")
    }
}
