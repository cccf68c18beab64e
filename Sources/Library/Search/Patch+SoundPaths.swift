import Foundation
import Patches

extension Patch {
    /// The patch for saving: sound files in the file's folder or below get paths relative to it.
    package func namingSounds(from file: String) -> Patch {
        let folder = URL(filePath: file).standardizedFileURL.deletingLastPathComponent().path
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        var patch = self
        for index in patch.layers.indices where patch.layers[index].path.hasPrefix(prefix) {
            patch.layers[index].path.removeFirst(prefix.count)
        }
        return patch
    }
}
