/// An error or a notice whose description may quote the file that it is about, for a user at the machine.
package protocol QuotesFiles: CustomStringConvertible, Sendable {
    /// The description without any text of the file, for remote peers: the path of a patch may be a link to something private.
    var wordsForPeers: String { get }
}

/// The words for an error in a reply to a peer: its description, unless that quotes a file.
package func wordsForPeers(_ error: any Error) -> String {
    (error as? any QuotesFiles)?.wordsForPeers ?? "\(error)"
}

extension Diagnostics: QuotesFiles {
    /// The place of the first fault, and how many there are.
    package var wordsForPeers: String {
        let more = all.count + omitted - 1
        guard let first = all.first, first.place.line > 0 else {
            return "\(all.first?.file ?? "The file"): not a valid file. 'binaural check' shows why."
        }
        return "\(first.file):\(first.place.line):\(first.place.column): a mistake"
            + (more > 0 ? ", and \(more) more. 'binaural check' shows them." : ". 'binaural check' shows it.")
    }
}
