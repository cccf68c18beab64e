import Foundation
import OSC
import OSCRemote
import Synchronization

/// The file in which `ctl` finds the address of this instance, under the present name of its JACK client.
final class AddressFile: Sendable {
    private let endpoint: Endpoint
    private let environment: [String: String]
    private let file: Mutex<InstanceFile>

    init(_ client: String, _ endpoint: Endpoint, environment: [String: String] = ProcessInfo.processInfo.environment) {
        (self.endpoint, self.environment) = (endpoint, environment)
        file = Mutex(InstanceFile(client: client, environment: environment))
    }

    /// - Returns: A sentence for the user if it cannot be written; the sound and the address do not depend on it.
    func write() -> String? {
        do { try file.withLock { try $0.write(endpoint) } } catch {
            return "\(error) Without that file, 'ctl' and 'watch' need --to \(endpoint) to find this instance."
        }
        return nil
    }

    /// Replaces the file under the previous name; that one stays if the new one cannot be written.
    func rename(to client: String) throws {
        let renamed = InstanceFile(client: client, environment: environment)
        try file.withLock { file in
            guard renamed.path != file.path else { return }
            try renamed.write(endpoint)
            file.remove(endpoint)
            file = renamed
        }
    }

    func remove() { file.withLock { $0.remove(endpoint) } }
}
