import OSC
import Patches

extension AddressTable {
    /// All addresses below the root, with their rows, for a current item whose layers have these parameters.
    ///
    /// - Parameters:
    ///   - layers: `nil` if unknown: then the first layer stands for all, with every parameter.
    ///   - names: the layers' names, as far as they are known.
    package func addresses(withLayers layers: [[Parameter]]?, named names: [String] = []) -> [(path: String, row: Row)] {
        rows.flatMap { row -> [(path: String, row: Row)] in
            guard row.isOfLayer else { return [(row.path, row)] }
            return parts(forLayersWith: row, layers, names).map { (row.path.replacing("layer/N/", with: "layer/\($0)/"), row) }
        }
    }

    /// The row of an address below the root, whether or not the layer exists; `nil` if the table has no such address.
    package func row(at path: String) -> Row? { row(of: "\(OSCAddress.root)/\(path)") }

    /// The row of an address, whether or not its layer exists.
    func row(of address: String) -> Row? {
        if let key = key(address) { return row(key) }
        guard address.hasPrefix(OSCAddress.root + "/"), let (row, layer) = layerRow(String(address.dropFirst(OSCAddress.root.count + 1))),
            LayerName.isName(layer)
        else { return nil }
        return rows[row]
    }

    /// The first row that an address below the root belongs to, or that a pattern matches with any layer.
    package func row(matching path: String) -> Row? {
        guard AddressPattern.hasWildcards(path) else { return row(at: path) }
        guard let pattern = try? AddressPattern("/" + path) else { return nil }
        return rows.first { row in
            let parts = row.path.split(separator: "/").map(String.init)
            return parts.count == pattern.parts.count
                && parts.indices.allSatisfy { $0 == row.layerPart || pattern.parts[$0].matches(parts[$0]) }
        }
    }

    /// Whether a command changes what is playing, so that this is its result: those that a remote control can enable, and `session/load`.
    package func movesPlaying(_ row: Row) -> Bool {
        row.access == .write && (self.row(at: row.path + "/enabled") != nil || ["session/load", "queue/play"].contains(row.path))
    }

    /// The address parts for layers that have a row's parameters: their numbers, the names that only one layer has, and `selected`.
    private func parts(forLayersWith row: Row, _ layers: [[Parameter]]?, _ names: [String]) -> [String] {
        guard let layers else { return ["1", "selected"] }
        let indices = layers.indices.filter { index in row.needs.allSatisfy(layers[index].contains) }
        let named = indices.filter { names.indices.contains($0) }.map { names[$0] }.filter { name in
            LayerName.isName(name) && names.count { $0 == name } == 1
        }
        return indices.map { "\($0 + 1)" } + named + (indices.isEmpty ? [] : ["selected"])
    }
}
