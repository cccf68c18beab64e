/// A level of the master that was heard.
struct HeardLevel: Equatable, Sendable {
    /// In dB.
    let level: Double
    /// The last moment at which it was heard.
    var moment: Moment
    /// Seconds since then in which nothing was rendered.
    var unrendered = 0.0

    /// The seconds after which a level is forgotten: the ears have become used to silence, and so may have the person.
    private static let memory = 900.0

    func isForgotten(at now: Moment, sampleRate: Int) -> Bool {
        Double(now.frame - moment.frame) / Double(sampleRate) + unrendered > Self.memory
    }
}
