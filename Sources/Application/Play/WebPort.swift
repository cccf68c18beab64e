/// `--web`: whether and where the panel is served.
package enum WebPort: Equatable, Sendable {
    case off
    /// ``usual``, or any free port.
    case auto
    case port(UInt16)

    package static let usual: UInt16 = 7880

    package init?(_ text: String) {
        switch text {
        case "off": self = .off
        case "auto": self = .auto
        default:
            guard let port = UInt16(text), port > 0 else { return nil }
            self = .port(port)
        }
    }
}
