import Patches

extension AddressTable {
    /// The address below the root that a misspelt one most likely means; `nil` if none is near.
    package func address(near address: String) -> String? { AddressSuggestion(rows: rows).address(near: OSCAddress.belowRoot(address)) }
}

/// Finds the address that a misspelt one most likely means.
struct AddressSuggestion {
    let rows: [Row]

    /// The address below the root that a misspelt one most likely means; `nil` if none is near. A layer stays as it was given.
    ///
    /// Near is an address with as many parts, each nearly spelled so, or one that ends in the given parts, such as `now/title` for `title`.
    func address(near address: String) -> String? {
        guard address.utf8.count <= Text.limit else { return nil }
        let parts = address.split(separator: "/").map { Array($0.lowercased().utf8) }
        guard !parts.isEmpty, parts.allSatisfy({ $0.count <= 64 }) else { return nil }
        var best: (row: Row, distance: Int)?
        for row in rows {
            guard let distance = distance(from: parts, to: row), distance < best?.distance ?? .max else { continue }
            best = (row, distance)
        }
        let given = address.split(separator: "/").map(String.init)
        guard let row = best?.row ?? row(called: address.lowercased()) else { return nil }
        guard let part = row.layerPart, given.indices.contains(part) else { return row.path }
        return row.path.replacing("layer/N/", with: "layer/\(given[part])/")
    }

    /// The row whose path ends in these parts, that with the fewest parts before them: `master/gain`, not `touch/master/gain`. It may also
    /// have been called by a name that other programs use.
    private func row(called name: String) -> Row? {
        let path = Self.otherNames[name]
        let rows = rows.filter { $0.path == path || !$0.isOfLayer && $0.path.lowercased().hasSuffix("/" + name) }
        return rows.min { $0.path.count { $0 == "/" } < $1.path.count { $0 == "/" } }
    }

    private static let otherNames = ["volume": "master/gain", "level": "master/gain", "speed": "rate", "seek": "position"]

    /// Letters that differ in all parts together, apart from the layer; `nil` if a part is too different, or their number is another.
    private func distance(from parts: [[UInt8]], to row: Row) -> Int? {
        let others = row.path.split(separator: "/")
        guard others.count == parts.count else { return nil }
        var sum = 0
        for (index, (part, other)) in zip(parts, others).enumerated() where index != row.layerPart {
            let other = Array(other.lowercased().utf8)
            let limit = max(1, max(part.count, other.count) / 3)
            guard abs(part.count - other.count) <= limit else { return nil }
            let distance = editDistance(part, other)
            guard distance <= limit, distance < part.count else { return nil }
            sum += distance
        }
        return sum
    }
}
