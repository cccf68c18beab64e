import Patches
import Synthesis

/// A layer whose frequency comes so near to half the sample rate that it fades out.
package struct FadingLayer: Equatable, Sendable {
    package let layer: Int
    /// The first plan frame at which one of its tones is 0.1 dB softer or more.
    package let start: Int64
    /// The first plan frame at which one of its tones is silent; `nil` if none ever is.
    package let silence: Int64?

    package init(layer: Int, start: Int64, silence: Int64?) {
        (self.layer, self.start, self.silence) = (layer, start, silence)
    }

    /// Finds where the layer fades out; `nil` if it does not before `end`.
    fileprivate init?(_ layer: Int, _ fades: NyquistFades?, before end: Int64) {
        guard let fades, let start = fades.first(below: NyquistFades.audible, before: end) else { return nil }
        self.init(layer: layer, start: start, silence: fades.first(below: 1e-6, before: end))
    }

    /// The fading layers of a patch at a sample rate in Hz, in layer order. Keys layers are left out, since their notes are not known.
    package static func all(in patch: Patch, edits: [LiveEdit] = [], sampleRate: Double) -> [FadingLayer] {
        let end = patch.duration.map { Frames.count(of: $0, sampleRate: sampleRate) } ?? .max
        let carriers = patch.largest(.carrier, edits: edits)
        let beats = patch.largest(.beat, edits: edits)
        return patch.layers.indices.compactMap { index in
            let kind = patch.layers[index].kind
            let multiple = kind.oscillators.joined().reduce(0) { max($0, abs($1)) }
            // Making the tracks of all layers is slow for large sequences, and hardly any layer comes near.
            guard carriers[index] + multiple * beats[index] > nyquistFadeStart * sampleRate else { return nil }
            let tracks = [Parameter.carrier, .beat].reduce(into: [Parameter: ParameterTrack]()) { tracks, parameter in
                tracks[parameter] =
                    PlanCompiler.course(of: parameter, layer: index, in: patch, edits: edits, held: [], sampleRate: sampleRate)?.track
            }
            return FadingLayer(index, NyquistFades(kind, tracks), before: end)
        }
    }
}

extension Patch {
    /// Upper bounds of a parameter's magnitude, one for each layer, as in ``Timeline/largest``.
    fileprivate func largest(_ parameter: Parameter, edits: [LiveEdit]) -> [Double] {
        let settings = (chapters + cues).flatMap(\.settings) + edits.map(\.setting)
        var ranges = layers.map { layer in layer.value(of: parameter).map { $0...$0 } ?? 0...0 }
        for setting in settings where setting.parameter == parameter && ranges.indices.contains(setting.layer) {
            let range = ranges[setting.layer]
            ranges[setting.layer] = min(range.lowerBound, setting.value)...max(range.upperBound, setting.value)
        }
        for index in ranges.indices {
            guard let leader = leader(of: parameter, layer: index) else { continue }
            let values = settings.filter { $0.layer == leader.layer && $0.parameter == leader.parameter }.map(\.value)
            for value in values + [layers[leader.layer].value(of: leader.parameter) ?? 0] {
                ranges[index] = min(ranges[index].lowerBound, value)...max(ranges[index].upperBound, value)
            }
        }
        return ranges.map { range in
            let beyond = 0.4 * (range.upperBound - range.lowerBound)
            return max(beyond - range.lowerBound, range.upperBound + beyond)
        }
    }
}

extension PlanDraft {
    /// The layers that fade out near half the sample rate, in layer order, without keys layers.
    package var fadingLayers: [FadingLayer] {
        layers.enumerated().compactMap { FadingLayer($0, $1.fades, before: lengthInFrames ?? .max) }
    }
}

extension FadingLayer {
    /// The lowest key (MIDI number) that fades out near half the sample rate; `nil` when all 128 have room.
    package static func firstKey(sampleRate: Double, a4: Double = 440) -> Int? {
        let tuning = Tuning(a4: a4)
        return (0..<128).first { nyquistFade(tuning.frequency(ofNote: Double($0)) / sampleRate) < NyquistFades.audible }
    }
}

extension NyquistFades {
    /// A gain of -0.1 dB, linear.
    fileprivate static let audible = 0.9886

    /// The first frame at which one of the fades is below `value`.
    fileprivate func first(below value: Double, before end: Int64) -> Int64? {
        pieces.compactMap { $0.elements.first(below: value, before: end) }.min()
    }
}

extension UnsafeBufferPointer<ValuePiece> {
    /// The first frame at which the value is below `value`, accurate to a 32nd of a piece; `nil` if it never is before `end`.
    fileprivate func first(below value: Double, before end: Int64) -> Int64? {
        for (index, piece) in enumerated() where piece.start < end {
            if piece.isConstant {
                if Double(piece.c0) < value { return piece.start }
                continue
            }
            let next = Swift.min(index + 1 < count ? self[index + 1].start : end, end)
            let length = Swift.min(1 / Double(piece.inverseLength), Double(next - piece.start))
            for part in 0..<32 {
                let t = Float(length * Double(part) / 32) * piece.inverseLength
                let now = piece.c0 + t * (piece.c1 + t * (piece.c2 + t * (piece.c3 + t * (piece.c4 + t * piece.c5))))
                if Double(now) < value { return piece.start + Int64(length * Double(part) / 32) }
            }
        }
        return nil
    }
}
