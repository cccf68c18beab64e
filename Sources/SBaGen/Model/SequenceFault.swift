import PatchFiles
import Patches

/// A fault in a sequence, or a remark on it: facts only.
package enum SequenceFault: Fault {
    // Lines
    /// No line ends but carriage returns.
    case carriageReturns
    case noLine(String)
    case noTimes
    case noVoiceLines
    case lateOption
    case badName(String)
    case surplus(String, after: String)
    case tooManyLines(limit: Int)
    /// Each voice has a layer for each of its kinds, waves and envelopes.
    case tooManyLayers(limit: Int)

    // Options
    case unknownOption(Character)
    case optionWithoutValue(Character, expected: String)
    case badOptionValue(Character, String, expected: String)
    case generatedKind(String?)
    /// The argument of the session that `-p` names is missing or invalid.
    case generatedCourse(String?, GeneratedKind)
    case generatedLength(String, isDrop: Bool)
    /// A file of formulas, and what is wrong with it; `nil` if it cannot be read.
    case formulas(String, String?)
    /// Times stand below an option that plays its own voices.
    /// The curve of a sigmoid is too flat, or too far away, to lead from one beat to the other.
    case flatSigmoid
    case immediateAndTimes(String)
    case emptySpan

    // Definitions
    case definitionWithoutVoices(String)
    case tooManyVoices(Int, limit: Int)
    case badVoice(String, at: VoicePart)
    case undefinedWave(Int)
    case badWave(String)
    case waveTooShort(Int)
    case waveTooLong(limit: Int)
    case badShape(String, expected: String)
    case shapeLength(Int, ClosedRange<Int>)
    case undefinedShape(String)
    case wrongPrefix(String, before: String)
    case effectWithoutMix
    case severalModulations

    // Blocks
    case blockNotClosed(String)
    case strayBrace
    case emptyBlock(String)
    case blockLineWithoutPlus(String)
    case blockInsideBlock
    case arrowBehindBlock(String)
    case blockAmongVoices(String)

    // Time lines
    case badTime(String)
    /// `AM` or `PM`, and the time of day that is meant, if it is one.
    case halfDay(String, meant: String?)
    case badOffset(String)
    case earlierOffset(String)
    case lineWithoutVoice
    case nothingToAddTo
    case lineWithoutName
    case unknownName(String, near: String?)
    case beyondDay

    // Other programs
    case otherProgram(String)
    /// Something that only SBaGenX reads, where SBaGen's dialect was asked for.
    case otherDialect(String)

    // Remarks: read, but with no effect or another one
    case optionWithoutEffect(Character, reason: String)
    case madeForHeadphones
    case loudBell(percent: Double)
    /// It is read as SBaGenX does, because of this.
    case dialect(String)
    case scaled(percent: Double)
    case mixWithoutFile
    /// The `SBAGEN_LOOPER` of the sound file is invalid.
    case badLooper
    /// The movement is a sine in spite of this.
    case motionAsSine(String)
    case motionWithoutEnvelope
    case roughCurve(String)
    case roughMixCourse
    case shiftAsSine
    /// SBaGenX takes a `waveNN` for an envelope.
    case waveOfTone

    /// The part of a voice at which reading failed.
    package enum VoicePart: Equatable, Sendable {
        case start, carrier, sign, beat, pulse, orbit, distance, slash, amplitude, end
    }
}

extension SequenceFault {
    /// The words about it, unless a character or a unit is the cause.
    var usualWords: (found: String, advice: String?) {
        let quote = TextFault.quote
        return switch self {
        case .noLine(let text):
            (
                "found \(quote(text))",
                "expected a definition (`name: voices`), or a time (`22:00`, `NOW` or `+0:30`) and the name of a tone-set"
            )
        case .carriageReturns:
            ("the lines end with a carriage return (CR) alone", "save the file with the line ends of Linux (LF) or Windows (CR LF)")
        case .noVoiceLines: ("the sequence has no voices", "write a time and a voice, such as `0 200+10/20`")
        case .noTimes: ("the sequence has no times", "write when a tone-set starts, such as `NOW name`")
        case .lateOption: ("an option follows other lines", "put options above everything else")
        case .badName(let text):
            ("\(quote(text)) is not a valid name", "expected a letter, then letters, digits, `_` and `-`")
        case .surplus(let text, let after): ("found \(quote(text)) after \(after)", "expected the end of the line")
        case .tooManyLayers(let limit):
            ("the sequence needs more than \(limit) layers", "use fewer kinds of voices, waves and envelopes")
        case .tooManyLines(let limit): ("there are more than \(limit) lines with times", "blocks count each time they are used")

        case .unknownOption(let letter):
            (
                "unknown option \(quote("-\(letter)"))",
                "expected -S, -E, -T, -L, -F, -q, -c, -m, -i, -p, -V, -w, -I, -H, -A, or another of SBaGen's"
            )
        case .optionWithoutValue(let letter, let expected): ("\(quote("-\(letter)")) has no value", "expected \(expected)")
        case .badOptionValue(let letter, let text, let expected):
            ("\(quote("-\(letter)")) is followed by \(quote(text))", "expected \(expected)")
        case .generatedKind(let text):
            (
                text.map { "found \(quote($0)) after `-p`" } ?? "nothing follows `-p`",
                "expected a session: drop, slide, sigmoid or curve, such as `drop 00ds+` or `slide 200+10/1`"
            )
        case .generatedCourse(let text, let kind):
            (
                text.map { "found \(quote($0))" } ?? "nothing follows `\(kind)`",
                kind == .curve
                    ? "expected a file of formulas, then level and depth as in a drop, and values of parameters, such as `night.sbgf 05ds+/20:l=0.2`"
                    : kind != .slide
                        ? "expected two digits for the carrier and a letter from a to l for the beat, then `s` or `k`, `+`, `^` and `/` with an amplitude up to 100 if needed, such as `00ds+^/2`; in SBaGenX's dialect also a sign, `N`, a fraction, `@` or `M`, and `:S=`, or `:l=` and `:h=` of a sigmoid"
                        : "expected a tone, such as `200+10/1`"
            )
        case .formulas(let name, nil):
            ("the formulas \(quote(name)) cannot be read", "put the file into the folder of the sequence, or correct its name")
        case .formulas(let name, .some(let reason)): ("\(quote(name)): \(reason)", nil)
        case .generatedLength(let text, let isDrop):
            (
                "found \(quote(text))",
                isDrop
                    ? "expected the minutes of the drop, of the time at its end and of the return, such as `t30,30,3`, at most 23 hours in all"
                    : "expected minutes, such as `t60`, at most 23 hours"
            )
        case .flatSigmoid:
            ("the curve does not lead from one beat to the other", "expected a larger `:l=`, or an `:h=` within the minutes of the drop")
        case .immediateAndTimes(let option):
            ("a time follows `\(option)`", "`\(option)` plays only what is on its line: remove it, or the times")
        case .emptySpan: ("it ends (`-E`) where it starts", "add a later time, or remove `-E`")

        case .definitionWithoutVoices(let name):
            ("\(quote(name)) has no voices", "expected some, such as `200+10/20 pink/30`; `-` is silence")
        case .tooManyVoices(let count, let limit): ("the tone-set has \(count) voices", "expected at most \(limit)")
        case .badVoice(let text, let part): (part.found(text), part.advice)
        case .undefinedWave(let number):
            ("no wave with that number is defined above", "define it, such as `\(Self.waveName(number)): 0 1 0 -1`")
        case .badWave(let text): ("found \(quote(text))", "expected a number: one sample of the wave")
        case .waveTooShort(let count): ("the wave has \(count == 1 ? "one sample" : "no samples")", "expected at least two")
        case .badShape(let text, let expected): ("found \(quote(text))", "expected \(expected)")
        case .shapeLength(let count, let range):
            (
                "found \(count == 1 ? "one number" : "\(count) numbers")",
                range.lowerBound == range.upperBound
                    ? "expected \(range.lowerBound)" : "expected \(range.lowerBound) to \(range.upperBound)"
            )
        case .undefinedShape(let name):
            (
                "\(quote(name)) is not defined above",
                "define it, such as `\(name): \(name.hasPrefix("noise") ? "12 10 8 …`, with 32 levels in dB" : "0 1 0.5`")"
            )
        case .wrongPrefix(let prefix, let voice):
            ("\(quote(prefix)) stands before \(quote(voice))", "this voice does not take it: remove it")
        case .effectWithoutMix: ("the tone-set has an effect on the sound file, but no `mix`", "add its level, such as `mix/60`")
        case .severalModulations: ("the tone-set has more than one `mixam`", "keep one of them")
        case .waveTooLong(let limit): ("the wave has more than \(limit) samples", "expected fewer")

        case .blockNotClosed(let name): ("the block \(quote(name)) is not closed", "close it with a line that contains only `}`")
        case .strayBrace: ("`}` does not close any block", "a block starts with `name: {`")
        case .emptyBlock(let name): ("the block \(quote(name)) is empty", "expected lines such as `+0:10 name`")
        case .blockLineWithoutPlus(let text):
            ("found \(quote(text)) in a block", "expected a time relative to where the block is called, such as `+0:10`")
        case .blockInsideBlock: ("there is a definition inside a block", "close the block first; blocks can call each other by name")
        case .arrowBehindBlock(let name):
            ("`->` follows the block \(quote(name))", "only tone-sets slide: put `->` after the last one in the block")

        case .blockAmongVoices(let name): ("\(quote(name)) is a block", "call it in a line of its own, with a time")

        case .badTime(let text):
            ("\(quote(text)) is not a time", "expected h:mm or h:mm:ss up to 24:00, `NOW`, or a relative time such as `+0:30`")
        case .halfDay(let text, let meant):
            ("found \(quote(text)) behind a time", "the day has 24 hours: write " + (meant.map { "`\($0)`" } ?? "h:mm from 0:00 to 24:00"))
        case .badOffset(let text):
            (
                "\(quote(text)) is not a time",
                "expected whole seconds from the start, such as `90` or `90s`, minutes (`1.5m`) or hours (`1h`), below 24 hours"
            )
        case .earlierOffset(let text): ("\(quote(text)) is not later than the line above", "write the lines in order of their times")
        case .lineWithoutVoice: ("the time has no voice", "expected one behind it, such as `200+10/20`")
        case .nothingToAddTo: ("a relative time needs a time above it", "start with `NOW` or a time of day")
        case .lineWithoutName: ("the time has no tone-set", "expected the name of one after it")
        case .unknownName(let name, let near):
            (
                "\(quote(name)) is not defined above",
                near.map { "did you mean \(quote($0))?" } ?? "define it first, such as `\(name): 200+10/20`"
            )
        case .beyondDay: ("the times are out of order", "expected each line later than the one before, within 24 hours")

        case .otherProgram(let name): (name, "it is not part of SBaGen's format, and is not played")

        case .otherDialect(let what): ("found \(what)", "only SBaGenX reads this: leave out `--dialect sbagen`")

        case .optionWithoutEffect(let letter, let reason): ("\(quote("-\(letter)")) has no effect", reason)
        case .madeForHeadphones:
            ("`-c` compensates for one model of headphones", "remove it unless that is yours")
        case .loudBell(let percent):
            ("the bell has an amplitude of \(NumberText.string(from: percent)) %", "it is struck at 100 %")
        case .dialect(let what):
            ("\(what) is SBaGenX's", "the whole file is read as SBaGenX does, which plays time lines and sessions differently from SBaGen")
        case .scaled(let percent):
            (
                "the voices together reach \(NumberText.string(from: (percent * 10).rounded() / 10)) %",
                "all of them are played softer, to stay at 100 %"
            )
        case .waveOfTone:
            (
                "`waveNN` is the wave of a tone, as in SBaGen",
                "in SBaGenX it is an envelope of sines at the rate of the beat, such as `custom00: 0 1 0.5` draws here"
            )
        case .shiftAsSine: ("a waveform before `noisebeat` or `mixbeat`", "it is shifted by sines")
        case .roughCurve(let name):
            ("the formulas in \(quote(name)) move too fast, or are too long", "straight lines cannot follow them everywhere")
        case .roughMixCourse: ("the dips of `-A` are too narrow, or too many", "straight lines cannot follow them everywhere")
        case .badLooper:
            (
                "the tag `SBAGEN_LOOPER` of the sound file is invalid",
                "it is ignored, and the file is repeated as a whole; it should be like `s4-12 f0.2 c2`"
            )
        case .motionAsSine(let what): (what, "the movement is a sine")
        case .motionWithoutEnvelope: ("an envelope before `mixspin`", "it has no effect: the movement keeps its width, and is a sine")
        case .mixWithoutFile:
            (
                "`mix` has no sound file and is silent",
                "in an `.sbg` file, name one above everything else, such as `-m rain.flac`; an `.sbxseq` file has none"
            )
        }
    }

    static func waveName(_ number: Int) -> String { number % 100 < 10 ? "wave0\(number % 10)" : "wave\(number % 100)" }
}

extension SequenceFault.VoicePart {
    fileprivate func found(_ text: String) -> String {
        text.isEmpty ? "the voice ends here" : "found \(TextFault.quote(text))"
    }

    fileprivate var advice: String {
        switch self {
        case .start:
            "expected a voice: `-`, `200+10/20`, `200/20`, `pink/30`, `mix/50`, `bell+400/20`, `spin:300+4/30` or `wave00:200+10/20`"
        case .carrier: "expected a number, such as the 200 of `200+10/20`"
        case .sign: "expected + or -, and a frequency in Hz, such as the +10 of `200+10/20`"
        case .beat: "expected a frequency in Hz, such as the 10 of `200+10/20`"
        case .pulse: "expected + or @, and pulses per second, such as the +8 of `orbitbeat:200+8-0.1/20`"
        case .orbit: "expected + or -, and turns per second, such as the -0.1 of `orbitbeat:200+8-0.1/20`"
        case .distance: "expected a distance from 0.25 to 10, such as the 2 of `orbitbeat:200+8-0.1/20:d=2`"
        case .slash: "expected `/` and an amplitude in percent, such as `200+10/20`"
        case .amplitude: "expected an amplitude from 0 to 100, in percent"
        case .end: "expected a space before the next voice"
        }
    }
}
