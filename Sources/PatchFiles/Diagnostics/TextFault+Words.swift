import Patches

/// The only place that words these faults: what was found, and what was expected or what to do.
extension TextFault {
    package var words: (found: String, advice: String?) {
        switch self {
        case .tooLarge(let limit):
            ("the file has more than \(limit) bytes", "a patch or session of that size is likely another kind of file")
        case .foreign(let content, let file): ("this is \(content.noun)", content.advice(for: file))
        case .notUTF8(let byte): ("byte \(byte) is not UTF-8 text", "save the file as UTF-8")
        case .emptyFile(let expected): ("the file is empty", "expected \(expected)")
        case .cutShort: ("the file ends before its end mark: it was cut short", nil)
        case .newerFormat(let format, let supported):
            (
                "format \(NumberText.string(from: format)) is not known",
                "expected \(supported); a newer version of the program reads newer formats"
            )

        case .syntax(let problem, let context): ("not YAML: \(problem)" + (context.map { " (\($0))" } ?? ""), Self.syntaxAdvice(problem))
        case .tabIndent: ("the line is indented with a tab", "YAML is indented with spaces")
        case .misleadingCharacter(let scalar) where scalar.isTypographicDash:
            ("found \(Self.name(of: scalar)) in place of the dash of a list's item", "write a plain `-`")
        case .misleadingCharacter(let scalar):
            ("found an invisible character, \(Self.name(of: scalar))", "replace it by a plain space, or remove it")
        case .severalDocuments: ("a second document begins here", "a file holds one document: remove the line `---`")
        case .sharedNode:
            (
                "anchors (`&name`) and aliases (`*name`) are not supported",
                "write the value out where it is needed; quote text that begins with & or *"
            )
        case .tooDeep(let limit): ("lists or mappings are nested more than \(limit) deep", nil)

        case .unknownKey(let key, let owner, let expected):
            ("unknown key \(Self.quote(key)) in \(owner)", Self.oneOf(expected, meant: key))
        case .duplicateKey(let key, let line): ("key \(Self.quote(key)) appears twice, first on line \(line)", "remove one of them")
        case .missingKey(let key, let owner, let hint): ("\(owner) has no \(Self.quote(key))", hint)
        case .conflictingKeys(let a, let b, let owner):
            ("\(Self.quote(a)) and \(Self.quote(b)) in \(owner) exclude each other", "keep one of them")
        case .keyNotText(let found): ("found \(Self.words(for: found)) as a key", "expected a name; quote text that contains { or [")

        case .unexpected(let found, let expected):
            ("found \(Self.words(for: found))", "expected \(Self.words(for: expected))" + Self.suggestion(found, expected))
        case .notFinite(let text): ("found \(Self.quote(text))", "expected a finite number")
        case .outOfRange(let value, let range, let name, let unit):
            ("\(name) is \(Self.measure(value, unit))", "expected \(Self.range(range, unit))")
        case .wrongCount(let found, let expected, let noun): ("the number of \(noun) is \(found)", "expected \(expected)")
        case .unknownName(let name, let noun, let choices): ("unknown \(noun) \(Self.quote(name))", Self.oneOf(choices, meant: name))
        case .unknownEasing(let name):
            (
                "unknown easing \(Self.quote(name))",
                "expected linear, or In, Out or InOut of sine, quad, cubic, quart, quint, expo, circ, back, elastic or bounce, such as `sineInOut`"
                    + Self.guess(name, among: Easing.allCases.map(\.rawValue))
            )
        case .controlCharacter(let noun): ("\(noun) contains a control character", "remove it")
        case .tooLong(let noun, let count, let limit): ("\(noun) has \(count) bytes", "expected at most \(limit)")

        case .badLayerName(let name):
            ("\(Self.quote(name)) cannot name a layer", "expected 1 to 64 letters (a-z, A-Z), digits, `-` and `_`")
        case .bandOrder(let end, let previous):
            (
                "the end of a band is \(Self.measure(end, .hertz)), after \(Self.measure(previous, .hertz))",
                "write the ends from low to high, bands without overlaps"
            )
        case .layerKind(let found):
            found.isEmpty
                ? ("the layer has no kind", Self.oneOf(LayerKind.allCases.map(\.rawValue), meant: nil))
                : ("the layer has several kinds: \(found.map(Self.quote).joined(separator: ", "))", "expected one; write a layer for each")
        case .duplicateLayer(let name, let line):
            ("another layer is named \(Self.quote(name))" + (line.map { ", on line \($0)" } ?? ""), "give each layer a name of its own")
        case .badTarget(let text): ("found \(Self.quote(text))", "expected LAYER.PARAMETER, such as `bed.beat`")
        case .unknownParameter(let name, let layer, let kind, let choices):
            ("layer \(Self.quote(layer)) (\(kind)) has no \(Self.quote(name))", Self.oneOf(choices, meant: name))
        case .missingEffect(let name, let layer, let value):
            (
                "layer \(Self.quote(layer)) has no \(Self.quote(name)) that could move",
                "write where it begins in the layer, such as `\(name): \(NumberText.string(from: value))`"
            )
        case .noRate(let name, let layer, let rates):
            (
                "\(Self.quote(name)) is not a rate that can be followed",
                rates.isEmpty
                    ? "layer \(Self.quote(layer)) has no beat, pulseRate, amRate, spinRate or orbitRate"
                    : "layer \(Self.quote(layer)) has \(rates.map { "`\(layer).\($0)`" }.joined(separator: ", "))"
            )
        case .lockedRate(let name, let lock):
            ("\(Self.quote(name)) follows \(Self.quote(lock)) itself", "write \(Self.quote(lock)) here, too")
        case .circularRate(let name):
            ("\(Self.quote(name)) would follow itself", "give it a number, or the rate of a layer that has a number")
        case .followingRate(let name, let leader):
            ("\(Self.quote(name)) follows \(Self.quote(leader))", "set \(Self.quote(leader)), or give the layer a number")
        case .chapterOrder(let start, let previous):
            (
                "the chapter begins at \(DurationText.string(from: start)), the one before it at \(DurationText.string(from: previous))",
                "expected chapters in order of time, each later than the one before"
            )
        case .cueOrder(let start, let previous):
            (
                "the cue begins at \(DurationText.string(from: start)), the one before it at \(DurationText.string(from: previous))",
                "expected cues in order of time"
            )
        case .chapterBeyondEnd(let start, let duration):
            (
                "the chapter begins at \(DurationText.string(from: start)), the patch ends at \(DurationText.string(from: duration))",
                "expected an earlier time, or a longer duration"
            )
        case .fadesTooLong(let fades, let duration):
            (
                "fade in and out take \(DurationText.string(from: fades)), the patch lasts \(DurationText.string(from: duration))",
                "expected shorter fades, or a longer duration"
            )
        }
    }

    /// Text of a file quoted in a message: on one line, at most 60 characters, without control characters.
    package static func quote(_ text: String) -> String {
        let visible = String(
            String.UnicodeScalarView(text.unicodeScalars.prefix(60).map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
        return "`\(visible)\(text.unicodeScalars.count > 60 ? "…" : "")`"
    }

    private static func name(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return code + (scalar.properties.name.map { " (\($0.lowercased()))" } ?? "")
    }

    private static func words(for found: Found) -> String {
        switch found {
        case .nothing: "nothing"
        case .list: "a list"
        case .mapping: "a mapping"
        case .text(let text): quote(text)
        case .quoted(let text): "the quoted text \(quote(text))"
        }
    }

    private static func words(for expected: Expectation) -> String {
        switch expected {
        case .number(.ratio): "a number"
        case .number(let unit): "a number of \(unit.rawValue), without the unit"
        case .wholeNumber(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .duration: "a time: seconds, m:ss or h:mm:ss"
        case .day: "a day such as 2026-11-23"
        case .timeOfDay: "a time of day from 0:00 to 23:59:59: h:mm or h:mm:ss"
        case .note: "a note from C-1 to G9, such as A3, C#4, Bb2 or A3+14 with cents"
        case .truth: "true or false"
        case .text(let noun): noun
        case .list(let items): "a list of \(items)"
        case .mapping(let content): "a mapping of \(content)"
        }
    }

    private static func suggestion(_ found: Found, _ expected: Expectation) -> String {
        let meant: String? =
            switch (found, expected) {
            case (.text(let text), .number) where text.utf8.count <= 64: NumberText.suggestion(for: text)
            case (.quoted(let text), .number) where text.utf8.count <= 64:
                NumberText.parse(text) == nil ? NumberText.suggestion(for: text) : text
            case (.text(let text), .duration) where text.utf8.count <= 64: DurationText.suggestion(for: text)
            case (.text(let text), .timeOfDay) where text.utf8.count <= 64, (.quoted(let text), .timeOfDay) where text.utf8.count <= 64:
                TimeOfDayText.suggestion(for: text)
            default: nil
            }
        return meant.map { "; did you mean \(quote($0))?" } ?? ""
    }

    static func oneOf(_ choices: [String], meant word: String?) -> String {
        let list =
            choices.count > 1 ? choices.dropLast().joined(separator: ", ") + " or " + choices[choices.count - 1] : choices.first ?? "none"
        return "expected \(list)" + (word.map { guess($0, among: choices) } ?? "")
    }

    static func guess(_ word: String, among choices: [String]) -> String {
        closest(to: word, among: choices).map { "; did you mean \(quote($0))?" } ?? ""
    }

    private static func measure(_ value: Double, _ unit: Unit) -> String {
        let number = NumberText.string(from: value)
        return unit == .ratio ? number : "\(number) \(unit.rawValue)"
    }

    private static func range(_ range: ClosedRange<Double>, _ unit: Unit) -> String {
        let low = NumberText.string(from: range.lowerBound)
        return range.upperBound < .infinity ? "\(low) to \(measure(range.upperBound, unit))" : "at least \(measure(range.lowerBound, unit))"
    }

    /// Advice on the usual mistakes behind libyaml's commonest messages, which name the grammar rule that failed.
    private static func syntaxAdvice(_ problem: String) -> String? {
        if problem.contains("mapping values are not allowed") {
            return "quote text that contains a colon and a space, and check the indentation"
        }
        if problem.contains("could not find expected ':'") { return "put a colon and a space after a key" }
        if problem.contains("did not find expected ',' or") { return "a bracket or brace is not closed, or a comma is missing" }
        if problem.contains("did not find expected key") || problem.contains("did not find expected '-'") {
            return "check the indentation of this line"
        }
        if problem.contains("unexpected end of stream") { return "a quote is not closed" }
        if problem.contains("cannot start any token") { return "quote text that begins with this character" }
        return nil
    }
}
