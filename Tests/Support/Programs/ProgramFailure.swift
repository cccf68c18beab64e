/// A failure of a real program that a test uses, in one sentence, with the remedy if there is one.
package struct ProgramFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
