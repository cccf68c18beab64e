import Glibc

/// A file operation that failed, with the system's reason.
package struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Operation: String, Sendable {
        case read, create, write, sync, rename, lock, makeFolder
    }

    package let operation: Operation
    package let path: String
    /// errno of the call.
    package let code: Int32

    package var description: String {
        let action =
            switch operation {
            case .read: "read"
            case .create: "create"
            case .write: "write"
            case .sync: "bring to disk"
            case .rename: "rename"
            case .lock: "lock"
            case .makeFolder: "make the folder"
            }
        return "Cannot \(action) \(path): \(String(cString: strerror(code)))." + (remedy.map { " " + $0 } ?? "")
    }

    private var remedy: String? {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: "Make room on the disk."
        case EACCES, EPERM: "Check its permissions and those of its folder."
        case EROFS: "Choose a folder that can be written."
        default: nil
        }
    }

    /// After sysexits: 66 no input, 73 cannot create, 74 input or output failed.
    package var exitCode: Int32 {
        switch operation {
        case .read: 66
        case .create, .rename, .makeFolder, .lock: 73
        case .write, .sync: 74
        }
    }
}
