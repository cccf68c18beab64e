import InstanceSupport
import OSC
import OSCRemote
import Patches
import Playback
import TestSupport
import Testing

/// OSCRemote is tested with a receiver of its own around the player, without sound or clock. Here it is beside the real one.
@Suite("The receiver of OSCRemote's tests")
struct ReceiverTests {
    /// Beginnings of rows that need a disk, JACK or time, of which that receiver has none, or chance. It also begins with one item more, which is
    /// removed, and could be restored there only.
    private static let left = [
        "session/", "queue/add", "queue/play", "queue/relink", "queue/restore", "patch/save", "jack/", "library/", "button", "shuffle",
        "preferences/", "quit", "learn", "midi/", "transport/", "seek/", "sleep", "master/fade",
    ]
    private static let rows = RandomPacket.rows.filter { row in !left.contains { row.path.hasPrefix($0) } }
    private static let items = ["deep", "reference-tone"]
    /// Seconds between messages, of which errors are answered only so often.
    private static let step = 0.2

    /// The parts of the player's state that do not depend on time.
    private struct Outcome: Equatable, CustomStringConvertible {
        let code: Int32?
        let playback: PlaybackState
        let current: Int?
        let references: [String]
        let repeatMode: RepeatMode
        let isMuted: Bool
        let presets: [String]
        let mutedLayers: [Set<Int>]

        init(_ code: Int32?, _ state: PlayerState) {
            self.code = code
            (playback, current, repeatMode, isMuted) = (state.playback, state.currentIndex, state.repeatMode, state.isMasterMuted)
            references = state.items.map(\.reference)
            presets = state.presets.map(\.name)
            mutedLayers = state.items.map { Set($0.mutedLayers) }
        }

        var description: String {
            "\(code ?? -1) \(playback) \(current ?? -1) of \(references) \(repeatMode) \(isMuted) \(presets) \(mutedLayers)"
        }
    }

    @Test(
        "A command of any row gets the answer of the real instance, and changes the player as there",
        arguments: 1...UInt64(isStress ? 40 : 4))
    func alike(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let server = TestServer()
        let instance = try SteppedInstance(
            ["x"], patches: ["deep": .deep, "reference-tone": .endless], sessions: ["x": Self.items])
        let peer = SteppedPeer(instance)
        server.send("queue/remove", .int32(3))
        server.send("stop")
        server.send("replies", .int32(2))
        #expect(try peer.perform("stop") == 0)
        /// The code of the answer to a command; `nil` if it is answered by what it asks for, or not at all.
        func code(_ answers: some BidirectionalCollection<OSCMessage>, to address: String) -> Int32? {
            let answer = answers.last { ["reply", "error"].contains($0.address) && $0.arguments.first == .string("/binaural/" + address) }
            return if case .int32(let code)? = answer?.arguments[1] { code } else { nil }
        }
        for step in 1...200 {
            if step % 100 == 0 {
                // They are sent for 30 s.
                server.send("replies", .int32(2))
                peer.send("replies", .int32(2))
            }
            let message = RandomPacket.message(Self.rows.randomElement(using: &random)!, &random)
            let address = String(message.address.dropFirst("/binaural/".count))
            server.drop()
            server.receive(.message(message))
            server.advance(seconds: Self.step)
            let count = peer.heard.count
            peer.send(address, message.arguments)
            instance.pass(seconds: Self.step)
            let expected = Outcome(code(peer.heard.dropFirst(count), to: address), instance.player)
            let found = Outcome(code(server.messages(), to: address), server.receiver.player.state)
            #expect(found == expected, "seed \(seed), step \(step): \(message)")
            guard found == expected else { return }
        }
    }
}
