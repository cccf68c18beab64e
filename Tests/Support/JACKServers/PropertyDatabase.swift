import Foundation

/// The Berkeley DB in which JACK keeps the properties of clients and ports, one for all servers of a user. JACK lets it look for no deadlocks:
/// where clients of two servers close at the same time, both servers can wait for each other's page for good. A file in its folder turns
/// the detection on; of two such servers, one then does without an entry.
enum PropertyDatabase {
    /// Called before a server starts.
    static func detectDeadlocks() {
        let folder = "/dev/shm/jack_db-\(getuid())"
        mkdir(folder, 0o700)
        let text = "set_lk_detect DB_LOCK_DEFAULT\n"
        guard FileManager.default.contents(atPath: folder + "/DB_CONFIG") == nil else { return }
        // Complete from the beginning: other test processes may start a server meanwhile.
        try? Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/DB_CONFIG"), options: .atomic)
    }
}
