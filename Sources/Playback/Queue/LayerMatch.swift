import Patches

/// Matches the layers of a patch that was read again to those of the older version: by name, as in a saved session.
struct LayerMatch {
    private let new: Patch
    /// The new index of each layer of the older version; `nil` if it is gone.
    private let indices: [Int?]

    init(from old: Patch, to new: Patch) {
        self.new = new
        indices = old.layers.map { layer in new.layers.firstIndex { $0.name == layer.name } }
    }

    func has(_ place: CoursePlace) -> Bool { place == .start || CoursePatch(new).index(of: place) != nil }

    func layer(_ layer: Int) -> Int? { indices.indices.contains(layer) ? indices[layer] : nil }

    /// The setting by the new index and within its range; `nil` if the layer or its parameter is gone, or follows a rate now.
    func setting(_ setting: Setting) -> Setting? {
        guard let layer = layer(setting.layer), let description = new.layers[layer].description(of: setting.parameter),
            new.layers[layer].leaders[setting.parameter] == nil
        else { return nil }
        return Setting(layer: layer, parameter: setting.parameter, value: description.clamped(setting.value))
    }

    func edit(_ edit: LiveEdit) -> LiveEdit? {
        setting(edit.setting).map { LiveEdit(setting: $0, position: edit.position) }
    }

    /// Whether a fader has the same address as before, and can still be moved.
    func keepsPlace(of fader: Fader) -> Bool {
        guard case .parameter(let parameter, let layer) = fader else { return true }
        return self.layer(layer) == layer && new.layers[layer].description(of: parameter) != nil
            && new.layers[layer].leaders[parameter] == nil
    }
}

extension EditHistory {
    /// Converts the steps of an item whose patch was read again. Changes to a layer or parameter that is gone cannot be undone.
    mutating func convert(item: Int, by match: LayerMatch) { convert(item: item) { $0.converted(by: match) } }
}

extension EditHistory.Step {
    fileprivate func converted(by match: LayerMatch) -> Self? {
        var step = self
        step.changes = [:]
        for (aspect, change) in changes {
            guard let aspect = aspect.converted(by: match) else { continue }
            step.changes[aspect] = EditHistory.Change(
                before: change.before.converted(by: match), after: change.after.converted(by: match))
        }
        if case .parameters(let parameters, let layer, let sender) = subject {
            step.subject = match.layer(layer).map { .parameters(parameters, layer: $0, sender: sender) } ?? .other
        }
        return step.changes.isEmpty ? nil : step
    }
}

extension EditHistory.Aspect {
    fileprivate func converted(by match: LayerMatch) -> Self? {
        switch self {
        case .parameter(let parameter, let layer):
            match.setting(Setting(layer: layer, parameter: parameter, value: 0)).map { .parameter(parameter, layer: $0.layer) }
        case .mute(let layer): match.layer(layer).map { .mute(layer: $0) }
        case .wave(let layer): match.layer(layer).map { .wave(layer: $0) }
        case .course(let quantity): match.has(quantity.place) ? self : nil
        }
    }
}

extension EditHistory.Value {
    fileprivate func converted(by match: LayerMatch) -> Self {
        if case .edits(let edits) = self { .edits(edits.compactMap(match.edit)) } else { self }
    }
}
