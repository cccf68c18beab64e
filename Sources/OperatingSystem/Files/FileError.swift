import Glibc

/// A file operation that failed with a system error, or was refused because the path is not a regular file.
package struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Operation: String, Sendable {
        case read, create, write, sync, rename, lock, makeFolder
    }

    package enum Cause: Equatable, Sendable {
        /// errno of the call.
        case system(Int32)
        /// The kind of thing found in place of a regular file.
        case kind(FileKind)
    }

    package let operation: Operation
    package let path: String
    package let cause: Cause

    package init(operation: Operation, path: String, cause: Cause) {
        (self.operation, self.path, self.cause) = (operation, path, cause)
    }

    package init(operation: Operation, path: String, code: Int32) {
        self.init(operation: operation, path: path, cause: .system(code))
    }

    /// The errno of the call; `nil` if no call failed.
    package var code: Int32? { if case .system(let code) = cause { code } else { nil } }

    /// Whether there is no file at the path.
    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }

    package var description: String {
        let action =
            switch operation {
            case .read: "read"
            case .create: "create"
            case .write: "write"
            case .sync: "sync"
            case .rename: "rename"
            case .lock: "lock"
            case .makeFolder: "make the folder"
            }
        let reason =
            switch cause {
            case .system(let code): Errno(rawValue: code).description
            case .kind(let kind): Self.words(for: kind)
            }
        return "Cannot \(action) \(path): \(reason)." + (remedy.map { " " + $0 } ?? "")
    }

    /// The reason, worded to stand inside a sentence.
    package var reason: String {
        switch cause {
        case .kind(let kind): Self.words(for: kind)
        case .system(let code): Errno(rawValue: code).reason
        }
    }

    private static func words(for kind: FileKind) -> String { "it is \(kind.noun), not a file" }

    private var remedy: String? {
        switch cause {
        case .kind where operation == .read: "Put a file there, or name another."
        case .kind: "Remove it, or choose another name."
        case .system(ENOSPC), .system(EDQUOT), .system(EFBIG): "Free some disk space."
        case .system(EACCES), .system(EPERM): "Check its permissions and those of its folder."
        case .system(EROFS): "Choose a writable folder."
        case .system(EEXIST): "Choose another name."
        case .system: nil
        }
    }
}
