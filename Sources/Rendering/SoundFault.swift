import AudioFiles
import Patches

/// A sound file that is missing or unreadable.
package struct SoundFault {
    /// The layers that play it, in order.
    package private(set) var layers: [String]
    package let error: SoundFileError

    /// The faults of all sound files that the patch plays.
    ///
    /// - Parameter decodes: Whether to decode the files to their ends, rather than only open them.
    package static func all(in patch: Patch, decodes: Bool = false) -> [SoundFault] {
        var known: [String: Int?] = [:]
        var faults: [SoundFault] = []
        for layer in patch.layers where layer.kind == .file {
            if let place = known[layer.path] {
                if let place { faults[place].layers.append(layer.name) }
                continue
            }
            let error = error(of: layer.path, decodes: decodes)
            known[layer.path] = .some(error == nil ? nil : faults.count)
            if let error { faults.append(SoundFault(layers: [layer.name], error: error)) }
        }
        return faults
    }

    /// The layers in words, such as "layer `rain`" or "layers `a`, `b` and 2 more".
    package var words: String {
        let named = layers.prefix(2).map { "`\($0)`" }.joined(separator: layers.count == 2 ? " and " : ", ")
        return (layers.count == 1 ? "layer " : "layers ") + named + (layers.count > 2 ? " and \(layers.count - 2) more" : "")
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
