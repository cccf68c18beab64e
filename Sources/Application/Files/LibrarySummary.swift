import Dispatch
import Foundation
import Library
import Patches
import Pictures
import Synchronization

/// The genre, comment and course of each patch of the library, as JSON for the panel's list. Every patch is read for it, on a queue of its own.
///
/// The JSON is an object with an object for each name: `genre`, `comment`, and `sketch` with the values of ``PatchSketch``.
final class LibrarySummary: Sendable {
    typealias Answer = @Sendable ([UInt8]?) -> Void

    private struct Entry: Encodable {
        let genre: String
        let comment: String
        let sketch: PatchSketch
    }

    /// Letters of a comment.
    private static let commentLimit = 300

    private let queue = DispatchQueue(label: "binaural.library-summary", qos: .background)
    private let library: Library
    /// Those that wait for the summary that is being made: however many they are, the files are read once.
    private let waiting = Mutex<[Answer]>([])

    init(_ library: Library) { self.library = library }

    /// Makes a summary. Any thread.
    ///
    /// - Parameter answer: Gets `nil` if too little memory is left. It is called on any thread.
    func make(_ answer: @escaping Answer) {
        guard SystemLimits.haveMemory() else { return answer(nil) }
        let isFirst = waiting.withLock {
            $0.append(answer)
            return $0.count == 1
        }
        guard isFirst else { return }
        queue.async { [self] in
            let json = json
            FreedMemory.giveBack()
            let answers = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for answer in answers { answer(json) }
        }
    }

    private var json: [UInt8]? {
        var entries: [String: Entry] = [:]
        PatchSearch(library).forEach { name, patch in
            let details = patch.details
            entries[name] = Entry(
                genre: details.genre, comment: String(details.comment.prefix(Self.commentLimit)), sketch: PatchSketch(patch))
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(entries)).map { Array($0) }
    }
}
