import Patches

extension LayerReader {
    /// Reads the bands of a layer's effects, `[200, 800]` or `[[200, 800], [2000, 4000]]`, in Hz.
    func bands(of layer: inout Layer, _ places: [Fields]) {
        guard layer.kind.ownKeys.contains("bands"), let tree = places.lazy.compactMap({ $0["bands"] }).first,
            let items = source.list(tree, of: "bands in Hz, such as `[[200, 800], [2000, 4000]]`")
        else { return }
        var trees = items
        // One band needs no list of bands.
        if case .scalar = items.first?.content { trees = [tree] }
        guard Layer.bandCounts.contains(trees.count) else {
            let counts = Double(Layer.bandCounts.lowerBound)...Double(Layer.bandCounts.upperBound)
            source.report(.outOfRange(Double(trees.count), counts, of: "the number of bands", unit: .ratio), at: tree.place)
            return
        }
        let ends = trees.map(ends)
        let places = ends.flatMap(\.self)
        for (one, next) in zip(places, places.dropFirst()) where next.frequency <= one.frequency {
            source.report(.bandOrder(next.frequency, previous: one.frequency), at: next.place)
            return
        }
        guard ends.allSatisfy({ $0.count == 2 }) else { return }
        layer.bands = ends.map { $0[0].frequency...$0[1].frequency }
    }

    /// Both ends of a band; fewer if it has faults, which are reported.
    private func ends(of tree: YAMLTree) -> [(frequency: Double, place: YAMLTree.Place)] {
        guard let items = source.list(tree, of: "both ends of a band in Hz, such as `[200, 800]`") else { return [] }
        guard items.count == 2 else {
            source.report(.wrongCount(items.count, 2, of: "ends of a band"), at: tree.place)
            return []
        }
        return items.compactMap { item in
            source.number(item, named: "the end of a band", in: Layer.bandRange, unit: .hertz).map { ($0, item.place) }
        }
    }
}
