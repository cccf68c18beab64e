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
        let ends = trees.map { self.ends(of: $0) }
        let places = ends.flatMap(\.self)
        for (one, next) in zip(places, places.dropFirst()) where next.frequency <= one.frequency {
            source.report(.bandOrder(next.frequency, previous: one.frequency), at: next.place)
            return
        }
        guard ends.allSatisfy({ $0.count == 2 }) else { return }
        layer.bands = ends.map { $0[0].frequency...$0[1].frequency }
    }

    /// Reads the frequencies that a noise keeps: `low: 800`, `high: 300`, `band: [4000, 8000]` or `notch: [4000, 8000]`, one of them at most.
    func range(of layer: inout Layer, _ places: [Fields]) {
        guard layer.kind.isNoise else { return }
        let given = places.flatMap { fields in ["low", "high", "band", "notch"].compactMap { fields[$0] == nil ? nil : (fields, $0) } }
        guard let (fields, key) = given.first else { return }
        if let other = given.dropFirst().first(where: { $0.1 != key }) {
            source.report(.conflictingKeys(other.1, key, owner: other.0.owner), at: other.0.keyPlace(other.1))
        }
        switch key {
        case "low", "high":
            guard let frequency = fields.number(key, in: NoiseRange.frequencies, unit: .hertz) else { return }
            layer.range = key == "low" ? .low(frequency) : .high(frequency)
        default:
            guard let tree = fields[key], let band = band(tree) else { return }
            layer.range = key == "band" ? .band(band) : .notch(band)
        }
    }

    private func band(_ tree: YAMLTree) -> ClosedRange<Double>? {
        let ends = self.ends(of: tree, in: NoiseRange.frequencies)
        guard ends.count == 2 else { return nil }
        guard ends[1].frequency > ends[0].frequency else {
            source.report(.bandOrder(ends[1].frequency, previous: ends[0].frequency), at: ends[1].place)
            return nil
        }
        let width = ends[1].frequency - ends[0].frequency
        guard width >= NoiseRange.leastWidth else {
            source.report(
                .outOfRange(width, NoiseRange.leastWidth...NoiseRange.frequencies.upperBound, of: "the width of the band", unit: .hertz),
                at: tree.place
            )
            return nil
        }
        return ends[0].frequency...ends[1].frequency
    }

    /// Both ends of a band; fewer if it has faults, which are reported.
    private func ends(of tree: YAMLTree, in range: ClosedRange<Double> = Layer.bandRange) -> [(frequency: Double, place: YAMLTree.Place)] {
        guard let items = source.list(tree, of: "both ends of a band in Hz, such as `[200, 800]`") else { return [] }
        guard items.count == 2 else {
            source.report(.wrongCount(items.count, 2, of: "ends of a band"), at: tree.place)
            return []
        }
        return items.compactMap { item in
            source.number(item, named: "the end of a band", in: range, unit: .hertz).map { ($0, item.place) }
        }
    }
}
