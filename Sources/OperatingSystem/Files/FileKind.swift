import Glibc

/// The kind of file at a path, with links followed.
package enum FileKind: Equatable, Sendable {
    case regular, folder, pipe, socket, device, other

    init(_ status: stat) {
        self =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFIFO: .pipe
            case S_IFSOCK: .socket
            case S_IFCHR, S_IFBLK: .device
            default: .other
            }
    }

    /// The kind of file at `path`, without opening it; `nil` if it does not exist. stat(2)
    package static func at(_ path: String) throws(FileError) -> FileKind? {
        try RegularFile.status(of: path).map { FileKind($0) }
    }

    /// Whether `path` itself is a symbolic link, wherever that leads. lstat(2)
    package static func isLink(_ path: String) throws(FileError) -> Bool {
        try RegularFile.status(of: path, followsLinks: false).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
    }

    /// The name of the kind with its article, such as "a folder".
    package var noun: String {
        switch self {
        case .regular: "a file"
        case .folder: "a folder"
        case .pipe: "a named pipe"
        case .socket: "a socket"
        case .device: "a device"
        case .other: "no file"
        }
    }
}
