// The thread that decodes, one at a time.

/// A recorded sound at the engine's sample rate, decoded where it is asked for. One thread at a time.
package protocol SoundReader: AnyObject {
    /// Fills both channels with `count` frames from `frame` on: those of the sound as it is played from its start, begun anew or followed by
    /// silence where it ends. The same samples whatever was read before. All of them are finite.
    ///
    /// - Parameter frame: A multiple of ``SoundStream/chunkLength``, from 0.
    func read(
        from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int
    ) throws(SoundFailure)
}

/// Why a sound is not heard: a sentence with what to do about it.
package struct SoundFailure: Error, Equatable {
    package let sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
}

/// Which sound a layer plays.
package struct SoundName: Hashable, Sendable {
    /// Absolute; empty: none.
    package let path: String
    /// Whether it begins anew at its end.
    package let loops: Bool

    package init(path: String, loops: Bool) {
        self.path = path
        self.loops = loops
    }
}

/// Opens a sound for an engine; `sampleRate` in Hz. Called where waiting for a disk harms nobody.
package typealias SoundOpener = @Sendable (_ sound: SoundName, _ sampleRate: Double) throws(SoundFailure) -> any SoundReader

/// What has become of a sound that should be heard.
package enum SoundNotice: Equatable, Sendable {
    /// It is silent from now on.
    case failed(SoundFailure)
    /// It was not decoded in time, so often since it was told last, and was silent meanwhile.
    case late(path: String, count: UInt64)
}
