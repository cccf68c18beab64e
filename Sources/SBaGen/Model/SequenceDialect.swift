import Patches

/// Programs whose sequences look alike, and sound different: a time line means another thing in each.
package enum SequenceDialect: String, CaseIterable, Sendable {
    /// A line starts a plateau, and a change of `-F` leads to it.
    case sbagen
    /// A line is a corner: everything moves over the whole time up to the next line.
    case sbagenx
}

extension SBaGenSequence {
    /// How everything moves from a line to the next one in SBaGenX's dialect.
    package enum Move: Equatable, Sendable {
        /// In a straight line; through silence if a binaural tone or a spin changes its pitch, or a voice its kind.
        case straight
        /// In a straight line; through silence only if a voice changes its kind.
        case slide
        /// Not at all: it jumps at the next line.
        case hold
        /// In a straight line, or, if a voice changes its kind, not at all.
        case direct
    }
}
