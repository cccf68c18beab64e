import Bus
import Dispatch
import TestSupport
import Zeroconf

/// An announcer as a test uses it, and what it has reported.
///
// SAFETY: the announcer and the bus are used on the queue only.
final class Announcement: @unchecked Sendable {
    let events = WatchedState<[ServiceAnnouncer.Event]>([])
    private let queue = DispatchQueue(label: "test.announcement")
    private let bus: Bus
    private let announcer: ServiceAnnouncer

    init(_ services: [AnnouncedService], as name: String = "binaural on studio", on address: BusAddress) {
        bus = Bus(address, on: queue)
        let events = events
        announcer = ServiceAnnouncer(services, as: name, on: bus) { event in events.update { $0.append(event) } }
        queue.sync {
            announcer.start()
            bus.start()
        }
    }

    deinit { queue.sync { bus.close() } }

    func on(_ body: (ServiceAnnouncer) -> Void) { queue.sync { body(announcer) } }

    /// Waits for all of these events, in this order.
    func reports(_ expected: ServiceAnnouncer.Event...) async -> Bool {
        await events.wait { $0 == expected ? true : nil } ?? false
    }
}

extension FakeAvahi {
    /// Waits until these services and no others are published.
    func publishes(_ expected: [Entry]) async -> Bool {
        await published.wait { $0.values.flatMap(\.self) == expected ? true : nil } ?? false
    }
}
