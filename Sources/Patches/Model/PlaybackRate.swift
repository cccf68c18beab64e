extension Patch {
    /// The rate at which it can be played, given the requested one: 1 if a layer plays a sound file or JACK's inputs.
    package func playableRate(_ asked: Double) -> Double {
        asked != 1 && layers.contains { $0.kind.isForeign } ? 1 : asked
    }

    /// The same sound on a timeline that runs `rate` times as fast: chapters, their moves, fades and duration. Pitches, beats, pulse rates
    /// and moves of default length stay the same.
    package func timeline(at rate: Double) -> Patch {
        guard rate != 1 else { return self }
        var patch = self
        patch.duration = duration.map { $0 / rate }
        if let fade {
            patch.fade = Fade(in: fade.fadeIn / rate, easeIn: fade.easeIn, out: fade.fadeOut / rate, easeOut: fade.easeOut)
        }
        patch.chapters = chapters.map { $0.timeline(at: rate) }
        patch.cues = cues.map { $0.timeline(at: rate) }
        return patch
    }
}

extension Chapter {
    fileprivate func timeline(at rate: Double) -> Chapter {
        var chapter = self
        chapter.start /= rate
        chapter.over = over.map { $0 / rate }
        return chapter
    }
}

extension LiveEdit {
    /// The edit on a timeline that runs `rate` times as fast.
    package func timeline(at rate: Double) -> LiveEdit { LiveEdit(setting: setting, position: position / rate) }
}
