import Foundation

extension RegularFile {
    /// The file that a path leads to, with links followed, and the hidden file beside it that replaces it when it is complete.
    package static func replacement(of path: String) -> (target: String, temporary: String) {
        let target = URL(filePath: path).resolvingSymlinksInPath()
        return (target.path, target.deletingLastPathComponent().path + "/.\(target.lastPathComponent).\(getpid()).part")
    }

    /// Replaces the contents of the file that a path leads to: ``replace(_:with:by:permissions:isDurable:beforeRename:)``. A link keeps
    /// pointing to the new file; if this throws, an existing file is unchanged.
    package static func replaceTarget(of path: String, with bytes: [UInt8]) throws(FileError) {
        let (target, temporary) = replacement(of: path)
        try replace(target, with: bytes, by: temporary)
    }
}
