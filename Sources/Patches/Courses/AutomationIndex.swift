/// The chapters and cues of a patch by the parameters that they name, found in one pass, so that a patch with many cues and many layers
/// does not search all of them for each parameter.
package struct AutomationIndex: Sendable {
    private let patch: Patch
    private var named: [Place: [NamedMove]] = [:]

    private struct Place: Hashable {
        var layer: Int
        var parameter: Parameter
    }

    /// The move of one parameter in one chapter or cue.
    fileprivate struct NamedMove {
        /// The place of the chapter or cue among all of them, chapters first.
        var ordinal: Int
        /// Seconds from the start of the patch.
        var start: Double
        /// Duration in seconds; `nil` is the parameter's default.
        var over: Double?
        var ease: Easing?
        var value: Double
    }

    package init(of patch: Patch) { self.init(of: patch) { _ in true } }

    /// An index that knows one parameter only.
    package init(of patch: Patch, only parameter: Parameter, layer: Int) {
        let place = patch.leader(of: parameter, layer: layer) ?? (layer, parameter)
        self.init(of: patch) { $0.layer == place.layer && $0.parameter == place.parameter }
    }

    /// An index that knows one parameter of all layers only, which follows no other one.
    package init(of patch: Patch, only parameter: Parameter) { self.init(of: patch) { $0.parameter == parameter } }

    private init(of patch: Patch, where isWanted: (Setting) -> Bool) {
        self.patch = patch
        for (ordinal, chapter) in (patch.chapters + patch.cues).enumerated() {
            for setting in chapter.settings where isWanted(setting) {
                let move = NamedMove(
                    ordinal: ordinal, start: chapter.start, over: chapter.over, ease: chapter.over == nil ? nil : chapter.ease,
                    value: setting.value)
                named[Place(layer: setting.layer, parameter: setting.parameter), default: []].add(move)
            }
        }
        // If a chapter and a cue begin together, the cue takes precedence.
        for place in named.keys {
            named[place]?.sort { ($0.start, $0.ordinal) < ($1.start, $1.ordinal) }
        }
    }

    /// See ``Patch/automation(of:layer:edits:rate:)``.
    ///
    /// - Parameter held: Values that are held from beginning to end.
    package func automation(
        of parameter: Parameter, layer: Int, edits: [LiveEdit], held: [Setting] = [], rate: Double = 1
    ) -> Automation? {
        guard let leader = patch.leader(of: parameter, layer: layer), let description = patch.layers[layer].description(of: parameter)
        else { return ownAutomation(of: parameter, layer: layer, edits: edits, held: held, rate: rate) }
        guard var automation = ownAutomation(of: leader.parameter, layer: leader.layer, edits: edits, held: held, rate: rate) else {
            return nil
        }
        automation.base = description.following(automation.base)
        for index in automation.moves.indices {
            automation.moves[index].target = description.following(automation.moves[index].target)
        }
        return automation
    }

    /// The automation of a parameter that follows no other.
    private func ownAutomation(of parameter: Parameter, layer: Int, edits: [LiveEdit], held: [Setting], rate: Double) -> Automation? {
        guard patch.layers.indices.contains(layer), let description = patch.layers[layer].description(of: parameter),
            let base = patch.layers[layer].value(of: parameter)
        else { return nil }
        var values: [Int: Double] = [:]
        for edit in edits where edit.setting.layer == layer && edit.setting.parameter == parameter {
            values[segment(of: edit)] = edit.setting.value
        }
        let defaultRamp = description.defaultRamp * rate
        let moves = moves(of: parameter, layer: layer).enumerated().map { index, named in
            if let value = values[index + 1] {
                return Automation.Move(start: named.start, over: defaultRamp, ease: nil, target: value)
            }
            return Automation.Move(start: named.start, over: named.over ?? defaultRamp, ease: named.ease, target: named.value)
        }
        let value = held.last { $0.layer == layer && $0.parameter == parameter }?.value
        return Automation(
            base: value ?? values[0] ?? base, moves: value == nil ? moves : [],
            movesAmplitude: parameter == .gain && patch.gainLaw == .amplitude,
            movesRatio: parameter == .carrier && patch.pitchLaw == .ratio)
    }

    /// See ``Patch/segment(of:)``.
    func segment(of edit: LiveEdit) -> Int {
        moves(of: edit.setting.parameter, layer: edit.setting.layer).prefix { $0.start <= edit.position }.count
    }

    private func moves(of parameter: Parameter, layer: Int) -> [NamedMove] {
        named[Place(layer: layer, parameter: parameter)] ?? []
    }
}

extension [AutomationIndex.NamedMove] {
    /// The last of several settings of one parameter in a chapter holds.
    fileprivate mutating func add(_ move: Element) {
        if last?.ordinal == move.ordinal { removeLast() }
        append(move)
    }
}
