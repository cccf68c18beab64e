import Bus
import Dispatch
import TestSupport

/// A bus as a test uses it from its own thread.
///
// SAFETY: the bus is used on its queue only.
final class BusClient: @unchecked Sendable {
    private let queue = DispatchQueue(label: "test.bus")
    private let bus: Bus
    let events = WatchedState<[Bus.Event]>([])

    init(_ address: BusAddress) {
        bus = Bus(address, on: queue)
        let events = events
        queue.sync {
            bus.changed = { event in events.update { $0.append(event) } }
            bus.start()
        }
    }

    convenience init(_ bus: MessageBus) { self.init(.at(bus.address)) }

    deinit { queue.sync { bus.close() } }

    func on<T>(_ body: (Bus) -> T) -> T { queue.sync { body(bus) } }

    /// Waits until it has been connected this many times.
    func isConnected(times: Int = 1) async -> Bool {
        await events.wait { $0.filter { $0 == .connected }.count >= times ? true : nil } ?? false
    }

    /// Calls a method, and waits for the answer however late it comes.
    func call(_ method: BusMethod) async -> Result<[BusValue], BusError> {
        await withCheckedContinuation { continuation in
            on { $0.call(method, within: Patience.limit.timeInterval) { continuation.resume(returning: $0) } }
        }
    }

    /// Owns the first free one of the names; the values come as they change.
    func own(_ names: String...) -> WatchedState<[String?]> {
        let owned = WatchedState<[String?]>([])
        on { $0.own(firstOf: names) { name in owned.update { $0.append(name) } } }
        return owned
    }
}
