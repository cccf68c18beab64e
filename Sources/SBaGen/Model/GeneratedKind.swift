import Patches

/// The sessions of `-p`.
package enum GeneratedKind: String, Sendable {
    case drop, slide
    /// SBaGenX's drop along a hyperbolic tangent.
    case sigmoid
    /// SBaGenX's session by formulas.
    case curve

    /// Reads `tMIN`, or three times for a drop or a sigmoid; `nil` if they are not right.
    func minutes(_ text: String) -> [Int]? {
        let minutes = text.dropFirst().split(separator: ",", omittingEmptySubsequences: false).map {
            NumberText.parse(String($0)).flatMap { (0...1440).contains($0) ? Int($0.rounded()) : nil } ?? -1
        }
        return minutes.count == (self == .slide ? 1 : 3) && minutes.allSatisfy { $0 >= 0 } && minutes[0] != 0 ? minutes : nil
    }
}
