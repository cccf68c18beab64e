import PatchFiles
import Patches

/// A sequence of SBaGen (an `.sbg` file) as it was written: tone-sets, and the times of day from which they sound.
///
/// ``SequenceTimeline`` computes what is heard when, ``patch(now:)`` makes a patch of it.
package struct SBaGenSequence: Equatable, Sendable {
    /// The lines after `##`, the description for the listener.
    package var description: [String] = []
    package var options = SequenceOptions()
    package var dialect = SequenceDialect.sbagen
    /// The samples of each wave as written, by the number in its name, plus 100 for each redefinition.
    package var waves: [Int: [Double]] = [:]
    /// SBaGenX's `customNN`, in the order in which they are defined.
    package var envelopes: [DrawnEnvelope] = []
    /// Time lines in order around the day, with blocks expanded; at least one.
    package var lines: [TimeLine]
    /// Remarks on what is read but has no effect, or another effect than in SBaGen.
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

    /// A line that starts a tone-set at a time.
    package struct TimeLine: Equatable, Sendable {
        package var time: Time
        package var fadeIn: FadeIn
        package var fadeOut: FadeOut
        package var set: ToneSet
        /// Whether it slides to the next one (`->`), without steady time of its own.
        package var slides: Bool
        /// How it moves to the next one in SBaGenX's dialect.
        package var move: Move

        package init(
            _ time: Time, fadeIn: FadeIn = .pitch, fadeOut: FadeOut = .pitch, _ set: ToneSet, slides: Bool = false, move: Move = .straight
        ) {
            self.time = time
            (self.fadeIn, self.fadeOut) = (fadeIn, fadeOut)
            self.set = set
            self.slides = slides
            self.move = move
        }
    }

    /// A time in whole seconds, below a day.
    package enum Time: Equatable, Sendable {
        /// Seconds after midnight.
        case clock(Int)
        /// Seconds after loading.
        case now(Int)
    }

    /// How a tone-set fades in.
    package enum FadeIn: Character, CaseIterable, Sendable {
        case silence = "<", pitch = "-", slide = "="
    }

    /// How a tone-set fades out.
    package enum FadeOut: Character, CaseIterable, Sendable {
        case silence = ">", pitch = "-", slide = "="
    }

    /// The most lines, with all blocks expanded.
    static let maximumLineCount = 4096
    static let day = 86_400
    /// The most bytes of a file of formulas.
    package static let formulaSize = 16 * 1024
}

/// One voice of a tone-set.
package struct SequenceVoice: Equatable, Sendable {
    package var kind: Kind
    /// Percent of full scale, 0...100.
    package var amplitude: Double
    /// Carrier in Hz, the width of a spin in microseconds, or the intensity of an effect in percent.
    package var carrier: Double
    /// Frequency in Hz: left minus right, pulse rate, or rotation of a spin.
    package var beat: Double
    /// Rate of `mixam:` on a sound file, in Hz; `nil` before it is known, for that of the first tone's beat.
    package var modulationRate: Double?
    /// How far `mixspin:` moves, from which its intensity follows.
    var mixSpin: MixSpin?
    /// The circles of `orbitbeat:` around the head.
    package var orbit: Orbit?

    package init(_ kind: Kind, amplitude: Double = 0, carrier: Double = 0, beat: Double = 0, modulationRate: Double? = 0) {
        self.kind = kind
        self.amplitude = amplitude
        self.carrier = carrier
        self.beat = beat
        self.modulationRate = modulationRate
    }

    /// Voices of different kinds change into each other only through silence.
    package enum Kind: Hashable, Sendable {
        case off
        /// `C±B/A`; the waveform is a later addition.
        case tone(Waveform)
        /// `C@P/A`, a later addition.
        case pulses(Waveform)
        /// `CMB/A`, of SBaGenX.
        case monaural(Waveform)
        /// `waveNN:C±B/A`; the number of ``SBaGenSequence/waves``.
        case wave(Int)
        /// `pink/A`; the other colours are later additions.
        case noise(NoiseColor)
        case mix
        /// `bell±F/A`
        case bell
        /// `spin:W±B/A`; other colours than pink are later additions.
        case spin(NoiseColor)
        /// `customNN:C@P/A`, of SBaGenX; the place in ``SBaGenSequence/envelopes``.
        case drawnPulses(Waveform, Int)
        /// `customNN:C±B/A`
        case drawnTone(Waveform, Int)
        /// `orbitbeat:C+P±O/A`
        case orbit(Waveform, OrbitPulse)
        /// `noiseNN/A`, `noisepulse:`, `noisebeat:` and `noiseNN:spin:`
        indirect case shapedNoise(ShapedNoise)
        /// `mixpulse:`, `mixbeat:`, `mixspin:`, `mixam:`, and `mix/A` beside `mixam:`
        indirect case mixEffect(MixEffect)
    }

    package static let off = SequenceVoice(.off)

    /// Whether the code `-` fades through silence when its pitch changes.
    var isTonal: Bool {
        switch kind {
        case .tone, .pulses, .monaural, .wave, .bell, .drawnPulses, .drawnTone, .orbit: true
        case .off, .noise, .mix, .spin, .shapedNoise, .mixEffect: false
        }
    }

    func hasPitch(of other: SequenceVoice) -> Bool {
        carrier == other.carrier && beat == other.beat && modulationRate == other.modulationRate && orbit == other.orbit
    }
}

/// How a tone of `orbitbeat:` circles the head.
package struct Orbit: Equatable, Sendable {
    /// Turns per second; if negative to the left.
    package var rate: Double
    /// From 0.25 to 10; 1 without `d`.
    package var distance: Double

    /// The orbit at a part of the way to another one, 0...1.
    func moved(towards other: Orbit, _ part: Double) -> Orbit {
        Orbit(rate: rate + (other.rate - rate) * part, distance: distance + (other.distance - distance) * part)
    }
}

/// The envelope of `orbitbeat:`.
package enum OrbitPulse: Hashable, Sendable {
    /// `+`: a cosine that begins at full level.
    case cosine
    /// `@`: that of isochronic tones.
    case standard
    /// `customNN:`; the place in ``SBaGenSequence/envelopes``.
    case drawn(Int)
}

/// The options in the lines at the beginning of a sequence.
package struct SequenceOptions: Equatable, Sendable {
    /// `-S`: start at the first time, regardless of the clock.
    package var startsAtFirst = false
    /// `-E`: end at the last time.
    package var endsAtLast = false
    /// `-T`: start as if it were this time of day, in seconds after midnight.
    package var startTime: Int?
    /// `-L`: length in seconds.
    package var length: Int?
    /// `-m`: path of a sound file mixed with the tones; as written, or absolute after loading.
    package var mixFile: String?
    /// The K of `-m FILE#K`, which chooses a part of its `SBAGEN_LOOPER`.
    package var mixSection = 0
    /// Gain of that file in dB, from its tags.
    package var mixGain = 0.0
    /// The segments that it is played in, from its tags; `nil` to play it from its beginning to its end.
    package var mixSegments: SoundSegments?
    /// Percent at which it is heard where no voice sets its level.
    package var wholeMix = 100.0
    /// `-F`: length of a change in seconds.
    package var fade = 60.0
    /// `-q`: speed factor of the sequence, which then starts at its first time; `nil` is real time, by the clock.
    package var speed: Double?
    /// `-c`: boost for headphones.
    package var headphones = HeadphoneCurve()
    /// `-V`, percent: all amplitudes are multiplied by it.
    package var volume = 100.0
    /// `-w`: default waveform of tones.
    package var waveform = Waveform.sine
    /// `-I`: the pulses of isochronic tones in SBaGenX's dialect.
    package var pulse = StandardPulse()
    /// `-H`: the shape of `mixam:`
    package var modulation = MixModulation()

    package init() {}

    /// Whether it always starts at its first line, whose time this is.
    func begins(at first: SBaGenSequence.Time) -> Bool {
        if let startTime { return first == .clock(startTime) }
        return startsAtFirst || speed != nil || first == .now(0)
    }

    /// Waveforms that have a name in the format.
    static let waveforms: [Waveform] = [.sine, .triangle, .square, .sawtooth]
}
