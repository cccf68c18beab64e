import Patches
import Playback

/// The part of an address that stands for a layer.
enum LayerName: Hashable, Sendable {
    /// The layer's index, counted from 0.
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

/// Layers by name: `layer/bed/gain` beside `layer/1/gain`.
extension LayerName {
    /// Whether a part of an address stands for a layer by name. Digits are always a number, and `selected` is the selected layer.
    static func isName(_ part: String) -> Bool { Layer.isName(part) && part != "selected" && !isNumber(part) }

    static func isNumber(_ part: String) -> Bool { !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) } }
}

extension [LayerName] {
    /// The layers among these that the current item has, and that have all the parameters a row needs.
    func having(_ row: Row, in player: PlayerState) -> [LayerName] {
        // Read once, since these are large.
        guard let layers = player.patch?.layers else { return [] }
        let (needs, selected) = (row.needs, player.selectedLayer)
        return filter { name in
            let index = if case .index(let index) = name { index } else { selected }
            return layers.indices.contains(index) && needs.allSatisfy { layers[index].description(of: $0) != nil }
        }
    }
}
