/// One sound: layers that sound together and chapters that move their parameters over time.
///
/// A patch is a value and knows no sample rate; `Engine` compiles it into a plan.
package struct Patch: Equatable, Sendable {
    package var details = Details()
    /// Length in seconds, above 0; `nil` is endless.
    package var duration: Double?
    package var fade: Fade?
    /// At least one, at most ``maximumLayerCount``; names are unique.
    package var layers: [Layer]
    /// Chapters in order of ``Chapter/start``, the first at 0 or later.
    package var chapters: [Chapter]
    /// Moves that begin between chapters, in order of their start. They are like chapters, but not shown to listeners.
    package var cues: [Chapter] = []
    /// Whether the gains of the layers move linearly in dB or in amplitude.
    package var gainLaw = GainLaw.decibels
    /// The frequency of A4 in Hz for its notes, set by the patch; `nil` follows the session's tuning.
    package var tuning: Double? { didSet { tune(toA4: a4) } }
    /// The frequency of A4 in Hz at which its notes are: its own ``tuning``, or the session's. Set by ``tune(toA4:)``.
    package internal(set) var a4 = Patch.usualA4
    /// Whether the carriers of the layers move linearly in Hz or in pitch.
    package var pitchLaw = PitchLaw.hertz
    /// Whether it is looped; ignored in an endless patch.
    package var loops = false
    /// Time of day of position 0, in seconds after midnight: playback starts at the position of the current time. `nil` starts at 0.
    package var clock: Double?

    package static let maximumLayerCount = 1024

    package init(details: Details = Details(), duration: Double? = nil, fade: Fade? = nil, layers: [Layer], chapters: [Chapter] = []) {
        self.details = details
        self.duration = duration
        self.fade = fade
        self.layers = layers
        self.chapters = chapters
    }

    /// The quantity of a gain that moves linearly; its values are in dB either way.
    package enum GainLaw: String, CaseIterable, Sendable {
        case decibels, amplitude
    }

    /// The quantity of a carrier that moves linearly: its frequency, or its pitch, that is the ratio to the frequency at the start of the
    /// move. Its values are in Hz either way.
    package enum PitchLaw: String, CaseIterable, Sendable {
        case hertz, ratio
    }

    /// Length of a day in seconds.
    package static let day = 86_400.0

    /// The position in seconds at which it starts at a time of day, in seconds after midnight.
    package func start(atTimeOfDay timeOfDay: Double) -> Double {
        guard let clock else { return 0 }
        let passed = (timeOfDay - clock).truncatingRemainder(dividingBy: Self.day)
        return passed < 0 ? passed + Self.day : passed
    }

    /// Metadata of a patch, shown in now playing.
    package struct Details: Equatable, Sendable {
        package var title = ""
        package var artist = ""
        package var album = ""
        package var composer = ""
        package var genre = ""
        package var comment = ""
        /// Path of a picture, absolute after loading; empty for no picture.
        package var artwork = ""

        package init(title: String = "") { self.title = title }
    }

    /// The fade of the whole sound at its two ends, in seconds.
    package struct Fade: Equatable, Sendable {
        package var fadeIn: Double
        package var easeIn: Easing
        /// Ends exactly at the patch's duration; ignored in an endless patch.
        package var fadeOut: Double
        package var easeOut: Easing

        /// Default fade at each end of a patch, in seconds.
        package static let shortest = 0.02

        package init(in fadeIn: Double, easeIn: Easing = .linear, out fadeOut: Double, easeOut: Easing = .linear) {
            self.fadeIn = fadeIn
            self.easeIn = easeIn
            self.fadeOut = fadeOut
            self.easeOut = easeOut
        }
    }
}

/// A place in a patch that a listener can go to, and the moves that begin there.
package struct Chapter: Equatable, Sendable {
    /// Seconds from the start of the patch.
    package var start: Double
    package var title: String
    /// Seconds that its moves take; `nil` is the default ramp of each parameter.
    package var over: Double?
    package var ease: Easing
    package var settings: [Setting]

    package init(start: Double, title: String = "", over: Double? = nil, ease: Easing = .linear, settings: [Setting] = []) {
        self.start = start
        self.title = title
        self.over = over
        self.ease = ease
        self.settings = settings
    }
}

/// A value that a parameter of a layer takes.
package struct Setting: Equatable, Sendable {
    /// Index into ``Patch/layers``, from 0.
    package var layer: Int
    package var parameter: Parameter
    /// The value in the parameter's unit.
    package var value: Double
    /// The note that a patch gives instead of a carrier; `nil` for a value in Hz.
    package var note: Note?

    package init(layer: Int, parameter: Parameter, value: Double, note: Note? = nil) {
        self.layer = layer
        self.parameter = parameter
        self.value = value
        self.note = note
    }
}

/// A live edit: a change of a parameter while the patch was current, kept with its queue item.
///
/// It replaces the parameter's value from the last chapter at or before ``position`` that names the parameter (or from the start) until the
/// next chapter that names it; that chapter's move starts from the value held.
package struct LiveEdit: Equatable, Sendable {
    package var setting: Setting
    /// Position at which it was made, in seconds from the start of the patch.
    package var position: Double

    package init(setting: Setting, position: Double) {
        self.setting = setting
        self.position = position
    }
}
