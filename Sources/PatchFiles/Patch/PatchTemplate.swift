import Patches

extension Patch {
    /// The patch as YAML text with comments that explain it, for somebody who writes a patch of their own from it.
    ///
    /// - Parameter file: the name of the file that it will be, for the commands in the comments; `documentation` is where they refer to.
    package func template(file: String, documentation: String) -> String {
        var lines = [
            "# A patch for binaural. Edit it while it plays: whenever it is saved, it is read again.",
            "#   binaural play \(file)",
            "#   binaural check \(file)",
            "# \(documentation) describes everything that can be written here.", "",
        ]
        var section = ""
        var layers = self.layers[...]
        for line in yaml.split(separator: "\n").map(String.init) {
            if let key = Self.key(line) {
                section = key
                if key == "layers" { lines += missing }
                if let comment = Self.comments[key] { lines.append("# \(comment)") }
            } else if section == "layers", line.hasPrefix("  - "), let layer = layers.popFirst() {
                lines += layer.kind.templateComment.map { "  # \($0)" }
            }
            lines.append(line)
        }
        if chapters.isEmpty {
            lines += ["# chapters:", "#   - {at: 5:00, title: Deeper, over: 2:00, set: {\(self.layers[0].name).gain: -30}}"]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Keys that the patch does not have, to be uncommented.
    private var missing: [String] {
        var lines: [String] = []
        if details.title.isEmpty { lines.append("# title: My patch    # default: the name of the file") }
        if duration == nil { lines.append("# duration: 30:00    # without it, the patch never ends") }
        if fade == nil { lines.append("# fade: {in: 5, out: {over: 10, ease: sineInOut}}") }
        return lines
    }

    /// The key of a line at the top level of the text.
    private static func key(_ line: String) -> String? {
        guard let first = line.first, first.isLetter, let colon = line.firstIndex(of: ":") else { return nil }
        return String(line[..<colon])
    }

    private static let comments = [
        "duration": "Seconds, m:ss or h:mm:ss. Without a duration, the patch never ends.",
        "loop": "At its end it starts again.",
        "clock": "The time of day of its start.",
        "fade": "The whole sound fades in at the start and out at the end.",
        "gains": "Gains move evenly in dB (decibels) or in amplitude.",
        "layers":
            "Layers sound together. A gain is in dB, -120 is off. The ranges, with the defaults in parentheses, are above each layer.",
        "chapters": "Places to go to. Each moves the values in `set` in the time `over`, along the curve `ease`.",
        "cues": "Moves between chapters.",
    ]
}

extension LayerKind {
    /// The parameters with their ranges, units and defaults.
    fileprivate var templateComment: [String] {
        var lines = [rawValue + ":"]
        for description in parameters {
            let unit = description.unit.rawValue.isEmpty ? "" : " " + description.unit.rawValue
            let range =
                "\(NumberText.string(from: description.range.lowerBound)) to \(NumberText.string(from: description.range.upperBound))"
            let word = " \(description.parameter.rawValue) \(range)\(unit) (\(NumberText.string(from: description.defaultValue)))"
            let isLast = description == parameters.last
            if lines[lines.count - 1].count + word.count > 100 { lines.append(" ") }
            lines[lines.count - 1] += word + (isLast ? "" : ",")
        }
        return lines
    }
}

extension Patch {
    /// The patch that a new one starts from: a binaural tone over rain.
    package static var starting: Patch {
        var patch = Patch(
            duration: 600, fade: Fade(in: 5, easeIn: .sineInOut, out: 10, easeOut: .sineInOut),
            layers: [
                Layer(name: "bed", kind: .binaural, values: [.carrier: 200, .beat: 10, .gain: -22]),
                Layer(name: "rain", kind: .noise, values: [.gain: -36], color: .pink),
            ])
        patch.chapters = [
            Chapter(start: 0, title: "Settle"),
            Chapter(
                start: 120, title: "Deeper", over: 180, ease: .sineInOut,
                settings: [Setting(layer: 0, parameter: .beat, value: 6), Setting(layer: 1, parameter: .gain, value: -30)]),
        ]
        return patch
    }
}
