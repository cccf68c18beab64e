import Foundation
import RegularFiles

/// Writes a picture to a file, which appears under its name only when it is complete. open, write, fsync, rename
package enum PictureFile {
    /// A link keeps pointing to the new file; if this throws, an existing file is unchanged.
    package static func write(_ bytes: [UInt8], to path: String) throws(PictureError) {
        let target = URL(filePath: path).resolvingSymlinksInPath()
        let temporary = target.deletingLastPathComponent().path + "/.\(target.lastPathComponent).\(getpid()).part"
        do throws(FileError) {
            try RegularFile.replace(target.path, with: bytes, by: temporary)
        } catch {
            switch error.operation {
            case .write, .sync: throw .cannotWrite(path: path, reason: error.reason)
            default: throw .cannotCreate(path: path, reason: error.reason)
            }
        }
    }
}
