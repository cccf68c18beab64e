/// A sequence of SBaGen, an `.sbg` file, as it was written: which tone-set sounds from what time of the day on.
///
/// ``SequenceTimeline`` says what is heard when, ``patch(named:)`` makes a patch of it.
package struct SBaGenSequence: Equatable, Sendable {
    /// The lines after `##`, which are for the listener.
    package var description: [String] = []
    package var options = SequenceOptions()
    /// The samples of each wave, as they are written. Its number is that of its name, and 100 more each time that it was defined anew.
    package var waves: [Int: [Double]] = [:]
    /// In order round the day, blocks written out; at least one.
    package var lines: [TimeLine]
    /// What is read but has no effect, or another one than with SBaGen.
    package var remarks: [Diagnostic] = []

    package init(lines: [TimeLine]) { self.lines = lines }

    /// Voices that sound together.
    package struct ToneSet: Equatable, Sendable {
        package var name: String
        /// At most ``maximumVoiceCount``.
        package var voices: [SequenceVoice]

        package init(name: String, voices: [SequenceVoice]) {
            self.name = name
            self.voices = voices
        }

        package static let maximumVoiceCount = 16
    }

    /// From a time on a tone-set sounds.
    package struct TimeLine: Equatable, Sendable {
        package var time: Time
        package var fadeIn: FadeIn
        package var fadeOut: FadeOut
        package var set: ToneSet
        /// `->`: it slides to the next one, without a time of its own.
        package var slides: Bool

        package init(_ time: Time, fadeIn: FadeIn = .pitch, fadeOut: FadeOut = .pitch, _ set: ToneSet, slides: Bool = false) {
            self.time = time
            self.fadeIn = fadeIn
            self.fadeOut = fadeOut
            self.set = set
            self.slides = slides
        }
    }

    /// Whole seconds, below a day.
    package enum Time: Equatable, Sendable {
        /// After midnight.
        case clock(Int)
        /// After the instant of loading.
        case now(Int)
    }

    /// How a tone-set comes in.
    package enum FadeIn: Character, CaseIterable, Sendable {
        case silence = "<", pitch = "-", slide = "="
    }

    /// How it gives way.
    package enum FadeOut: Character, CaseIterable, Sendable {
        case silence = ">", pitch = "-", slide = "="
    }

    /// Lines with all blocks written out.
    static let maximumLineCount = 4096
    static let day = 86_400
}

/// What one voice of a tone-set does.
package struct SequenceVoice: Equatable, Sendable {
    package var kind: Kind
    /// Percent of full scale, 0...100.
    package var amplitude: Double
    /// Hz; of a spin its width in microseconds.
    package var carrier: Double
    /// Hz: left minus right, pulses, or turns of a spin.
    package var beat: Double

    package init(_ kind: Kind, amplitude: Double = 0, carrier: Double = 0, beat: Double = 0) {
        self.kind = kind
        self.amplitude = amplitude
        self.carrier = carrier
        self.beat = beat
    }

    /// Voices of different kinds cannot turn into each other but through silence.
    package enum Kind: Hashable, Sendable {
        case off
        /// `C±B/A`; the waveform is a later addition.
        case tone(Waveform)
        /// `C@P/A`, a later addition.
        case pulses(Waveform)
        /// `waveNN:C±B/A`; the number of ``SBaGenSequence/waves``.
        case wave(Int)
        /// `pink/A`; the other colours are later additions.
        case noise(NoiseColor)
        case mix
        /// `bell±F/A`
        case bell
        /// `spin:W±B/A`; other colours than pink are later additions.
        case spin(NoiseColor)
    }

    package static let off = SequenceVoice(.off)

    /// Whether a change of its pitch is one that the code `-` does not slide over.
    var isTonal: Bool {
        switch kind {
        case .tone, .pulses, .wave, .bell: true
        case .off, .noise, .mix, .spin: false
        }
    }

    func hasPitch(of other: SequenceVoice) -> Bool { carrier == other.carrier && beat == other.beat }
}

/// What stands in the lines before everything else.
package struct SequenceOptions: Equatable, Sendable {
    /// `-S`: from the first time on, whatever the clock shows.
    package var startsAtFirst = false
    /// `-E`: up to the last time.
    package var endsAtLast = false
    /// `-T`: as if the clock showed that, in seconds after midnight.
    package var startTime: Int?
    /// `-L`, in seconds.
    package var length: Int?
    /// `-m`, a sound file below the tones; as it was written, or absolute after loading.
    package var mixFile: String?
    /// `-F`: seconds that a change takes.
    package var fade = 60.0
    /// `-q`: how many times as fast the time of the sequence runs, from its first time on; `nil` is as fast as the clock, and by it.
    package var speed: Double?
    /// `-c`
    package var headphones = HeadphoneCurve()
    /// `-V`, percent: all amplitudes are multiplied by it.
    package var volume = 100.0
    /// `-w`: of tones that say nothing.
    package var waveform = Waveform.sine

    package init() {}

    /// Those that have a name in the format.
    static let waveforms: [Waveform] = [.sine, .triangle, .square, .sawtooth]
}
