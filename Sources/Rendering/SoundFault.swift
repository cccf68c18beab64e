import AudioFiles
import Engine
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
        var decoded: [String: SoundFileError?] = [:]
        var faults: [SoundFault] = []
        for layer in patch.layers where layer.kind == .file {
            let fault = decoded[layer.path] ?? self.error(of: layer.path, decodes: decodes)
            decoded[layer.path] = .some(fault)
            guard let error = fault ?? self.error(of: layer.path, layer.segments) else { continue }
            if let place = faults.firstIndex(where: { $0.error == error }) {
                faults[place].layers.append(layer.name)
            } else {
                faults.append(SoundFault(layers: [layer.name], error: error))
            }
        }
        return faults
    }

    /// The layers in words, such as "layer `rain`" or "layers `a`, `b` and 2 more".
    package var words: String {
        let named = layers.prefix(2).map { "`\($0)`" }.joined(separator: layers.count == 2 ? " and " : ", ")
        return (layers.count == 1 ? "layer " : "layers ") + named + (layers.count > 2 ? " and \(layers.count - 2) more" : "")
    }

    private static func error(of path: String, _ segments: SoundSegments? = nil, decodes: Bool = false) -> SoundFileError? {
        do throws(SoundFileError) {
            let file = try SoundFile(path: path)
            try file.check(segments)
            if decodes { try file.decode() }
            return nil
        } catch {
            return error
        }
    }
}
