import Glibc

/// Identifies a state of a file: it differs once the file was written or replaced.
package struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    private let seconds: Int64
    private let nanoseconds: Int64

    /// The state of the file at a path; `nil` if it does not exist. stat(2), lstat(2)
    ///
    /// - Throws: any other error than that of a missing file.
    package init?(_ path: String, followsLinks: Bool = true) throws(FileError) {
        guard let status = try RegularFile.status(of: path, followsLinks: followsLinks) else { return nil }
        self.init(status)
    }

    /// The state of an open regular file; `nil` for anything else, such as a pipe or a terminal. fstat(2)
    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, FileKind(status) == .regular else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        seconds = Int64(status.st_mtim.tv_sec)
        nanoseconds = Int64(status.st_mtim.tv_nsec)
    }

    /// Whether both are states of one file, whatever paths lead to it.
    package func isOfSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }

    /// The state in figures, to be compared with a later one.
    package var text: String { "\(device) \(inode) \(size) \(seconds).\(nanoseconds)" }
}
