import Foundation
import Synchronization

/// For work that looks, between its steps, whether the user wants it stopped.
final class Interruption: Sendable {
    private let caught = Atomic<Int32>(0)

    /// Takes SIGINT, SIGTERM and SIGHUP for the rest of the program.
    init() {
        let signals = Signals()
        Task { [weak self] in
            for await signal in signals.requests { self?.caught.store(signal, ordering: .relaxed) }
        }
    }

    /// The signal that asks for an end; `nil` as long as none has come.
    var signal: Int32? {
        let signal = caught.load(ordering: .relaxed)
        return signal == 0 ? nil : signal
    }
}
