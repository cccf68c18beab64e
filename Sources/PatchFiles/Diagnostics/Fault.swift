/// A fault at a place in a file: facts, and the words for them. Each format has its own.
package protocol Fault: Equatable, Sendable {
    /// A description of what was found, and what was expected or what to do.
    var words: (found: String, advice: String?) { get }
}

extension Fault {
    func isEqual(to other: any Fault) -> Bool { other as? Self == self }
}
