import OSC
import Patches
import Playback

extension AddressTable {
    /// The key of an address without wildcards, whose layer may be given by name; by number or as `selected` it need not exist.
    ///
    /// - Parameter player: read only if the address has a name in it.
    func key(_ address: String, in player: @autoclosure () -> PlayerState) throws(Refusal) -> Key? {
        if let key = key(address) { return key }
        guard address.hasPrefix(OSCAddress.root + "/"), let (row, part) = layerRow(String(address.dropFirst(OSCAddress.root.count + 1)))
        else {
            return nil
        }
        return Key(row: row, layer: try layer(part, in: player()))
    }

    /// The layer that a part of an address stands for: a number, `selected`, or the name of exactly one layer of the current item. Names
    /// are compared byte by byte, as all of an address is.
    func layer(_ part: String, in player: PlayerState) throws(Refusal) -> LayerName {
        if let layer = LayerName(part) { return layer }
        guard !LayerName.isNumber(part) else { throw Refusal(.unknownAddress, "A layer's number is written as 1, 2 and so on.") }
        guard let layers = player.patch?.layers else {
            throw Refusal(.noSuchContent, "There is no current item, so there are no layers: select an item first.")
        }
        let named = LayerName.isName(part) ? layers.indices.filter { layers[$0].name == part } : []
        switch named.count {
        case 1: return .index(named[0])
        case 0:
            let near = closest(to: part, among: layers.prefix(Self.maximumTargetCount).map(\.name).filter(LayerName.isName))
            throw Refusal(
                .unknownAddress,
                "There is no layer '\(part)': \(near.map { "did you mean \($0)?" } ?? "layer/*/name lists the names.")")
        default:
            let numbers = named.prefix(8).map { "layer/\($0 + 1)" }.joined(separator: ", ")
            throw Refusal(.badArguments, "\(named.count) layers are named '\(part)'. Use their numbers: \(numbers).")
        }
    }
}

/// Inner nodes, such as `now` and `layer/1`: a query of a node is answered with the values below it.
extension AddressTable {
    /// The addresses below an inner node that can be read, without the twins, which are the same values; `nil` if it is not an inner node. A
    /// layer is called as in the node's address.
    ///
    /// For `layer` these are the number of layers, the selected one, and the name and kind of each layer, at most ``maximumTargetCount``
    /// in all.
    func keys(below address: String, in player: PlayerState) throws(Refusal) -> [(key: Key, address: String)]? {
        guard address.hasPrefix(OSCAddress.root + "/") else { return nil }
        var asked = String(address.dropFirst(OSCAddress.root.count + 1))
        // Completion offers groups with a slash at the end.
        if asked.hasSuffix("/") { asked.removeLast() }
        let (path, part) = Self.withPlaceholder(asked)
        guard isNode(path) else { return nil }
        var layers = (0..<player.layerCount).map(LayerName.index)
        if let part {
            layers = [try layer(part, in: player)]
            guard layers[0].index(in: player) < player.layerCount else {
                throw Refusal(.unknownAddress, "There is no such layer: the current item has \(player.layerCount).")
            }
        }
        let members = rows.indices.filter { isMember($0, below: path) }
        var keys = members.filter { !rows[$0].isOfLayer }.map { Key(row: $0) }
        for layer in layers {
            guard keys.count <= Self.maximumTargetCount else { break }
            keys += self.keys(of: [layer], below: members, in: player)
        }
        guard !keys.isEmpty else {
            throw Refusal(.unknownAddress, "There are only commands below this address: \(OSCAddress.root)/describe lists them.")
        }
        if path == "layer" { keys = Array(keys.prefix(Self.maximumTargetCount)) }
        guard keys.count <= Self.maximumTargetCount else {
            throw Refusal(.badArguments, "More than \(Self.maximumTargetCount) values are below this address: ask for one of its parts.")
        }
        return keys.map { key in
            (key, part.map { "\(OSCAddress.root)/" + rows[key.row].path.replacing("layer/N/", with: "layer/\($0)/") } ?? self.address(key))
        }
    }

    private func isMember(_ index: Int, below path: String) -> Bool {
        let row = rows[index]
        guard row.read != nil, row.path.hasPrefix(path + "/"), !isTwin(row) else { return false }
        return path != "layer" || !row.isOfLayer || row.path == "layer/N/name" || row.path == "layer/N/kind"
    }

    private func isTwin(_ row: Row) -> Bool {
        row.path.hasSuffix("/norm") && self.row(at: String(row.path.dropLast("/norm".count)).replacing("/N/", with: "/1/")) != nil
    }
}
