import Patches

/// The fate of the listener's changes after the patch of an item was read again.
package struct Rereading: Equatable, Sendable {
    /// Whether the new patch ends before the position, so that it starts again.
    package var startsAgain: Bool
    /// Number of values that are still set by hand.
    package var keptEdits: Int
    /// Names of layers whose edits, mutes or waves now wait, since the layer or its parameter is gone.
    package var waitingLayers: [String]
    package var course: CourseFate

    package init(startsAgain: Bool = false, keptEdits: Int = 0, waitingLayers: [String] = [], course: CourseFate = CourseFate()) {
        (self.startsAgain, self.keptEdits, self.waitingLayers, self.course) = (startsAgain, keptEdits, waitingLayers, course)
    }
}

/// How many of the listener's changes to chapters and cues had which fate when their patch was read again.
package struct CourseFate: Equatable, Sendable {
    /// They apply to the new version, or would with other starts, layers or parameters.
    package var kept: Int
    /// The chapter or cue is gone.
    package var dropped: Int
    /// The file has them by now.
    package var contained: Int

    package init(kept: Int = 0, dropped: Int = 0, contained: Int = 0) {
        (self.kept, self.dropped, self.contained) = (kept, dropped, contained)
    }
}

extension Player {
    /// Replaces the patch of an item that was saved again; `nil` if it is the same as before. An item that had no patch takes its edits,
    /// mutes and waves from `restored`, the item as the session restores it; any item takes its reference, which may be another.
    package mutating func replacePatch(ofItem index: Int, with patch: Patch, restored: QueueItem?, at moment: Moment) -> Rereading? {
        PatchReplacement(index: index, patch: patch.tuned(toA4: state.a4), restored: restored, moment: moment).apply(to: &self)
    }
}

/// A patch that was saved again while it is in the queue. The current item is crossfaded, and continues at the same position; if the new
/// patch is shorter than that, it starts again. Changes by hand apply to the layers of the same names.
private struct PatchReplacement {
    let index: Int
    let patch: Patch
    let restored: QueueItem?
    let moment: Moment

    func apply(to player: inout Player) -> Rereading? {
        LayerBalance(moment: moment).keep(in: &player) { replacePatch(in: &$0) }
    }

    private func replacePatch(in player: inout Player) -> Rereading? {
        if let restored, player.state.items.indices.contains(index) { player.state.items[index].reference = restored.reference }
        guard player.state.items.indices.contains(index), player.state.items[index].filePatch != patch else { return nil }
        let isCurrent = index == player.state.currentIndex
        let target = isCurrent ? position(player) : 0
        // From here on the position depends on the new patch.
        if isCurrent, player.state.playback == .playing { player.state.anchor = .init(position: heldPosition(player), moment: moment) }
        let isLate = player.state.length.map { player.state.anchor.position >= $0 } ?? false
        var rereading = Rereading()
        if let old = player.state.items[index].patch {
            let match = LayerMatch(from: old, to: patch)
            if isCurrent { match.moveTouches(in: &player, at: moment) }
            rereading = player.state.items[index].change(to: patch)
            player.state.queue.convertHistory(ofItem: player.state.items[index].id, by: match)
        } else {
            player.state.items[index].patch = patch
            if let restored { player.state.items[index].apply(restored.namedChanges) }
        }
        player.state.items[index].problem = ""
        player.state.queue.dropIllustration(ofItem: player.state.items[index].id)
        guard isCurrent else {
            player.ask(for: .sound(.upcoming))
            return rereading
        }
        if player.state.selectedLayer >= player.state.layerCount { player.state.selectedLayer = 0 }
        rereading.startsAgain = target == 0 && player.state.anchor.position > 0 && !player.isFollowing
        resume(&player, at: target, crossfades: !isLate)
        return rereading
    }

    /// The position in frames at which the new version of the current patch continues.
    private func position(_ player: Player) -> Int64 {
        let state = player.state
        var position = heldPosition(player)
        // The same time of day, if the patch follows it.
        if let old = state.patch?.clock, let new = patch.clock, old != new {
            let day = state.frames(Patch.day)
            position = ((position + state.frames(old - new)) % day + day) % day
        }
        guard !player.isFollowing, let duration = patch.duration, position >= state.frames(duration) else { return position }
        return 0
    }

    /// The position, which a followed transport may have moved beyond the end of the item.
    private func heldPosition(_ player: Player) -> Int64 {
        let state = player.state
        return state.playback == .playing && player.isFollowing ? state.runningPosition(at: moment) : state.position(at: moment)
    }

    private func resume(_ player: inout Player, at target: Int64, crossfades: Bool) {
        if player.state.playback == .playing {
            if target == player.state.anchor.position, crossfades {
                player.ask(for: .sound(.crossfadeInPlace))
            } else {
                player.begin(at: target, moment)
            }
        } else if target != player.state.anchor.position {
            player.state.anchor = .init(position: target, moment: moment)
            player.lead(.locate(target))
        }
    }
}

extension LayerMatch {
    /// Moves what belongs to layers of the current item to the new ones. A touch stays on a control that has the same address as before; any
    /// other touch ends.
    fileprivate func moveTouches(in player: inout Player, at moment: Moment) {
        player.state.endTouches(at: moment) { !keepsPlace(of: $0) }
        player.state.mixer.ramps.drop()
        player.state.soloedLayers = Set(player.state.soloedLayers.compactMap(layer))
        player.state.selectedLayer = layer(player.state.selectedLayer) ?? 0
    }
}

extension QueueItem {
    /// Changes by hand stay with the layers of the same names; those to a layer or a parameter that is gone wait for it.
    fileprivate mutating func change(to new: Patch) -> Rereading {
        var (changes, waited) = (namedChanges, waitingChanges.layers)
        let fate: CourseFate
        (changes.course, fate) = course(leftFor: new)
        patch = new
        apply(changes)
        return Rereading(keptEdits: edits.count, waitingLayers: waitingChanges.layers.subtracting(waited).sorted(), course: fate)
    }

    /// The changes of chapters and cues that apply to a new version of the file: not those that it has by now.
    private func course(leftFor new: Patch) -> (CourseEdits, CourseFate) {
        func starts(_ patch: Patch) -> [Double] { (patch.chapters + patch.cues).map(\.start) }
        let hasMoves = course.keys.contains { if case .start = $0 { true } else { false } }
        // Where a chapter was moved, its other changes cannot be found any more by its start.
        if hasMoves, let patch, starts(patch) == starts(new) { return ([:], CourseFate(contained: course.count)) }
        let file = CoursePatch(new)
        var (left, fate) = (CourseEdits(), CourseFate())
        for (quantity, number) in course {
            if quantity.place != .start, file.index(of: quantity.place) == nil {
                fate.dropped += 1
            } else if file.number(quantity) == number {
                fate.contained += 1
            } else {
                fate.kept += 1
                left[quantity] = number
            }
        }
        return (left, fate)
    }
}
