/// The number of xruns as an output reports it that gets one line per change: at most once a minute, since a server may have several a second.
package struct XrunReport: Equatable, Sendable {
    /// The last number reported.
    package private(set) var total = 0
    private var reported = -Double.infinity

    /// Seconds.
    private static let interval = 60.0

    package init() {}

    /// - Parameters:
    ///   - latest: the number of xruns so far.
    ///   - now: seconds on a clock that only runs forward.
    package mutating func update(_ latest: Int, at now: Double) {
        guard latest != total, now - reported >= Self.interval else { return }
        (total, reported) = (latest, now)
    }
}
