/// What the beginning of an address may become, a part at a time, as shells complete the names of files.
package enum AddressCompletion {
    package struct Candidate: Equatable, Sendable {
        /// An address, or the part of one that several share, with its slash.
        package var text: String
        /// Empty for a part.
        package var summary: String

        package init(_ text: String, _ summary: String = "") {
            self.text = text
            self.summary = summary
        }
    }

    /// - Parameter addresses: all there are, in the order in which they are to be offered.
    package static func candidates(for beginning: String, among addresses: [Candidate]) -> [Candidate] {
        let base = beginning.lastIndex(of: "/").map { beginning[...$0] } ?? ""
        var places: [Substring: Int] = [:]
        var found: [Candidate] = []
        for address in addresses where address.text.hasPrefix(beginning) {
            let rest = address.text.dropFirst(base.count)
            let child = rest.prefix { $0 != "/" }
            let isWhole = child.count == rest.count
            if let place = places[child] {
                // An address that goes on is offered as the address that it is.
                if isWhole { found[place] = address }
                continue
            }
            places[child] = found.count
            found.append(isWhole ? address : Candidate("\(base)\(child)/"))
        }
        guard found.count == 1, let only = found.first else { return found }
        // A single part is no choice: what follows it is. Behind an address, what follows is offered beside it.
        if only.text.hasSuffix("/") { return candidates(for: only.text, among: addresses) }
        return [only] + candidates(for: only.text + "/", among: addresses)
    }
}
