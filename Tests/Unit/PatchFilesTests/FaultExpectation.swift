import PatchFiles
import Patches
import Testing

/// Expects that a patch named `x` is refused, with its place, such as `x:2:`, and some words in the message.
func expectFault(in text: String, at place: String, _ words: String, sourceLocation: SourceLocation = #_sourceLocation) {
    do {
        _ = try Patch.parse(text, file: "x")
        Issue.record("It is read.", sourceLocation: sourceLocation)
    } catch {
        #expect("\(error)".contains(words) && "\(error)".contains(place), "\(error)", sourceLocation: sourceLocation)
    }
}
