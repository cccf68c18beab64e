import Dispatch
import Synchronization

@testable import Application

/// A session manager in memory.
package final class MemorySessionManager: SessionManagerPort {
    private struct State {
        var requests: [SessionManagerRequest] = []
        var heard: [SessionManagerNotice] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// All that it was notified of.
    package var heard: [SessionManagerNotice] { state.withLock { $0.heard } }

    package var hasOpened: Bool { heard.contains { if case .opened = $0 { true } else { false } } }

    package func notify(_ notice: SessionManagerNotice) { state.withLock { $0.heard.append(notice) } }

    package func next() -> SessionManagerRequest? { state.withLock { $0.requests.isEmpty ? nil : $0.requests.removeFirst() } }

    package func watch(on queue: DispatchQueue, _ handler: @escaping () -> Void) {}

    package func close() {}

    /// A session that it opens, in a folder of a home.
    package func session(_ name: String, in home: InstanceHome) throws -> ManagedSession {
        try ManagedSession(
            link: self, folder: home.folder.file("sessions/\(name)"), displayName: name, clientID: "binaural.\(name)", own: home.places)
    }

    /// Sends requests one after the other, and returns what it is notified of until they are answered.
    @discardableResult
    package func ask(_ instance: SteppedInstance, _ requests: SessionManagerRequest...) -> [SessionManagerNotice] {
        let count = heard.count
        state.withLock { $0.requests += requests }
        instance.serve(self)
        return Array(heard[count...])
    }
}
