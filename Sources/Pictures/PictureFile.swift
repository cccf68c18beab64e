import Foundation
import RegularFiles

/// Puts a picture into a file, which appears under its name only when it is complete. open, write, fsync, rename
package enum PictureFile {
    /// A link keeps pointing to the new file; what had the name before stays whole when this throws.
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
