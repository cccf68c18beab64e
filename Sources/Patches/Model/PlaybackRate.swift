extension Patch {
    /// The same sound on a timeline that runs `rate` times as fast: chapters, their moves, fades and duration. Pitches, beats and
    /// pulse rates are not touched, nor are moves that have no length of their own.
    package func timeline(at rate: Double) -> Patch {
        guard rate != 1 else { return self }
        var patch = self
        patch.duration = duration.map { $0 / rate }
        if let fade {
            patch.fade = Fade(in: fade.fadeIn / rate, easeIn: fade.easeIn, out: fade.fadeOut / rate, easeOut: fade.easeOut)
        }
        patch.chapters = chapters.map { chapter in
            var chapter = chapter
            chapter.start /= rate
            chapter.over = chapter.over.map { $0 / rate }
            return chapter
        }
        return patch
    }
}

extension LiveEdit {
    /// Where it stands on a timeline that runs `rate` times as fast.
    package func timeline(at rate: Double) -> LiveEdit { LiveEdit(setting: setting, position: position / rate) }
}
