import Foundation

/// Puts a picture into a file, which appears under its name only when it is complete. open, write, fsync, rename
package enum PictureFile {
    /// A link keeps pointing to the new file; what had the name before stays whole when this throws.
    package static func write(_ bytes: [UInt8], to path: String) throws(PictureError) {
        let target = URL(filePath: path).resolvingSymlinksInPath()
        var information = stat()
        if stat(target.path, &information) == 0, information.st_mode & S_IFMT != S_IFREG {
            throw .cannotCreate(path: path, reason: "something that is not a file has that name")
        }
        let temporary = target.deletingLastPathComponent().path + "/.\(target.lastPathComponent).\(getpid()).part"
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard file >= 0 else { throw .cannotCreate(path: path, reason: words(for: errno)) }
        let code = write(bytes, to: file)
        close(file)
        guard code == 0 else {
            unlink(temporary)
            throw .cannotWrite(path: path, reason: words(for: code))
        }
        guard rename(temporary, target.path) == 0 else {
            let code = errno
            unlink(temporary)
            throw .cannotCreate(path: path, reason: words(for: code))
        }
    }

    /// - Returns: errno, or 0.
    private static func write(_ bytes: [UInt8], to file: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            // SAFETY: the call reads as many bytes as the buffer has, which is valid for its duration.
            let (written, code) = rest.withUnsafeBytes { buffer in
                let result = Foundation.write(file, buffer.baseAddress, buffer.count)
                return (result, result < 0 ? errno : 0)
            }
            if code == EINTR { continue }
            guard code == 0 else { return code }
            rest = rest.dropFirst(written)
        }
        return fsync(file) == 0 ? 0 : errno
    }

    /// The system's words for an error number, in lower case as they stand inside a sentence. strerror
    private static func words(for code: Int32) -> String {
        let text = String(cString: strerror(code))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
