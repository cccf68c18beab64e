/// Where a picture shows which value, for programs that let somebody point at it.
///
/// The axis of pitches is even in octaves, that of levels in dB. A beat of `b` Hz is placed by `log2(1 + |b| / 3)`, with the sign of `b`.
package struct PictureAxes: Equatable, Sendable {
    /// Seconds at the right end of the time axis.
    package var end: Double
    package var panels: [Panel]

    package struct Panel: Equatable, Sendable {
        /// `pitch`, `beat` or `level`.
        package var name: String
        /// Edges as parts of the page's height, from its top.
        package var top: Double
        package var bottom: Double
        /// The values at the bottom and at the top, in Hz or dBFS.
        package var range: ClosedRange<Double>

        package init(name: String, top: Double, bottom: Double, range: ClosedRange<Double>) {
            (self.name, self.top, self.bottom, self.range) = (name, top, bottom, range)
        }
    }

    package init(end: Double, panels: [Panel]) { (self.end, self.panels) = (end, panels) }
}
