import AudioFiles
import Patches
import Pictures
import OperatingSystem

/// The picture of a rendered file: the patch's artwork, or else a drawing of the patch.
struct Cover: Sendable {
    let patch: Patch

    /// Width and height of a drawing in points.
    private static let side = 900.0
    /// Pixels per point; a drawing that is too large for its file is made smaller.
    private static let scales = [1, 0.5, 0.35, 0.25]

    /// The picture, if one takes at most `room` bytes.
    func picture(room: Int) -> FilePicture? {
        guard room > 0 else { return nil }
        return artwork(room: room) ?? drawing(room: room)
    }

    private func artwork(room: Int) -> FilePicture? {
        let path = patch.details.artwork
        guard !path.isEmpty, let bytes = try? RegularFile.read(path, limit: room), bytes.count <= room else { return nil }
        return FilePicture(bytes)
    }

    private func drawing(room: Int) -> FilePicture? {
        let picture = PatchPicture(patch, size: (Self.side, Self.side))
        for scale in Self.scales {
            if let bytes = try? picture.bytes(.png, pixels: scale), bytes.count <= room { return FilePicture(bytes) }
        }
        return nil
    }
}
