/// A time on the render clock: frames rendered since the engine was created. It stands still while JACK is away.
package struct Moment: Equatable, Comparable, Sendable {
    package var frame: Int64

    package init(frame: Int64) { self.frame = frame }

    package static func < (a: Moment, b: Moment) -> Bool { a.frame < b.frame }
}
