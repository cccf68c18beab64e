/// A time on the render clock: frames rendered since the engine was created. It stands still while JACK is away.
package struct Moment: Equatable, Comparable, Sendable {
    package var frame: Int64

    package init(frame: Int64) { self.frame = frame }

    package static func < (a: Moment, b: Moment) -> Bool { a.frame < b.frame }
}

extension Moment {
    /// A time in seconds, rounded to frames.
    static func frames(_ seconds: Double, sampleRate: Int) -> Int64 {
        // A patch may last days, but an extreme number from outside must not trap in the conversion.
        Int64(min(max(seconds * Double(sampleRate), -1e15), 1e15).rounded())
    }
}
