import Patches

/// The error that a session has no room for more live edits.
struct EditLimit: Error {
    /// Throws if the session has no room for edits of these values of the current item, unless they replace earlier ones.
    static func requireRoom(for settings: [Setting], in state: PlayerState, at moment: Moment) throws(EditLimit) {
        let count = state.queue.editCount
        guard count + settings.count > QueueItem.editLimit, let item = state.current, let patch = item.patch else { return }
        var edits = item.edits
        edits.apply(settings, at: state.elapsed(at: moment), in: patch)
        let added = edits.count - item.edits.count
        if added > 0, count + added > QueueItem.editLimit { throw EditLimit() }
    }
}

/// Live edits of queue items, each a step that can be undone.
extension PlayerState {
    /// Changes the current item's edits as one step.
    mutating func edit(_ subject: EditHistory.Subject, at moment: Moment, _ change: (inout QueueItem) -> Void) {
        guard let currentIndex else { return }
        edit(item: currentIndex, subject, at: moment, change)
    }

    mutating func edit(item index: Int, _ subject: EditHistory.Subject, at moment: Moment, _ change: (inout QueueItem) -> Void) {
        queue.edit(index, subject, at: moment, sampleRate: sampleRate, change)
    }

    /// Sets a value of the current item from now on, as one step; does nothing if the timeline has that value anyway.
    mutating func edit(_ setting: Setting, _ subject: EditHistory.Subject, at moment: Moment) {
        guard let item = current, let patch = item.patch else { return }
        let position = elapsed(at: moment)
        let automation = patch.automation(of: setting.parameter, layer: setting.layer, edits: item.edits, rate: rate)
        if automation?.value(at: position) == setting.value, automation?.rest(at: position) == setting.value { return }
        guard let currentIndex else { return }
        queue.edit(
            currentIndex, subject, .init(of: setting), at: moment, sampleRate: sampleRate
        ) { $0.edits.apply(LiveEdit(setting: setting, position: position), in: patch) }
    }
}

extension PlayQueue.RestoredEdit {
    /// The effects of an edit that was undone or redone.
    fileprivate func effects(in state: inout PlayerState, _ what: String, at moment: Moment) -> [Effect] {
        guard index != state.currentIndex else {
            state.mixer.ramps.drop { aspects.contains(.parameter($0, layer: $1)) }
            let words = words(in: state, at: moment)
            return [.sound(.crossfadeInPlace), .request(.notice(words.isEmpty ? "\(what)." : "\(what): \(words)."))]
        }
        // The user is notified, since a change of another item is neither heard nor shown.
        let text = "\(what) in queue item \(index + 1), '\(state.items[index].title)', which is not the current one."
        return [.sound(.upcoming), .request(.notice(text))]
    }

    /// The values of the current item that were restored, such as `layer/bed/gain -20 dB`.
    private func words(in state: PlayerState, at moment: Moment) -> String {
        let texts = aspects.compactMap { $0.words(in: state, at: moment) }.sorted()
        let more = texts.count > 3 ? ", and \(texts.count - 3) more" : ""
        return texts.prefix(3).joined(separator: ", ") + more
    }
}

extension Player {
    mutating func undo(at moment: Moment) { state.queue.undo()?.effects(in: &state, "Undone", at: moment).forEach { ask(for: $0) } }

    mutating func redo(at moment: Moment) { state.queue.redo()?.effects(in: &state, "Redone", at: moment).forEach { ask(for: $0) } }
}

extension EditHistory.Aspect {
    /// The address below the root and the value of the current item; `nil` if its layer is gone.
    fileprivate func words(in state: PlayerState, at moment: Moment) -> String? {
        guard let item = state.current, let layers = item.patch?.layers else { return nil }
        func path(_ layer: Int, _ name: String) -> String { "layer/\(layers[layer].name)/\(name)" }
        switch self {
        case .parameter(let parameter, let layer):
            guard layers.indices.contains(layer), let value = state.value(of: parameter, layer: layer, at: moment) else { return nil }
            let unit = layers[layer].description(of: parameter)?.unit.rawValue ?? ""
            let number = NumberText.string(from: (value * 1e4).rounded() / 1e4)
            return "\(path(layer, parameter.rawValue)) \(number)" + (unit.isEmpty ? "" : " \(unit)")
        case .mute(let layer):
            return layers.indices.contains(layer) ? "\(path(layer, "mute")) \(item.mutedLayers.contains(layer) ? "on" : "off")" : nil
        case .wave(let layer): return state.wave(ofLayer: layer).map { "\(path(layer, "wave")) \($0.rawValue)" }
        case .course(let quantity): return quantity.words(in: item)
        }
    }
}

extension CourseQuantity {
    /// Its name, and its number if the item changes it.
    fileprivate func words(in item: QueueItem) -> String {
        let place =
            switch place {
            case .start: "the start"
            case .chapter(let start): "the chapter at \(DurationText.string(from: start))"
            case .cue(let start, _): "the cue at \(DurationText.string(from: start))"
            }
        let what =
            switch self {
            case .start: "start of \(place)"
            case .over: "duration of \(place)"
            case .value(_, let layer, let parameter): "\(layer).\(parameter) of \(place)"
            }
        guard let number = item.course[self] else { return "\(what) as in the file" }
        guard case .value(_, _, let parameter) = self else {
            return "\(what): \(DurationText.string(from: (number * 100).rounded() / 100))"
        }
        let unit =
            Parameter(rawValue: parameter).map {
                [.gain: " dB", .carrier: " Hz", .beat: " Hz", .pulseRate: " Hz", .amRate: " Hz", .spinRate: " Hz", .orbitRate: " Hz"][$0]
                    ?? ""
            } ?? ""
        return "\(what): \(NumberText.string(from: (number * 1e4).rounded() / 1e4))\(unit)"
    }
}

extension Automation {
    /// The value that is reached before the next move begins.
    fileprivate func rest(at position: Double) -> Double { moves.last { $0.start <= position }?.target ?? base }
}
