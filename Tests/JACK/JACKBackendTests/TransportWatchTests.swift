import Engine
import JACKBackend
import Testing

@Suite struct TransportWatchTests {
    @Test("It waits a limited time for the transport to roll after a locate")
    func starting() {
        var watch = TransportWatch()
        func sighting(_ state: TransportSighting.State, _ frame: EngineFrame) -> TransportSighting {
            TransportSighting(state, frame: 0, engineFrame: frame)
        }
        #expect(watch.isRolling(sighting(.rolling, 0), sampleRate: 48_000) == true)
        #expect(watch.isRolling(sighting(.starting, 256), sampleRate: 48_000) == nil)
        #expect(watch.isRolling(sighting(.starting, 256 + 4800), sampleRate: 48_000) == false)
        #expect(watch.isRolling(sighting(.rolling, 9000), sampleRate: 48_000) == true)
        #expect(watch.isRolling(sighting(.starting, 9256), sampleRate: 48_000) == nil)
        #expect(watch.isRolling(sighting(.stopped, 9512), sampleRate: 48_000) == false)
    }
}
