import Bus
import Dispatch
import Foundation
import TestSupport

/// As systemd-logind: a program that inhibits gets the end of a pipe, and closes it to release.
///
// SAFETY: the bus is used on its queue only.
final class FakeManager: @unchecked Sendable {
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
    func isHeld(_ expected: Bool) async -> Bool { await eventually { isHeld == expected } }

    private var isHeld: Bool {
        pipes.value.contains { descriptor in
            var byte: UInt8 = 0
            // Without a writer a pipe is at its end.
            return read(descriptor, &byte, 1) < 0
        }
    }
}
