import InstanceSupport
import OSC
import OSCRemote
import Patches
import Playback
import TestSupport
import Testing

@testable import Application
@testable import Engine
@testable import Performance

/// JACK goes away around a command of every row of the address table, at moments in which something is under way.
@Suite("JACK goes away")
struct AwayTests {
    /// The moment at which JACK goes, by what is under way.
    enum Moment: CaseIterable {
        /// Nothing is; the command comes while JACK is away.
        case before
        /// The command has been given, and no cycle has passed.
        case building
        /// The engine has carried the command out, and control has not looked.
        case unpolled
        case crossfade
        /// The item ends in this cycle.
        case end
    }

    private static let peer = Endpoint(host: .loopback, port: 40_001)

    private static func item(_ layers: Int, seconds: Double) -> QueueItem {
        QueueItem(
            reference: "brief \(layers)",
            patch: Patch(
                details: .init(title: "Brief \(layers)"), duration: seconds,
                layers: (1...layers).map { Layer(name: "layer-\($0)", kind: .tone, values: [.carrier: Double(100 * $0)]) }))
    }

    @Test(
        "At any moment of a command of any row it costs only the gap: afterwards the engine plays what the player says",
        arguments: Moment.allCases, 1...UInt64(isStress ? 50 : 1))
    func away(moment: Moment, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for row in RandomPacket.rows {
            let instance = try SteppedInstance([Self.item(1, seconds: 1), Self.item(5, seconds: 2), Self.item(2, seconds: 3)])
            instance.changePeriod(to: [32, 64, 256, 1024].randomElement(using: &random)!)
            func send(_ address: String, _ arguments: OSCArgument...) {
                instance.receive(OSCMessage("/binaural/" + address, arguments), from: Self.peer)
            }
            func command() { instance.receive(RandomPacket.message(row, &random), from: Self.peer) }
            send("preferences/crossfade", .float(moment == .crossfade ? 0.4 : 0))
            send("repeat", .string("all"))
            send("play")
            instance.pass(seconds: 0.1)
            switch moment {
            case .before: break
            case .building: command()
            case .unpolled:
                command()
                instance.pass(periods: Int.random(in: 1...4, using: &random)) { false }
            case .crossfade:
                send("position", .float(0.55))
                instance.pass(seconds: Double.random(in: 0.06...0.4, using: &random))
                command()
            case .end:
                send("position", .float(0.9))
                instance.pass(seconds: Double.random(in: 0.05...0.12, using: &random)) { Bool.random(using: &random) }
                command()
            }
            let isStall = Bool.random(using: &random)
            if isStall {
                instance.stall(seconds: 0.3)
            } else {
                instance.go()
            }
            // Afterwards the engine's plan is that of another item, which may have fewer layers.
            if Bool.random(using: &random) { send("queue/select", .int32(Int32.random(in: 1...3, using: &random))) }
            command()
            instance.pass(periods: 3)
            command()
            if !isStall { instance.come(sampleRate: [44_100, 48_000].randomElement(using: &random)!) }
            command()
            instance.pass(seconds: 0.4)
            try compare(instance, "\(row.path), \(moment), seed \(seed)")
        }
    }

    /// Checks that the engine plays the player's item at its position, or nothing.
    private func compare(_ instance: SteppedInstance, _ place: String) throws {
        let state = instance.player
        guard state.hasAudio, state.transportMode == .none else { return }
        // An item that has just begun by itself is reported a little later.
        for _ in 0..<1000 where instance.performance.isSettling || instance.isBeginningAnItem { instance.pass(periods: 1) }
        try #require(!instance.performance.isSettling, "\(place): a start or a silence never takes effect")
        try compare(instance, instance.player, place)
    }

    private func compare(_ instance: SteppedInstance, _ state: PlayerState, _ place: String) throws {
        let live = instance.performance.engine?.live
        guard state.playback == .playing else {
            #expect(live == nil, "\(place): sounds while \(state.playback)")
            return
        }
        if state.length.map({ state.position(at: instance.performance.now) >= $0 }) ?? false { return }
        #expect(live?.plan.latest.layers.count == state.layerCount, "\(place): plays another item")
        let position = try #require(instance.performance.position, "\(place)")
        let expected = state.position(at: instance.performance.now)
        #expect(abs(position - expected) <= Int64(max(1, state.rate.rounded(.up))), "\(place): at \(position), not \(expected)")
        try instance.compareEngine(place)
    }
}
