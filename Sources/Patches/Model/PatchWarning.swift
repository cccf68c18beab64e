/// Something in a patch that does not take effect as it is written, most likely by mistake.
package enum PatchWarning: Equatable, Sendable {
    /// A move of a chapter or cue is cut off by the end of the patch; times in seconds from its start.
    case moveBeyondEnd(start: Double, end: Double, duration: Double)
    /// A cue begins at the end of the patch or later.
    case cueBeyondEnd(start: Double, duration: Double)
    case loopWithoutDuration
    /// A layer's name stands for something else in the addresses of OSC.
    case nameNotInAddresses(String)
    case fadeOutWithoutEnd
    /// A layer has bands, but none of the effects that they would confine.
    case bandsWithoutEffect(layer: String)

    /// All oversights of a patch, in order of their times.
    package static func all(in patch: Patch) -> [PatchWarning] {
        var found = patch.layers.map(\.name).filter(meansAnotherLayer).map(nameNotInAddresses)
        found += patch.layers.filter { !$0.bands.isEmpty && $0.effects.isEmpty }.map { .bandsWithoutEffect(layer: $0.name) }
        if patch.loops, patch.duration == nil { found.append(.loopWithoutDuration) }
        if let fade = patch.fade, fade.fadeOut > Patch.Fade.shortest, patch.duration == nil { found.append(.fadeOutWithoutEnd) }
        guard let duration = patch.duration else { return found }
        let moves = (patch.chapters + patch.cues).filter { !$0.settings.isEmpty }.sorted { $0.start < $1.start }
        for (index, chapter) in moves.enumerated() {
            guard chapter.start < duration else {
                found.append(.cueBeyondEnd(start: chapter.start, duration: duration))
                continue
            }
            // Times are written to the millisecond.
            guard let over = chapter.over, chapter.start + over > duration + 0.0005 else { continue }
            let later = moves[(index + 1)...].prefix { $0.start < duration }.flatMap(\.settings)
            let isCutOff = chapter.settings.contains { setting in
                !later.contains { $0.layer == setting.layer && $0.parameter == setting.parameter }
            }
            if isCutOff { found.append(.moveBeyondEnd(start: chapter.start, end: chapter.start + over, duration: duration)) }
        }
        return found
    }

    /// Whether a name in an address is a layer's number, or the selected layer.
    private static func meansAnotherLayer(_ name: String) -> Bool {
        name == "selected" || !name.isEmpty && name.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// A sentence for the user, without a full stop.
    package var sentence: String {
        switch self {
        case .moveBeyondEnd(let start, let end, let duration):
            """
            the move that begins at \(DurationText.string(from: start)) takes until \(DurationText.string(from: end)), but the patch ends at \
            \(DurationText.string(from: duration)): it does not reach its values
            """
        case .cueBeyondEnd(let start, let duration):
            """
            the cue at \(DurationText.string(from: start)) is never reached: the patch ends at \(DurationText.string(from: duration))
            """
        case .nameNotInAddresses(let name):
            "the layer named `\(name)` can be reached over OSC by its number only: `layer/\(name)` is "
                + (name == "selected" ? "the selected layer" : "a layer by its number")
        case .loopWithoutDuration: "`loop` has no effect without a `duration`: the patch is endless"
        case .bandsWithoutEffect(let layer): "the bands of `\(layer)` have no effect: they confine its effects, and it has none"
        case .fadeOutWithoutEnd: "the fade-out has no effect without a `duration`: the patch is endless"
        }
    }
}
