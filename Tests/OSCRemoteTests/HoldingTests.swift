import OSC
import Playback
import Testing

/// What lasts as long as it is held.
@Suite struct HoldingTests {
    @Test("the one button toggles once its presses are over, also when it is only told of presses")
    func button() {
        let rig = Rig()
        rig.send("button")
        #expect(rig.studio.performed.isEmpty)
        rig.advance(seconds: 1)
        #expect(rig.studio.performed == [.toggle])
        rig.studio.performed = []
        for value in [1, 0, 1, 0] { rig.send("button", .float(Float(value))) }
        rig.advance(seconds: 1)
        #expect(rig.studio.performed == [.nextItem])
    }

    @Test("a held seek ends with the lease of whoever holds it")
    func lease() {
        let rig = Rig()
        rig.send("seek/forward", .int32(1))
        #expect(rig.studio.player.state.heldSeek != nil)
        rig.advance(seconds: 31)
        #expect(rig.studio.player.state.heldSeek == nil)
        #expect(rig.studio.performed.last == .seek(.forward, begins: false))
    }
}
