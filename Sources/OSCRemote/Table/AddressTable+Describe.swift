import OSC
import Playback

extension AddressTable {
    /// The answers to `describe` for a path: its row, then its children, with layers as the current item has them.
    func descriptions(below path: String, in player: PlayerState) -> [[OSCArgument]] {
        let path = belowRoot(path)
        var answers: [[OSCArgument]] = []
        if let key = existing(path, in: player) { answers.append(describe(row(key), path)) }
        var known: Set<String> = []
        for candidate in candidates(below: path, in: player) where candidate.path.hasPrefix(path.isEmpty ? "" : path + "/") {
            let rest = candidate.path.dropFirst(path.isEmpty ? 0 : path.utf8.count + 1)
            let child = rest.prefix { $0 != "/" }
            let childPath = path.isEmpty ? String(child) : "\(path)/\(child)"
            guard known.insert(childPath).inserted else { continue }
            if child.count == rest.count {
                answers.append(describe(row(candidate.key), childPath))
            } else if let key = existing(childPath, in: player) {
                answers.append(describe(row(key), childPath))
            } else {
                answers.append([.text(childPath), .string(""), .string(""), .float(0), .float(0), .string(""), .string("")])
            }
        }
        return answers
    }

    /// The names that a property at `path` can be set to; empty if it takes something else.
    func names(at path: String) -> [String] {
        guard case .choice(let names)? = row(at: belowRoot(path))?.inputs.first?.kind else { return [] }
        return names
    }

    /// A path as the rows have it, from one with or without the root and surrounding slashes.
    private func belowRoot(_ path: String) -> String {
        (path.hasPrefix(OSCAddress.root) ? String(path.dropFirst(OSCAddress.root.count)) : path).split(separator: "/").joined(
            separator: "/")
    }

    /// The addresses that may be below `path`, with their paths below the root, in which a layer is called as in `path`; at most
    /// ``maximumTargetCount`` layers are listed.
    func candidates(below path: String, in player: PlayerState) -> [(path: String, key: Key)] {
        let part = Self.withPlaceholder(path).layer
        var layers = (0..<min(player.layerCount, Self.maximumTargetCount)).map(LayerName.index) + [.selected]
        if let part { layers = (try? layer(part, in: player)).map { [$0] } ?? [] }
        return rows.indices.flatMap { index -> [(path: String, key: Key)] in
            let row = rows[index]
            guard row.isOfLayer else { return [(row.path, Key(row: index))] }
            return layers.map { Key(row: index, layer: $0) }.filter { isThere($0, in: player) }
                .map { (row.path.replacing("layer/N/", with: "layer/\(part ?? $0.layer?.part ?? "")/"), $0) }
        }
    }

    /// The key of a path below the root, if its layer exists and has such an address.
    private func existing(_ path: String, in player: PlayerState) -> Key? {
        guard let key = try? key("\(OSCAddress.root)/\(path)", in: player), isThere(key, in: player) else { return nil }
        return key
    }

    func isThere(_ key: Key, in player: PlayerState) -> Bool {
        guard let layer = key.layer else { return true }
        guard let layers = player.patch?.layers, layers.indices.contains(layer.index(in: player)) else { return false }
        return row(key).needs.allSatisfy { layers[layer.index(in: player)].description(of: $0) != nil }
    }

    private func describe(_ row: Row, _ path: String) -> [OSCArgument] {
        [
            .text(path), .string(row.typeTags), .string(row.access.rawValue), .float(Float(row.quantity?.range.lowerBound ?? 0)),
            .float(Float(row.quantity?.range.upperBound ?? 0)), .string(row.quantity?.unit ?? ""), .text(row.summary),
        ]
    }
}
