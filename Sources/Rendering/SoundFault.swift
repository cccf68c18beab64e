import AudioFiles
import Patches

/// A layer whose sound file is missing or unreadable.
package struct SoundFault {
    package let layer: String
    package let error: SoundFileError

    /// The faults of all sound files that the patch plays.
    ///
    /// - Parameter decodes: Whether to decode the files to their ends, rather than only open them.
    package static func all(in patch: Patch, decodes: Bool = false) -> [SoundFault] {
        var known: [String: SoundFileError?] = [:]
        return patch.layers.compactMap { layer in
            guard layer.kind == .file else { return nil }
            let error = known[layer.path] ?? error(of: layer.path, decodes: decodes)
            known[layer.path] = .some(error)
            return error.map { SoundFault(layer: layer.name, error: $0) }
        }
    }

    private static func error(of path: String, decodes: Bool) -> SoundFileError? {
        do throws(SoundFileError) {
            let file = try SoundFile(path: path)
            if decodes { try file.decode() }
            return nil
        } catch {
            return error
        }
    }
}
