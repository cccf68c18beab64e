import OSC
import Patches
import Playback

/// All rows, and the lookup of the row that an address belongs to.
package struct AddressTable: Sendable {
    package static let standard = AddressTable(
        ConversationRows.all + TimingRows.all + PlaybackRows.all + ListenerRows.all + NowPlayingRows.all + NowPlayingRows.clock
            + LayerRows.all + CourseRows.all + TouchRows.all + MixerRows.all + QueueRows.all + SessionRows.all + JACKRows.all
            + ProgramRows.all
            + PresetRows.all + MIDIRows.all + PreferenceRows.all)
    /// Maximum number of addresses that one pattern may match.
    package static let maximumTargetCount = 64
    /// Maximum size of an outgoing packet in bytes.
    static let maximumPacketSize = 1400

    /// Addresses that only a server sends.
    static let answers = Set(Answer.all.map { "\(OSCAddress.root)/\($0.path)" })

    package let rows: [Row]
    private let indexOfPath: [String: Int]
    private let parts: [[String]]
    /// The rows' paths as bytes, for matching patterns.
    private let bytes: [[[UInt8]]]
    /// The inner nodes, which are not rows themselves but have rows below them, such as `now` and `layer/N`; without the root.
    private let nodes: Set<String>

    init(_ rows: [Row]) {
        self.rows = rows
        indexOfPath = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.path, $0) })
        parts = rows.map { $0.path.split(separator: "/").map(String.init) }
        bytes = parts.map { $0.map { Array($0.utf8) } }
        nodes = Set(parts.flatMap { parts in parts.indices.map { parts[..<$0].joined(separator: "/") } })
            .subtracting(rows.map(\.path) + [""])
    }

    /// One address: a row, and for a layer's row the layer.
    struct Key: Hashable, Sendable {
        let row: Int
        var layer: LayerName?
    }

    func row(_ key: Key) -> Row { rows[key.row] }

    func address(_ key: Key) -> String {
        guard let layer = key.layer, let part = rows[key.row].layerPart else { return "\(OSCAddress.root)/\(rows[key.row].path)" }
        var names = parts[key.row]
        names[part] = layer.part
        return "\(OSCAddress.root)/" + names.joined(separator: "/")
    }

    /// The key of an address without wildcards, whether or not the layer exists; `nil` if there is no such address.
    func key(_ address: String) -> Key? {
        guard address.hasPrefix(OSCAddress.root + "/") else { return nil }
        let path = String(address.dropFirst(OSCAddress.root.count + 1))
        if let row = indexOfPath[path], !rows[row].isOfLayer { return Key(row: row) }
        guard let (row, part) = layerRow(path), let layer = LayerName(part) else { return nil }
        return Key(row: row, layer: layer)
    }

    /// The row of a layer's address below the root, and the part that stands for the layer: its number, its name or `selected`.
    func layerRow(_ path: String) -> (row: Int, layer: String)? {
        let (path, layer) = Self.withPlaceholder(path)
        guard let layer, let row = indexOfPath[path], rows[row].isOfLayer else { return nil }
        return (row, layer)
    }

    /// A path with `N` in place of the part that stands for a layer, and that part; the path itself if it has none.
    static func withPlaceholder(_ path: String) -> (path: String, layer: String?) {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let part = parts.firstIndex(of: "layer"), parts.indices.contains(part + 1) else { return (path, nil) }
        let layer = parts[part + 1]
        parts[part + 1] = "N"
        return (parts.joined(separator: "/"), layer)
    }

    /// Whether a path, which has `N` for a layer, is an inner node: it is not an address itself, but other addresses begin with it.
    func isNode(_ path: String) -> Bool { nodes.contains(path) }

    /// The addresses that a pattern matches: properties and commands, those of layers for the layers that have them.
    ///
    /// Stops one past ``maximumTargetCount`` unless `isUnlimited`.
    func keys(matching pattern: AddressPattern, in player: PlayerState, isUnlimited: Bool = false) -> [Key] {
        guard pattern.parts.first?.matches(String(OSCAddress.root.dropFirst())) == true else { return [] }
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
                keys += (layers ?? []).having(rows[row], in: player).map { Key(row: row, layer: $0) }
            }
            if keys.count >= limit { return Array(keys.prefix(limit)) }
        }
        return keys
    }

    /// Whether a subscription to an address or a pattern can ever send anything, whatever layers there will be.
    func canSend(_ pattern: AddressPattern) -> Bool {
        guard AddressPattern.hasWildcards(pattern.text) else { return row(of: pattern.text)?.read != nil }
        guard pattern.parts.first?.matches(String(OSCAddress.root.dropFirst())) == true else { return false }
        return rows.indices.contains { index in
            guard rows[index].isPatternTarget, rows[index].read != nil, !rows[index].followsTime else { return false }
            return bytes[index].count + 1 == pattern.parts.count
                && bytes[index].indices.allSatisfy { $0 == rows[index].layerPart || pattern.parts[$0 + 1].matches(bytes[index][$0]) }
        }
    }

    /// The layers whose number or name matches, each once; `selected` only if the pattern says so literally, since it would otherwise be
    /// matched twice.
    private func layerNames(matching pattern: AddressPattern, in player: PlayerState) -> [LayerName] {
        let part = pattern.text.split(separator: "/", omittingEmptySubsequences: false)[3]
        if part == "selected" { return player.layerCount > 0 ? [.selected] : [] }
        return (player.patch?.layers ?? []).enumerated().filter { index, layer in
            pattern.parts[2].matches(LayerName.index(index).part) || LayerName.isName(layer.name) && pattern.parts[2].matches(layer.name)
        }.map { .index($0.offset) }
    }

    /// The addresses in a topic's snapshot.
    func keys(of group: Topic.Group, in player: PlayerState) -> [Key] {
        let layers = player.layerCount > 0 ? (0..<player.layerCount).map(LayerName.index) + [.selected] : []
        let members = rows.indices.filter { rows[$0].group == group }
        return members.filter { !rows[$0].isOfLayer }.map { Key(row: $0) } + keys(of: layers, below: members, in: player)
    }

    /// The addresses of layers among the rows with these indices, layer by layer.
    func keys(of layers: [LayerName], below members: [Int], in player: PlayerState) -> [Key] {
        let rowsOfLayer = members.filter { rows[$0].isOfLayer }
        let having = rowsOfLayer.map { Set(layers.having(rows[$0], in: player)) }
        return layers.flatMap { layer in zip(rowsOfLayer, having).filter { $1.contains(layer) }.map { Key(row: $0.0, layer: layer) } }
    }
}
