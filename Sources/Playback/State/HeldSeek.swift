package enum SeekDirection: String, CaseIterable, Sendable {
    case forward, backward
}

/// A seek that continues for as long as a button is held.
package struct HeldSeek: Equatable, Sendable {
    package var direction: SeekDirection
    /// The sender that holds the button.
    var holder: String?
    var began: Moment
    var lastJump: Moment

    /// The time in seconds after which a held seek ends by itself.
    static let longest = 10.0
    /// The time between two jumps in seconds, so that each place is heard.
    static let interval = 0.2

    /// The speed after this many seconds of holding, relative to normal playing: 4, doubled every two seconds up to 32.
    static func speed(after seconds: Double) -> Double {
        switch seconds {
        case ..<2: 4
        case ..<4: 8
        case ..<6: 16
        default: 32
        }
    }

    /// Converts its moments to another sample rate.
    mutating func convertMoments(_ converted: (Moment) -> Moment) { (began, lastJump) = (converted(began), converted(lastJump)) }
}
