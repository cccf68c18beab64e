import Bus
import Dispatch
import Foundation
import Logging
import Playback
import TestSupport
import Testing

@testable import Application

@Suite("Keeping the machine awake") struct SleepInhibitorTests {
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

    @Test("A bus that is killed and comes back with another manager is asked again")
    func restarted() async throws {
        let place = try await Place(isPlanned: true)
        place.show(.playing)
        #expect(await place.manager.isHeld(true))
        try await place.bus.kill()
        try await place.bus.start()
        #expect(await place.manager.asked.wait(within: .seconds(30)) { $0.count == 2 ? true : nil } == true)
        #expect(await place.manager.isHeld(true))
        place.close()
        #expect(await place.manager.isHeld(false))
    }

    /// The inhibitor, a bus and a manager of seats on it.
    private final class Place {
        let bus: MessageBus
        let manager: FakeManager
        private let queue = DispatchQueue(label: "test.control")
        private let inhibitor: SleepInhibitor

        init(isPlanned: Bool) async throws {
            bus = try await MessageBus()
            manager = FakeManager(bus)
            inhibitor = SleepInhibitor(
                isPlanned: isPlanned, on: .at(bus.address), queue: queue, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        }

        deinit { close() }

        func show(_ playback: PlaybackState, _ preference: SleepInhibition = .auto, sleeps: Bool = false) {
            var snapshot = Snapshot()
            if sleeps {
                var player = Player(PlayerState())
                _ = ResponderChain().send(.sleep(in: 60, fade: 1, .linear), on: &player, at: Moment(frame: 0))
                snapshot.player = player.state
            }
            snapshot.player.playback = playback
            snapshot.preferences.inhibitSleep = preference
            queue.sync { inhibitor.changed(snapshot) }
        }

        func close() { queue.sync { inhibitor.close() } }
    }
}

/// As systemd-logind: a program that inhibits gets the end of a pipe, and closes it to release.
///
// SAFETY: the bus is used on its queue only.
private final class FakeManager: @unchecked Sendable {
    let asked = WatchedState<[[String]]>([])
    private let pipes = WatchedState<[Int32]>([])
    private let queue = DispatchQueue(label: "test.manager")
    private let bus: Bus

    init(_ messageBus: MessageBus) {
        bus = Bus(.at(messageBus.address), on: queue)
        let (asked, pipes) = (asked, pipes)
        queue.sync {
            bus.serve("/org/freedesktop/login1") { call in
                var ends: [Int32] = [0, 0]
                guard call.member == "Inhibit", pipe(&ends) == 0 else { return }
                _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
                let texts = ((try? call.arguments()) ?? []).compactMap(\.text)
                call.reply([.descriptor(BusDescriptor(ends[1]))])
                let end = ends[0]
                pipes.update { $0.append(end) }
                asked.update { $0.append(texts) }
            }
            bus.own(firstOf: ["org.freedesktop.login1"]) { _ in }
            bus.start()
        }
    }

    deinit { queue.sync { bus.close() } }

    /// Waits until something, or nothing, is inhibited.
    func isHeld(_ expected: Bool) async -> Bool {
        let end = ContinuousClock.now + .seconds(60)
        // A busy machine may sleep longer than that, so the last look comes afterwards.
        while isHeld != expected, ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(5)) }
        return isHeld == expected
    }

    private var isHeld: Bool {
        pipes.value.contains { descriptor in
            var byte: UInt8 = 0
            // Without a writer a pipe is at its end.
            return read(descriptor, &byte, 1) < 0
        }
    }
}
