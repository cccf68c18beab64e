import Patches

/// Warnings about layers that fade out because their frequencies come near half the sample rate.
package enum FadingWarnings {
    /// The warnings for a patch that is rendered to a file.
    package static func words(for patch: Patch, edits: [LiveEdit] = [], sampleRate: Int) -> [String] {
        let sampleRate = Double(sampleRate)
        return words(for: FadingLayer.all(in: patch, edits: edits, sampleRate: sampleRate), of: patch, sampleRate: sampleRate)
    }

    /// - Parameters:
    ///   - rate: The speed of the timeline that the layers' frames count in.
    ///   - a4: The frequency of A4 in Hz, for keys.
    package static func words(for layers: [FadingLayer], of patch: Patch, sampleRate: Double, rate: Double = 1, a4: Double = 440)
        -> [String]
    {
        let limit = "a sample rate of \(NumberText.string(from: sampleRate)) Hz"
        func time(_ frame: Int64) -> String { DurationText.string(from: (Double(frame) / sampleRate * rate).rounded(.down)) }
        var sentences = layers.filter { patch.layers.indices.contains($0.layer) }.map { fading in
            let name = patch.layers[fading.layer].name
            if let silence = fading.silence {
                return "layer `\(name)` is silent at \(time(silence)): its frequency is too high for \(limit)"
            }
            return "layer `\(name)` is softer than its gain at \(time(fading.start)): its frequency is close to half of \(limit)"
        }
        if let layer = patch.layers.first(where: { $0.kind == .keys }),
            let key = FadingLayer.firstKey(sampleRate: sampleRate, a4: a4).flatMap({ Note(rawValue: $0) })
        {
            sentences.append(
                "layer `\(layer.name)` is soft or silent from the key \(key.name) up: their frequencies are too high for \(limit)")
        }
        return sentences
    }
}
