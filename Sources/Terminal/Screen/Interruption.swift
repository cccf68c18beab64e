import Foundation
import Synchronization

/// Lets long work check between its steps whether a signal has asked it to stop.
package final class Interruption: Sendable {
    private let caught = Atomic<Int32>(0)

    /// Handles SIGINT, SIGTERM and SIGHUP for the rest of the program.
    package init() throws(SignalsError) {
        let signals = try Signals()
        Task { [weak self] in
            for await signal in signals.requests { self?.caught.store(signal, ordering: .relaxed) }
        }
    }

    /// The signal that asked the program to end; `nil` if there was none.
    package var signal: Int32? {
        let signal = caught.load(ordering: .relaxed)
        return signal == 0 ? nil : signal
    }
}
