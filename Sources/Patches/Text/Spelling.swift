/// The candidate that `word` is most likely a misspelling of; `nil` when none is near.
///
/// Near is at most a third of the letters wrong, missing, too many or swapped with a neighbour (at least one may be); case is ignored.
package func closest(to word: String, among candidates: [String]) -> String? {
    guard word.count <= 64 else { return nil }
    let letters = Array(word.lowercased())
    let near = candidates.lazy.filter { $0.count <= 64 }
        .map { (candidate: $0, distance: editDistance(letters, Array($0.lowercased()))) }
        .min { $0.distance < $1.distance }
    guard let near, near.distance <= max(1, max(letters.count, near.candidate.count) / 3), near.distance < letters.count else { return nil }
    return near.candidate
}

/// Number of letters inserted, left out, replaced or swapped with a neighbour to turn one word into the other (Damerau 1964, restricted).
package func editDistance<Letter: Equatable>(_ a: [Letter], _ b: [Letter]) -> Int {
    var beforeLast = [Int]()
    var last = Array(0...b.count)
    for i in 0..<a.count {
        var row = [i + 1]
        for j in 0..<b.count {
            var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
            row.append(best)
        }
        beforeLast = last
        last = row
    }
    return last[b.count]
}
