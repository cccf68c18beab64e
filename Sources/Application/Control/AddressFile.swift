import Foundation
import OSC
import OSCRemote
import Synchronization

/// The file in which `ctl` finds the address of this instance, under the present name of its JACK client.
final class AddressFile: Sendable {
    private let endpoint: Endpoint
    private let file: Mutex<InstanceFile>

    init(_ client: String, _ endpoint: Endpoint) {
        self.endpoint = endpoint
        file = Mutex(Self.file(client))
    }

    private static func file(_ client: String) -> InstanceFile {
        InstanceFile(client: client, environment: ProcessInfo.processInfo.environment)
    }

    func write() throws {
        do {
            try file.withLock { try $0.write(endpoint) }
        } catch {
            throw ApplicationError(.cannotCreate, "\(error)")
        }
    }

    /// Replaces the file under the previous name; that one stays if the new one cannot be written.
    func rename(to client: String) throws {
        let renamed = Self.file(client)
        try file.withLock { file in
            guard renamed.path != file.path else { return }
            try renamed.write(endpoint)
            file.remove(endpoint)
            file = renamed
        }
    }

    func remove() { file.withLock { $0.remove(endpoint) } }
}
