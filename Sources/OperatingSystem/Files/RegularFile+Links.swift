import Foundation

extension RegularFile {
    /// Bytes of the longest file name (NAME_MAX).
    private static let longestName = 255

    /// The file that a path leads to. One that is missing counts as well, if a link names it.
    private static func target(of path: String) -> URL {
        var target = URL(filePath: path).resolvingSymlinksInPath()
        // Foundation leaves a broken link as it is.
        while isMissing(target.path), let next = linkTarget(of: target.path) {
            let folder = target.deletingLastPathComponent().resolvingSymlinksInPath().path
            target = URL(filePath: next.hasPrefix("/") ? next : folder + "/" + next).resolvingSymlinksInPath()
        }
        return target
    }

    private static func isMissing(_ path: String) -> Bool { (try? status(of: path) == nil) ?? false }

    /// The file that a path leads to, with links followed, and the hidden file beside it that replaces it when it is complete. That has as
    /// much of the name as there is room for.
    package static func replacement(of path: String) -> (target: String, temporary: String) {
        let target = target(of: path)
        let ending = ".\(getpid()).part"
        var name = "." + target.lastPathComponent
        while name.utf8.count > longestName - ending.utf8.count { name.removeLast() }
        return (target.path, target.deletingLastPathComponent().path + "/" + name + ending)
    }

    /// Replaces the contents of the file that a path leads to: ``replace(_:with:by:permissions:isDurable:beforeRename:)``. A link keeps
    /// pointing to the new file; if this throws, an existing file is unchanged.
    package static func replaceTarget(of path: String, with bytes: [UInt8]) throws(FileError) {
        let (target, temporary) = replacement(of: path)
        try replace(target, with: bytes, by: temporary)
    }
}
