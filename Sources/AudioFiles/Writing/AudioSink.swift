/// Takes the frames of a rendered sound in order.
package protocol AudioSink: AnyObject {
    /// Appends frames; both buffers have the same length.
    func write(left: UnsafeBufferPointer<Float>, right: UnsafeBufferPointer<Float>) throws(AudioFileError)

    /// Completes the sound; nothing is written afterwards.
    func finish() throws(AudioFileError)
}

extension AudioFileWriter: AudioSink {}
