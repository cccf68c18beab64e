import AudioFiles
import Patches

/// A layer whose sound file is missing or unreadable.
package struct SoundFault {
    package let layer: String
    package let error: SoundFileError

    /// The faults of all sound files that the patch plays.
    package static func all(in patch: Patch) -> [SoundFault] {
        patch.layers.compactMap { layer in
            guard layer.kind == .file else { return nil }
            do throws(SoundFileError) {
                _ = try SoundFile(path: layer.path)
                return nil
            } catch {
                return SoundFault(layer: layer.name, error: error)
            }
        }
    }
}
