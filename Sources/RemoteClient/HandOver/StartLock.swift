import Glibc
import OSCRemote
import Synchronization

/// Lets one `play` after the other look for a running instance and start one, so that of two at once the second finds the first. It is held until
/// ``release()`` or the end of the process.
package final class StartLock: Sendable {
    private let descriptor: Mutex<Int32>

    /// Waits for a start that is under way, for ten seconds at most: a server may hang.
    ///
    /// - Returns: `nil` if there is no lock to be had.
    package init?(client: String, environment: [String: String]) async {
        let file = InstanceFile(client: client, environment: environment)
        guard let folder = try? file.folderOfInstances() else { return nil }
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        self.descriptor = Mutex(descriptor)
        for _ in 0..<200 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            guard errno == EWOULDBLOCK || errno == EINTR, (try? await Task.sleep(for: .milliseconds(50))) != nil else { break }
        }
        return nil
    }

    deinit { release() }

    package func release() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }
}
