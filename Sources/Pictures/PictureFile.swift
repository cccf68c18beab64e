import OperatingSystem

/// Writes a picture to a file, which appears under its name only when it is complete. open, write, fsync, rename
package enum PictureFile {
    /// A link keeps pointing to the new file; if this throws, an existing file is unchanged.
    package static func write(_ bytes: [UInt8], to path: String) throws(PictureError) {
        do throws(FileError) {
            try RegularFile.replaceTarget(of: path, with: bytes)
        } catch {
            switch error.operation {
            case .write, .sync: throw .cannotWrite(path: path, reason: error.reason)
            default: throw .cannotCreate(path: path, reason: error.reason)
            }
        }
    }
}
