// The thread that decodes, one at a time.

import Patches
import Synthesis

/// A recorded sound at the engine's sample rate, decoded on demand. One thread at a time.
package protocol SoundReader: AnyObject {
    /// The length of the recording in frames, at least 1: what follows is looped or silent.
    var frameCount: Int64 { get }

    /// Fills both channels with `count` frames of the sound from `frame` on; after its end it is looped or followed by silence. The samples
    /// are finite, and the same whatever was read before.
    ///
    /// - Parameter frame: A multiple of ``SoundStream/chunkLength``, from 0.
    func read(
        from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int
    ) throws(SoundFailure)
}

/// The reason why a sound is silent: a sentence with the remedy.
package struct SoundFailure: Error, Equatable {
    package let sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
}

/// The channels of a chunk that effects need.
struct SoundParts: Hashable, Sendable {
    /// In Hz; empty if the whole spectrum has the effects.
    var bands: [ClosedRange<Double>] = []
    var hasQuadrature = false
    /// Frames of silence before the sound, so that as many of it can be heard early.
    var delay = 0

    /// Channels of a chunk: the sound's two, the two of its bands, the quadrature.
    var channels: Int { 2 + (bands.isEmpty ? 0 : 2) + (hasQuadrature ? 1 : 0) }
}

/// The sound that a layer plays.
package struct SoundName: Hashable, Sendable {
    /// The absolute path; empty for no sound.
    package let path: String
    /// Whether it is looped.
    package let loops: Bool
    /// The channels that the layer's effects need of it.
    let parts: SoundParts
    /// The segments that it is played in; `nil` from its beginning to its end.
    package let segments: SoundSegments?
    /// The key of the segments' places; 0 without segments.
    let seedKey: UInt64

    package init(path: String, loops: Bool, segments: SoundSegments? = nil, seed: UInt64 = 0) {
        self.init(path: path, loops: loops, parts: SoundParts(), segments: segments, seedKey: Synthesis.seedKey(seed))
    }

    init(path: String, loops: Bool, parts: SoundParts, segments: SoundSegments?, seedKey: UInt64) {
        self.path = path
        // Segments end before the file does, so it should not fade out there.
        self.loops = loops || segments != nil
        self.parts = parts
        self.segments = segments
        self.seedKey = segments == nil ? 0 : seedKey
    }
}

/// Opens a sound for an engine; `sampleRate` in Hz. Called where waiting for a disk does no harm.
package typealias SoundOpener = @Sendable (_ sound: SoundName, _ sampleRate: Double) throws(SoundFailure) -> any SoundReader

/// A problem with a sound that should be heard.
package enum SoundNotice: Equatable, Sendable {
    /// The sound failed, and is silent from now on.
    case failed(SoundFailure)
    /// The sound was not decoded in time, `count` times since the last notice, and was silent meanwhile.
    case late(path: String, count: UInt64)
}
