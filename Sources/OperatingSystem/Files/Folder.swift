import Glibc

/// Folders that the program makes for its files.
package enum Folder {
    /// Makes a folder and its missing parents, accessible to the user only; one that exists is left as it is. mkdir(2)
    ///
    /// - Throws: `FileError` with the path that could not be made.
    package static func make(_ path: String) throws(FileError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let code = errno
        guard code == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw FileError(operation: .makeFolder, path: path, code: code)
        }
        try make(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileError(operation: .makeFolder, path: path, code: errno) }
    }
}
