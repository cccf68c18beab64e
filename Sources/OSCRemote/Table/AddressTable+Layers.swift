import Patches

extension AddressTable {
    /// All addresses below the root, with their rows, for a current item with layers of these kinds.
    ///
    /// - Parameter kinds: `nil` if unknown: then the first layer stands for all, with every parameter.
    package func addresses(withLayers kinds: [LayerKind]?) -> [(path: String, row: Row)] {
        rows.flatMap { row -> [(path: String, row: Row)] in
            guard row.isOfLayer else { return [(row.path, row)] }
            return names(ofLayersWith: row, kinds).map { (row.path.replacing("layer/N/", with: "layer/\($0)/"), row) }
        }
    }

    /// The row of an address below the root, whether or not the layer exists.
    package func row(at path: String) -> Row? { key("\(Self.root)/\(path)").map(row) }

    private func names(ofLayersWith row: Row, _ kinds: [LayerKind]?) -> [String] {
        guard let kinds else { return ["1", "selected"] }
        let indices = kinds.indices.filter { index in row.needs.allSatisfy { kinds[index].description(of: $0) != nil } }
        return indices.map { "\($0 + 1)" } + (indices.isEmpty ? [] : ["selected"])
    }
}
