import Patches

/// A listener's change of the current item's chapters and cues. Places count from 0: the chapters in order, then the cues in order.
package enum CourseChange: Equatable, Sendable {
    /// Seconds from the start of the patch at which a chapter or cue begins.
    case start(place: Int, Double)
    /// Seconds that its moves take.
    case over(place: Int, Double)
    /// A value that a chapter or cue sets, or the value at the start of the patch (`nil`).
    case value(place: Int?, Setting)

    /// Why a change is refused.
    enum Refusal: Error {
        /// There is no item, or it cannot be played.
        case noPatch
        /// The patch has this many chapters and cues.
        case noSuchPlace(count: Int)
        /// It would begin before the one before it, after the one after it, or after the end of the patch.
        case outOfOrder
        case badDuration
        /// The patch has this many layers.
        case noSuchLayer(count: Int)
        case noSuchParameter(Parameter, LayerKind)
        case notFinite(Parameter)
        /// The parameter follows the tempo or a rate.
        case locked(Parameter, ParameterLock)
        /// The place does not set the parameter.
        case notSetThere(Parameter)
        case full
    }

    /// Changes a chapter or cue of the current item, as one step that can be undone. What sounds continues at the same position.
    func apply(to player: inout Player, at moment: Moment) throws(Refusal) {
        let (quantity, value) = try entry(in: player.state)
        guard let item = player.state.current, let patch = item.patch, let file = item.filePatch else { return }
        guard item.course[quantity] != nil || player.state.queue.editCount < QueueItem.editLimit else { throw .full }
        var course = item.course
        let original = CoursePatch(file)
        if case .start = self {
            let current = CoursePatch(patch)
            // Starts that do not fit into this version of the file would hold back the new one.
            for (known, start) in course {
                guard case .start(let place) = known, let index = original.index(of: place) else { continue }
                if current[index].start != start { course[known] = nil }
            }
        }
        course[quantity] = original.number(quantity) == value ? nil : value
        let position = player.state.elapsed(at: moment)
        player.state.edit(.other, at: moment) { item in
            if case .value(let place, let setting) = self { item.dropEdits(of: setting, at: place, in: patch) }
            item.follow(course)
        }
        if case .value(let place, let setting) = self {
            let openings = CourseOpenings(of: patch, for: [EditHistory.Aspect(of: setting)])
            if openings.place(of: LiveEdit(setting: setting, position: position)) == place {
                player.state.mixer.ramps.drop { $0 == setting.parameter && $1 == setting.layer }
            }
        }
        player.ask(for: .sound(.crossfadeInPlace))
    }

    /// The quantity that it changes in the current item, and its new number.
    private func entry(in state: PlayerState) throws(Refusal) -> (quantity: CourseQuantity, value: Double) {
        guard let item = state.current, let patch = item.patch, let file = item.filePatch.map({ CoursePatch($0) }) else {
            throw .noPatch
        }
        func place(_ index: Int) throws(Refusal) -> CoursePlace {
            guard index >= 0, index < file.count else {
                throw .noSuchPlace(count: file.count)
            }
            return file.place(at: index)
        }
        switch self {
        case .start(let index, let start):
            let place = try place(index)
            guard CoursePatch(patch).mayMove(index, to: start) else {
                throw .outOfOrder
            }
            return (.start(place), start)
        case .over(let index, let seconds):
            guard CourseQuantity.overRange.contains(seconds) else {
                throw .badDuration
            }
            return (.over(try place(index)), seconds)
        case .value(let index, let setting):
            let place = try index.map(place) ?? .start
            let value = try checked(setting, at: index, of: patch, state)
            return (.value(place, layer: patch.layers[setting.layer].name, parameter: setting.parameter.rawValue), value)
        }
    }

    /// The value within the range of its parameter.
    private func checked(_ setting: Setting, at index: Int?, of patch: Patch, _ state: PlayerState) throws(Refusal) -> Double {
        guard patch.layers.indices.contains(setting.layer) else {
            throw .noSuchLayer(count: patch.layers.count)
        }
        guard let description = patch.layers[setting.layer].description(of: setting.parameter) else {
            throw .noSuchParameter(setting.parameter, patch.layers[setting.layer].kind)
        }
        guard setting.value.isFinite else { throw .notFinite(setting.parameter) }
        if let lock = ParameterLock(of: setting.parameter, layer: setting.layer, in: state) { throw .locked(setting.parameter, lock) }
        guard let index else { return description.clamped(setting.value) }
        guard CoursePatch(patch)[index].settings.contains(where: { $0.isOfSameParameter(as: setting) }) else {
            throw .notSetThere(setting.parameter)
        }
        return description.clamped(setting.value)
    }
}

extension QueueItem {
    /// Removes the live edits that would hide a value of the patch.
    fileprivate mutating func dropEdits(of setting: Setting, at place: Int?, in patch: Patch) {
        let openings = CourseOpenings(of: patch, for: [EditHistory.Aspect(of: setting)])
        edits.removeAll { $0.setting.isOfSameParameter(as: setting) && openings.place(of: $0) == place }
    }
}
