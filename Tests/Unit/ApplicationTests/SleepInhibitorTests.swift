import Bus
import Foundation
import Logging
import Playback
import TestSupport
import Testing

@testable import Application

@MainActor @Suite("Keeping the machine awake") struct SleepInhibitorTests {
    @Test("With a planned start it is kept awake exactly while it plays")
    func planned() async throws {
        let place = try await Place(isPlanned: true)
        place.show(.paused)
        place.show(.playing)
        #expect(await place.manager.isHeld(true))
        #expect(place.manager.asked.value == [["sleep:idle", "Binaural", "A session is playing", "block"]])
        place.show(.playing)
        place.show(.paused)
        #expect(await place.manager.isHeld(false))
        place.show(.playing)
        #expect(await place.manager.isHeld(true))
        place.show(.stopped)
        #expect(await place.manager.isHeld(false))
        #expect(place.manager.asked.value.count == 2)
    }

    @Test("Without a timer or a planned start only the preference keeps it awake")
    func preference() async throws {
        let place = try await Place(isPlanned: false)
        place.show(.playing)
        place.show(.playing, .on)
        #expect(await place.manager.isHeld(true))
        place.show(.playing, .off)
        #expect(await place.manager.isHeld(false))
        #expect(place.manager.asked.value.count == 1)
        place.show(.playing, sleeps: true)
        #expect(await place.manager.isHeld(true))
        place.show(.playing)
        #expect(await place.manager.isHeld(false))
        #expect(place.manager.asked.value.count == 2)
    }

    @Test("Until a planned start the machine may not sleep, but its screen may blank; without inhibitSleep it may")
    func waiting() async throws {
        let place = try await Place(isPlanned: true)
        place.show(.paused, start: 1_700_000_000)
        #expect(await place.manager.isHeld(true))
        place.show(.playing)
        #expect(await place.manager.asked.wait { $0.count == 2 ? true : nil } == true)
        #expect(await place.manager.isHeld(true))
        #expect(place.manager.asked.value.map(\.first) == ["sleep", "sleep:idle"])
        place.show(.paused, .off, start: 1_700_000_000)
        #expect(await place.manager.isHeld(false))
        #expect(place.manager.asked.value.count == 2)
    }

    @Test("A bus that is killed and comes back with another manager is asked again")
    func restarted() async throws {
        let place = try await Place(isPlanned: true)
        place.show(.playing)
        #expect(await place.manager.isHeld(true))
        try await place.bus.kill()
        try await place.bus.start()
        #expect(await place.manager.asked.wait { $0.count == 2 ? true : nil } == true)
        #expect(await place.manager.isHeld(true))
        place.close()
        #expect(await place.manager.isHeld(false))
    }

    /// The inhibitor, a bus and a manager of seats on it.
    @MainActor private final class Place {
        let bus: MessageBus
        let manager: FakeManager
        private let inhibitor: SleepInhibitor

        init(isPlanned: Bool) async throws {
            bus = try await MessageBus()
            manager = FakeManager(bus)
            inhibitor = SleepInhibitor(
                isPlanned: isPlanned, on: .at(bus.address), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        }

        isolated deinit { close() }

        func show(_ playback: PlaybackState, _ preference: SleepInhibition = .auto, sleeps: Bool = false, start: Double? = nil) {
            var snapshot = Snapshot()
            if sleeps {
                var player = Player(PlayerState())
                _ = ResponderChain().send(.sleep(in: 60, fade: 1, .linear), on: &player, at: Moment(frame: 0))
                snapshot.player = player.state
            }
            snapshot.player.playback = playback
            snapshot.preferences.inhibitSleep = preference
            snapshot.start = start
            inhibitor.changed { snapshot }
        }

        func close() { inhibitor.close() }
    }
}
