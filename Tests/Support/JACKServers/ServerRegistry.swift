import Foundation

/// JACK's registry of servers in shared memory. It has eight places for all users of a machine, and a server that was killed keeps its place until
/// one of the same name starts; after eight such names no other server starts ("Too many servers already active").
///
/// The layout is that of libjackserver 1.9 (`shm.h`): a header of 24 bytes, then the servers with 264 bytes each, a process and a name.
package struct ServerRegistry {
    private static let headerSize = 4 * header.count
    private static let entrySize = 264
    private static let entryCount = 8
    /// The header: "JACK" as a number, version, kind of shared memory, and the sizes of the whole, of the servers with the header and of a segment.
    private static let header: [UInt32] = [0x4a41_434b, 0, 1, 70_744, 2136, 268]

    private let path: String

    package init(path: String = "/dev/shm/jack-shm-registry") {
        self.path = path
    }

    /// Frees the places of servers that have ended without doing so; without effect on a registry of another layout or user.
    package func freePlacesOfEndedServers() {
        let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return }
        defer { close(file) }
        withLock {
            guard read(at: 0, count: Self.header.count, from: file) == Self.header else { return }
            for entry in 0..<Self.entryCount {
                let offset = Self.headerSize + entry * Self.entrySize
                guard let process = read(at: offset, count: 1, from: file)?.first, process != 0, kill(pid_t(bitPattern: process), 0) == -1,
                    errno == ESRCH
                else { continue }
                _ = [UInt8](repeating: 0, count: Self.entrySize).withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(offset)) }
            }
        }
    }

    private func read(at offset: Int, count: Int, from file: Int32) -> [UInt32]? {
        var values = [UInt32](repeating: 0, count: count)
        let size = values.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, off_t(offset)) }
        return size == 4 * count ? values : nil
    }

    /// The semaphore under which JACK itself reads and writes the registry; it exists as soon as there has been a server.
    private func withLock(_ body: () -> Void) {
        let semaphore = semget(0x282929, 0, 0)
        var wait = sembuf(sem_num: 0, sem_op: -1, sem_flg: Int16(SEM_UNDO))
        var post = sembuf(sem_num: 0, sem_op: 1, sem_flg: Int16(SEM_UNDO))
        guard semaphore >= 0, semop(semaphore, &wait, 1) == 0 else { return body() }
        body()
        semop(semaphore, &post, 1)
    }
}
