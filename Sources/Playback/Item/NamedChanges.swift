import Patches

/// A live edit whose layer is named, so that it survives changes of the patch.
package struct NamedEdit: Equatable, Sendable {
    package var value: NamedSetting
    /// Seconds from the start of the patch.
    package var position: Double

    package init(value: NamedSetting, position: Double) {
        self.value = value
        self.position = position
    }
}

/// The listener's changes to an item, with layers by name, whether or not the patch has these layers at present.
package struct NamedChanges: Equatable, Sendable {
    package var edits: [NamedEdit]
    /// Names of layers.
    package var mutedLayers: [String]
    /// Waveforms that differ from the patch's, by the layer's name.
    package var waves: [String: Waveform]
    /// Changes to chapters and cues.
    package var course: CourseEdits

    package init(edits: [NamedEdit] = [], mutedLayers: [String] = [], waves: [String: Waveform] = [:], course: CourseEdits = [:]) {
        (self.edits, self.mutedLayers, self.waves, self.course) = (edits, mutedLayers, waves, course)
    }

    /// The names of the layers concerned.
    var layers: Set<String> { Set(edits.map(\.value.layer)).union(mutedLayers).union(waves.keys) }
}

extension QueueItem {
    /// All changes by hand, including those that wait for a layer or a parameter; without a patch only the latter.
    package var namedChanges: NamedChanges {
        var changes = waitingChanges
        changes.course = course
        guard let patch else { return changes }
        let known = patch.layers.indices
        changes.edits =
            edits.filter { known.contains($0.setting.layer) }
            .map { NamedEdit(value: .init($0.setting, in: patch), position: $0.position) } + changes.edits
        changes.mutedLayers = mutedLayers.sorted().filter(known.contains).map { patch.layers[$0].name } + changes.mutedLayers
        for (layer, wave) in waves where known.contains(layer) { changes.waves[patch.layers[layer].name] = wave }
        return changes
    }

    /// Applies changes to the layers of the same names, instead of those before. Changes to a layer or parameter that the patch
    /// lacks wait until it has one.
    package mutating func apply(_ changes: NamedChanges) {
        (edits, mutedLayers, waves, waitingChanges) = ([], [], [:], changes)
        waitingChanges.course = [:]
        course = changes.course
        guard let patch else { return }
        waitingChanges = NamedChanges()
        for edit in changes.edits {
            if let setting = edit.value.setting(in: patch) {
                edits.append(LiveEdit(setting: setting, position: edit.position))
            } else {
                waitingChanges.edits.append(edit)
            }
        }
        func index(_ name: String) -> Int? { patch.layers.firstIndex { $0.name == name } }
        for name in changes.mutedLayers {
            if let layer = index(name) { mutedLayers.insert(layer) } else { waitingChanges.mutedLayers.append(name) }
        }
        for (name, wave) in changes.waves {
            if let layer = index(name) { waves[layer] = wave } else { waitingChanges.waves[name] = wave }
        }
    }
}
