extension Patch {
    /// The patch that sounds like this one with these live edits, and with the gain of the silent layers off; see ``PatchWithEdits``.
    package func including(_ edits: [LiveEdit], silencing silent: Set<Int> = []) -> Patch {
        PatchWithEdits(self, edits).silencing(silent).patch
    }
}

/// A patch into which the changes of a listener are written, so that it can be saved.
struct PatchWithEdits {
    private(set) var patch: Patch

    /// The patch that sounds like this one with these live edits.
    ///
    /// An edit replaces the value of the layer, or of the chapter or cue that opens its segment. If that takes its time, the value moves to a
    /// cue of its own, since an edit is reached in the default time of its parameter. A bell whose gain was raised during a chapter that
    /// turns it off is struck at that chapter.
    init(_ original: Patch, _ edits: [LiveEdit]) {
        patch = original
        var added: [Chapter] = []
        // The last edit of a segment counts.
        var known: [Target: [Int: Double]] = [:]
        var order: [Target] = []
        for edit in edits {
            let target = Target(parameter: edit.setting.parameter, layer: edit.setting.layer)
            guard original.layers.indices.contains(target.layer),
                let description = original.layers[target.layer].description(of: target.parameter)
            else { continue }
            if known[target] == nil { order.append(target) }
            known[target, default: [:]][original.segment(of: edit)] = description.clamped(edit.setting.value)
        }
        for target in order {
            let places = Self.places(of: target, in: original)
            for (segment, value) in (known[target] ?? [:]).sorted(by: { $0.key < $1.key }) {
                guard segment > 0 else {
                    patch.layers[target.layer].values[target.parameter] = value
                    patch.layers[target.layer].notes[target.parameter] = nil
                    continue
                }
                let place = places[segment - 1]
                let opening = original[place.list][place.index]
                if opening.over == nil {
                    patch[place.list][place.index].set(target, to: value)
                } else {
                    patch[place.list][place.index].settings.removeAll { target.isOf($0) }
                    added.append(
                        Chapter(
                            start: opening.start,
                            settings: [Setting(layer: target.layer, parameter: target.parameter, value: value)]))
                }
            }
        }
        addCues(added)
    }

    /// The patch with the gain of these layers off from beginning to end.
    func silencing(_ silent: Set<Int>) -> Self {
        var silenced = self
        for layer in silent where patch.layers.indices.contains(layer) {
            silenced.patch.layers[layer].values[.gain] = Parameter.off
            for list in List.allCases {
                for index in silenced.patch[list].indices {
                    silenced.patch[list][index].settings.removeAll { $0.layer == layer && $0.parameter == .gain }
                }
            }
        }
        silenced.addCues([])
        return silenced
    }

    fileprivate struct Target: Hashable {
        let parameter: Parameter
        let layer: Int

        func isOf(_ setting: Setting) -> Bool { setting.layer == layer && setting.parameter == parameter }
    }

    fileprivate enum List: CaseIterable {
        case chapters, cues
    }

    /// The chapters and cues that set a parameter, in the order of ``automation(of:layer:edits:rate:)``.
    private static func places(of target: Target, in patch: Patch) -> [(list: List, index: Int)] {
        List.allCases.flatMap { list in
            patch[list].indices.filter { patch[list][$0].settings.contains(where: target.isOf) }.map {
                (list: list, index: $0)
            }
        }
        .enumerated().sorted { one, other in
            let (first, second) = (one.element, other.element)
            return (patch[first.list][first.index].start, one.offset)
                < (patch[second.list][second.index].start, other.offset)
        }.map(\.element)
    }

    /// Adds cues after those that begin with them, and drops cues without values.
    private mutating func addCues(_ added: [Chapter]) {
        patch.cues = (patch.cues + added).filter { !$0.settings.isEmpty }.enumerated()
            .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
    }
}

extension Patch {
    fileprivate subscript(list: PatchWithEdits.List) -> [Chapter] {
        get { list == .chapters ? chapters : cues }
        set { if list == .chapters { chapters = newValue } else { cues = newValue } }
    }
}

extension Chapter {
    fileprivate mutating func set(_ target: PatchWithEdits.Target, to value: Double) {
        for index in settings.indices where target.isOf(settings[index]) { settings[index].value = value }
    }
}
