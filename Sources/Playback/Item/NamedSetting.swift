import Patches

/// The value of a layer's parameter, both by name, so that it survives reordered layers and applies to other patches as far as they have
/// the same names.
package struct NamedSetting: Equatable, Sendable {
    package var layer: String
    /// The ``Parameter``'s name; unknown names may be those of a newer version.
    package var parameter: String
    /// A finite number in the parameter's unit.
    package var value: Double

    package init(layer: String, parameter: String, value: Double) {
        self.layer = layer
        self.parameter = parameter
        self.value = value
    }

    /// Converts a setting of `patch`, whose layers are numbered, to names.
    package init(_ setting: Setting, in patch: Patch) {
        self.init(layer: patch.layers[setting.layer].name, parameter: setting.parameter.rawValue, value: setting.value)
    }

    /// The value as a setting, by layer index and clamped to its range; `nil` if `patch` has no such layer or the layer no such parameter, or one
    /// that follows a rate.
    package func setting(in patch: Patch) -> Setting? {
        guard let index = patch.layers.firstIndex(where: { $0.name == layer }), let parameter = Parameter(rawValue: parameter),
            let description = patch.layers[index].description(of: parameter), patch.layers[index].leaders[parameter] == nil
        else { return nil }
        return Setting(layer: index, parameter: parameter, value: description.clamped(value))
    }
}
