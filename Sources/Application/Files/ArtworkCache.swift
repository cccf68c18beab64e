import Foundation
import OperatingSystem
import PatchFiles
import Patches
import Pictures

/// Pictures of patches without artwork, each drawn once and kept in a cache folder.
package struct ArtworkCache: Sendable {
    private let folder: String

    /// - Parameter folder: Created for the user alone when the first picture is drawn.
    package init(folder: String) { self.folder = folder }

    /// The most pictures that are kept; the least recently used ones are removed first.
    static let limit = 200
    /// Version of the drawing, changed with it so that old pictures are drawn again.
    private static let drawing = 5
    /// Width and height in points, and in pixels.
    private static let side = 900.0

    /// The path of the picture's file, which is drawn if it is missing or damaged.
    ///
    /// - Parameter draw: Makes the file; see ``draw(_:to:)``.
    package func file(
        for patch: Patch, draw: (Patch, _ path: String) throws(PictureError) -> Void = ArtworkCache.draw
    ) throws(PictureError) -> String {
        let path = "\(folder)/\(Self.name(of: patch)).png"
        // Update the file's time, so that it is kept longest.
        if PNGCheck.isWhole(path), utimensat(AT_FDCWD, path, nil, 0) == 0 { return path }
        do throws(FileError) { try Folder.make(folder) } catch { throw .cannotCreate(path: error.path, reason: error.reason) }
        try draw(patch, path)
        removeOldest()
        return path
    }

    /// Draws the picture of a patch into a PNG file, which takes some ten milliseconds.
    package static func draw(_ patch: Patch, to path: String) throws(PictureError) {
        try PictureFile.write(PatchPicture(patch, size: (side, side)).bytes(.png, pixels: 1), to: path)
    }

    /// The file name for a patch: FNV-1a (Fowler, Noll and Vo 1991) of its text, and of the tuning of its notes.
    private static func name(of patch: Patch) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(drawing)\n\(patch.a4)\n\(patch.yaml)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private func removeOldest() {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.map { "\(folder)/\($0)" } ?? []
        guard files.count > Self.limit else { return }
        let ages = files.map { file in
            var information = stat()
            _ = stat(file, &information)
            return (file: file, time: information.st_mtim.tv_sec)
        }
        for (file, _) in ages.sorted(by: { ($0.time, $0.file) < ($1.time, $1.file) }).prefix(files.count - Self.limit) { unlink(file) }
    }
}
