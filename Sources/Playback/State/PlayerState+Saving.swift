import Patches

extension PlayerState {
    /// The current item as a patch that sounds as it does now: with its live edits, held controls and waves. Layers that are muted, or not
    /// among the soloed ones, have their gain off. A ramp under way is saved with the value that it leads to. `nil` without a patch.
    ///
    /// Notes keep the frequencies of the session's tuning. The rate and the master belong to the session.
    package func patchAsHeard(at moment: Moment) -> Patch? {
        guard let item = current, let patch = item.patchAsHeard else { return nil }
        var edits = item.edits
        for setting in heldSettings { edits.apply(LiveEdit(setting: setting, position: elapsed(at: moment)), in: patch) }
        // Parameters that follow the tempo keep their note lengths, whatever was set before the tempo was known, and those that follow a rate
        // do so in the saved patch.
        edits.removeAll { ParameterLock(of: $0.setting.parameter, layer: $0.setting.layer, in: self) != nil }
        var saved = patch.withOwnTuning.including(edits, silencing: Set((0..<layerCount).filter { !isAudible(layer: $0) }))
        // A title that was only the name of the file; the new file has a name of its own.
        let file = item.reference.split(separator: "/").last.map(String.init) ?? ""
        if ["", ".yaml", ".yml", ".sbg", ".sbxseq"].contains(where: { saved.details.title + $0 == file }) { saved.details.title = "" }
        return saved
    }
}
