import OSC
import Patches
import Playback

/// All rows, and the way from an address to the row that owns it.
package struct AddressTable: Sendable {
    package static let root = "/binaural"
    package static let standard = AddressTable(
        Row.conversation + Row.timing + Row.transport + Row.listener + Row.nowPlaying + Row.clock + Row.layers + Row.touch + Row.mixer
            + Row.library + Row.presets + Row.midi + Row.preferences)
    /// Addresses that one pattern may reach.
    package static let maximumTargetCount = 64
    /// Bytes of a packet that goes out, at most.
    static let maximumPacketSize = 1400
    /// Bytes of a message that fits into one beside a sign of life.
    static let maximumMessageSize = 1300

    /// What only the server says.
    static let answers = Set(Answer.all.map { "\(root)/\($0.path)" })

    package let rows: [Row]
    private let indexOfPath: [String: Int]
    private let parts: [[String]]
    /// The same as a pattern takes them.
    private let bytes: [[[UInt8]]]

    init(_ rows: [Row]) {
        self.rows = rows
        indexOfPath = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.path, $0) })
        parts = rows.map { $0.path.split(separator: "/").map(String.init) }
        bytes = parts.map { $0.map { Array($0.utf8) } }
    }

    /// One address: a row, and for a layer's row which layer.
    struct Key: Hashable, Sendable {
        let row: Int
        var layer: LayerName?
    }

    enum LayerName: Hashable, Sendable {
        /// From 0.
        case index(Int)
        case selected

        init?(_ part: String) {
            if part == "selected" {
                self = .selected
                return
            }
            guard let number = Int(part), number > 0, String(number) == part else { return nil }
            self = .index(number - 1)
        }

        var part: String {
            switch self {
            case .index(let index): String(index + 1)
            case .selected: "selected"
            }
        }

        func index(in player: PlayerState) -> Int {
            switch self {
            case .index(let index): index
            case .selected: player.selectedLayer
            }
        }
    }

    func row(_ key: Key) -> Row { rows[key.row] }

    func address(_ key: Key) -> String {
        guard let layer = key.layer, let part = rows[key.row].layerPart else { return "\(Self.root)/\(rows[key.row].path)" }
        var names = parts[key.row]
        names[part] = layer.part
        return "\(Self.root)/" + names.joined(separator: "/")
    }

    /// The row that an address without wildcards names; whether the layer is there is not asked.
    func key(_ address: String) -> Key? {
        guard address.hasPrefix(Self.root + "/") else { return nil }
        let path = String(address.dropFirst(Self.root.count + 1))
        if let row = indexOfPath[path], !rows[row].isOfLayer { return Key(row: row) }
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let part = parts.firstIndex(of: "layer"), parts.indices.contains(part + 1), let layer = LayerName(parts[part + 1]) else {
            return nil
        }
        parts[part + 1] = "N"
        return indexOfPath[parts.joined(separator: "/")].map { Key(row: $0, layer: layer) }
    }

    /// The addresses that a pattern reaches: properties and commands of layers that have them.
    ///
    /// Stops one past ``maximumTargetCount`` unless `isUnlimited`.
    func keys(matching pattern: AddressPattern, in player: PlayerState, isUnlimited: Bool = false) -> [Key] {
        guard pattern.parts.first?.matches(String(Self.root.dropFirst())) == true else { return [] }
        let limit = isUnlimited ? Int.max : Self.maximumTargetCount + 1
        var layers: [LayerName]?
        var keys: [Key] = []
        for (row, parts) in bytes.enumerated() where rows[row].isPatternTarget && parts.count + 1 == pattern.parts.count {
            let isOfLayer = rows[row].isOfLayer
            guard parts.indices.allSatisfy({ (isOfLayer && $0 == 1) || pattern.parts[$0 + 1].matches(parts[$0]) }) else { continue }
            if !isOfLayer {
                keys.append(Key(row: row))
            } else {
                if layers == nil { layers = layerNames(matching: pattern, in: player) }
                keys += (layers ?? []).filter { has($0, rows[row], in: player) }.map { Key(row: row, layer: $0) }
            }
            if keys.count >= limit { return Array(keys.prefix(limit)) }
        }
        return keys
    }

    /// Whether a subscription to a pattern, or to an address without wildcards, can ever tell something, whatever layers there will be.
    func canTell(_ pattern: AddressPattern) -> Bool {
        guard AddressPattern.hasWildcards(pattern.text) else { return key(pattern.text).map { row($0).read != nil } ?? false }
        guard pattern.parts.first?.matches(String(Self.root.dropFirst())) == true else { return false }
        return rows.indices.contains { index in
            guard rows[index].isPatternTarget, rows[index].read != nil, !rows[index].followsTime else { return false }
            return bytes[index].count + 1 == pattern.parts.count
                && bytes[index].indices.allSatisfy { $0 == rows[index].layerPart || pattern.parts[$0 + 1].matches(bytes[index][$0]) }
        }
    }

    /// By number; `selected` only where the pattern says just that, or it would be reached twice.
    private func layerNames(matching pattern: AddressPattern, in player: PlayerState) -> [LayerName] {
        let part = pattern.text.split(separator: "/", omittingEmptySubsequences: false)[3]
        if part == "selected" { return player.layerCount > 0 ? [.selected] : [] }
        return (0..<player.layerCount).map(LayerName.index).filter { pattern.parts[2].matches($0.part) }
    }

    /// The addresses of a topic's snapshot.
    func keys(of group: Topic.Group, in player: PlayerState) -> [Key] {
        let layers = player.layerCount > 0 ? (0..<player.layerCount).map(LayerName.index) + [.selected] : []
        let members = rows.indices.filter { rows[$0].group == group }
        return members.filter { !rows[$0].isOfLayer }.map { Key(row: $0) }
            + layers.flatMap { layer in
                members.filter { rows[$0].isOfLayer && has(layer, rows[$0], in: player) }.map { Key(row: $0, layer: layer) }
            }
    }

    private func has(_ layer: LayerName, _ row: Row, in player: PlayerState) -> Bool {
        guard let layers = player.patch?.layers else { return false }
        let index = layer.index(in: player)
        return layers.indices.contains(index) && row.needs.allSatisfy { layers[index].kind.description(of: $0) != nil }
    }
}
