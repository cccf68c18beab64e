import Foundation
import Patches
import RegularFiles

/// Pictures of patches that have none of their own, drawn once each and kept in a folder of the cache.
package struct ArtworkCache: Sendable {
    private let folder: String

    /// - Parameter folder: made when the first picture is drawn, for the user alone.
    package init(folder: String) { self.folder = folder }

    /// Pictures that are kept; those that nobody has asked for the longest go first.
    static let limit = 200
    /// Another one when the drawing changes, so that old pictures are drawn anew.
    private static let drawing = 3
    /// Points, and pixels.
    private static let side = 900.0

    /// The picture's file, drawn if it is not there yet. Takes some ten milliseconds then.
    package func file(for patch: Patch) throws(PictureError) -> String {
        let path = "\(folder)/\(Self.name(of: patch)).png"
        // Used today: it stays longest.
        if FileKind.at(path) == .regular, utimensat(AT_FDCWD, path, nil, 0) == 0 { return path }
        let bytes = try PatchPicture(patch, size: (Self.side, Self.side)).bytes(.png, pixels: 1)
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .cannotCreate(path: folder, reason: error.localizedDescription)
        }
        try PictureFile.write(bytes, to: path)
        removeOldest()
        return path
    }

    /// Another patch has another name: FNV-1a (Fowler, Noll and Vo 1991) of its text.
    private static func name(of patch: Patch) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(drawing)\n\(patch.yaml)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
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
