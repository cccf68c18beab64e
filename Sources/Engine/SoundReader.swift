// The thread that decodes, one at a time.

/// A recorded sound at the engine's sample rate, decoded on demand. One thread at a time.
package protocol SoundReader: AnyObject {
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

/// The sound that a layer plays.
package struct SoundName: Hashable, Sendable {
    /// The absolute path; empty for no sound.
    package let path: String
    /// Whether it is looped.
    package let loops: Bool
    /// The channels that the layer's effects need of it.
    let parts: SoundFilter.Parts

    package init(path: String, loops: Bool) { self.init(path: path, loops: loops, parts: SoundFilter.Parts()) }

    init(path: String, loops: Bool, parts: SoundFilter.Parts) {
        self.path = path
        self.loops = loops
        self.parts = parts
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
