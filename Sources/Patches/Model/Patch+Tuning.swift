extension Patch {
    /// The frequency of A4 in Hz without a tuning.
    package static let usualA4 = 440.0

    /// The layers a carrier of which is given as a note.
    package var layersWithNotes: [Int] {
        layers.indices.filter { index in
            layers[index].note != nil || (chapters + cues).contains { $0.settings.contains { $0.layer == index && $0.note != nil } }
        }
    }

    /// The patch with the session's tuning as its own if its notes follow that, so that it sounds the same in any session.
    package var withOwnTuning: Patch {
        guard tuning == nil, a4 != Self.usualA4, !layersWithNotes.isEmpty else { return self }
        var patch = self
        patch.tuning = a4
        return patch
    }

    /// Tunes its notes to the session's frequency of A4 in Hz, unless it has a tuning of its own. Carriers in Hz stay as they are; notes
    /// beyond the range of carriers are clamped to it, and values that are no longer those of their notes are left alone.
    package mutating func tune(toA4 sessionA4: Double) {
        let (old, new) = (Tuning(a4: a4), Tuning(a4: tuning ?? sessionA4))
        guard new.a4 != a4, !layersWithNotes.isEmpty else { return }
        a4 = new.a4
        new.tune(&layers, from: old)
        new.tune(&chapters, from: old)
        new.tune(&cues, from: old)
    }
}

extension Tuning {
    /// The frequency of a note in Hz, clamped to the range of carriers.
    package func carrier(of note: Note) -> Double { ParameterDescription.carrier.clamped(frequency(ofNote: note.number)) }

    fileprivate func tune(_ layers: inout [Layer], from old: Tuning) {
        for index in layers.indices {
            guard let note = layers[index].note, layers[index].values[.carrier] == old.carrier(of: note) else { continue }
            layers[index].values[.carrier] = carrier(of: note)
        }
    }

    fileprivate func tune(_ chapters: inout [Chapter], from old: Tuning) {
        for chapter in chapters.indices {
            for (index, setting) in chapters[chapter].settings.enumerated() {
                guard let note = setting.note, setting.value == old.carrier(of: note) else { continue }
                chapters[chapter].settings[index].value = carrier(of: note)
            }
        }
    }
}
