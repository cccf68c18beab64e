import OSC
import OSCRemote
import Patches
import Playback

/// Packet -> PacketCheck -> liblo -> table -> command -> player, with libFuzzer at the front.
///
/// A packet must not crash anything, must not leave a number in the player that is not finite or out of its range, and must not be
/// answered with a packet that is too long; one that is malformed gets at most one short error.
@main struct FuzzPackets {
    static func main() {
        var count = CommandLine.argc
        // SAFETY: libFuzzer gets the vector that main got, and may keep it until the process ends.
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        _ = runDriver(&count, &arguments) { bytes, count in
            FuzzPackets.receive(Array(UnsafeBufferPointer(start: bytes, count: count)))
            return 0
        }
    }

    fileprivate static func receive(_ packet: [UInt8]) {
        let server = TestServer()
        server.receive(bytes: packet)
        let answers = server.packetsToAll()
        precondition(answers.allSatisfy { $0.count <= 1400 }, "an answer is too long")
        if server.server.statistics.malformedPackets > 0 {
            precondition(answers.count <= 1 && answers.allSatisfy { $0.count <= 300 }, "more than one short error")
            precondition(server.receiver.performed.isEmpty, "a malformed packet is a command")
        }
        // Time passes for the bundles and feedback that the packet has scheduled, and for the ramps that it has started.
        server.advance(seconds: 0.2)
        precondition(server.packetsToAll().allSatisfy { $0.count <= 1400 }, "feedback is too long")
        check(server.receiver.player.state)
    }

    private static func check(_ state: PlayerState) {
        precondition((Parameter.off...0).contains(state.masterGain) && PlayerState.a4Range.contains(state.a4))
        precondition(PlayerState.rateRange.contains(state.rate) && state.anchor.position >= 0)
        for item in state.items {
            precondition((0...5).contains(item.rating))
            for edit in item.edits {
                let range = item.patch?.layers[edit.setting.layer].description(of: edit.setting.parameter)?.range
                precondition(range?.contains(edit.setting.value) == true, "\(edit)")
            }
        }
    }
}

/// `LLVMFuzzerRunDriver` of libFuzzer: runs it inside of a program that has a main function of its own.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32
