/// Completes addresses one part at a time, as shells complete file names.
package enum AddressCompletion {
    package struct Candidate: Equatable, Sendable {
        /// An address, or a common beginning of several, with its slash.
        package var text: String
        /// The address's summary; empty for a common beginning.
        package var summary: String

        package init(_ text: String, _ summary: String = "") {
            self.text = text
            self.summary = summary
        }
    }

    /// - Parameter addresses: all addresses, in the order of the candidates.
    package static func candidates(for beginning: String, among addresses: [Candidate]) -> [Candidate] {
        let base = beginning.lastIndex(of: "/").map { beginning[...$0] } ?? ""
        var places: [Substring: Int] = [:]
        var found: [Candidate] = []
        for address in addresses where address.text.hasPrefix(beginning) {
            let rest = address.text.dropFirst(base.count)
            let child = rest.prefix { $0 != "/" }
            let isWhole = child.count == rest.count
            if let place = places[child] {
                // If an address is also the beginning of others, it is offered as an address.
                if isWhole { found[place] = address }
                continue
            }
            places[child] = found.count
            found.append(isWhole ? address : Candidate("\(base)\(child)/"))
        }
        guard found.count == 1, let only = found.first else { return found }
        // A single beginning is not a choice, so the parts after it are offered. After a single address, the longer ones are offered too.
        if only.text.hasSuffix("/") { return candidates(for: only.text, among: addresses) }
        return [only] + candidates(for: only.text + "/", among: addresses)
    }
}
