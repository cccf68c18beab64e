extension Patch {
    /// The rate at which it is played when another one is asked for: sound files and JACK's inputs have a speed of their own, which is 1.
    package func playableRate(_ asked: Double) -> Double {
        asked != 1 && layers.contains { $0.kind.isForeign } ? 1 : asked
    }

    /// The same sound on a timeline that runs `rate` times as fast: chapters, their moves, fades and duration. Pitches, beats and
    /// pulse rates are not touched, nor are moves that have no length of their own.
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
    /// Where it stands on a timeline that runs `rate` times as fast.
    package func timeline(at rate: Double) -> LiveEdit { LiveEdit(setting: setting, position: position / rate) }
}
