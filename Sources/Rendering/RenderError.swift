/// Why something cannot be rendered.
package struct RenderError: Error, Equatable, CustomStringConvertible {
    package enum Reason: Sendable {
        /// The options contradict each other, or do not fit the patch.
        case usage
        /// A file is damaged, or a session has nothing to render.
        case badFile
        case noSuchFile
    }

    package let reason: Reason
    /// A sentence with the remedy.
    package let description: String

    package init(_ reason: Reason, _ description: String) {
        (self.reason, self.description) = (reason, description)
    }

    init(_ fault: SoundFault) {
        self.init(fault.error.isMissing ? .noSuchFile : .badFile, fault.error.description)
    }
}
