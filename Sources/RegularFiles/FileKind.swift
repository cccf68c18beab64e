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

    /// The kind of file at `path`; `nil` if there is none or it is not accessible. Nothing is opened. stat(2)
    package static func at(_ path: String) -> FileKind? {
        var status = stat()
        return stat(path, &status) == 0 ? FileKind(status) : nil
    }

    /// Whether `path` itself is a symbolic link, wherever that leads. lstat(2)
    package static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
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
