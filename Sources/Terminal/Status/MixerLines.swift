import Foundation
import Patches

/// The lines of the master and the layers: a mark at the selected one, number and name, level, mute and solo, and the parameters.
struct MixerLines {
    private let mixer: TerminalMixer
    private let selected: Int?
    private let shown: Range<Int>
    private let width: Int
    private let style: StatusLines.Style
    /// Columns of the names; 0 in a window that has room only for numbers.
    private let nameWidth: Int
    private let layers: [TerminalMixer.Layer]

    init(_ mixer: TerminalMixer, selected: Int?, shown: Range<Int>, width: Int, style: StatusLines.Style) {
        (self.mixer, self.selected, self.shown, self.width, self.style) = (mixer, selected, shown, width, style)
        layers = shown.map { mixer.layer($0) }
        let names = zip(shown, layers).map { DisplayWidth.columns(of: Self.label($0, $1, style)) }
        nameWidth = width < Self.narrow ? 0 : min((names + [Self.master.count]).max() ?? 0, max(Self.master.count, width / 3))
    }

    private static let master = "master"
    /// The width below which there are only numbers, and the one from which there are bars.
    private static let (narrow, wide) = (24, 70)

    var master: StatusLines.Line {
        var notes: [String] = []
        if shown.count < mixer.layerCount { notes = mixer.layerSummary }
        if shown.count < mixer.layerCount, !shown.isEmpty {
            notes.insert("layers \(shown.lowerBound + 1)-\(shown.upperBound) of \(mixer.layerCount)", at: 0)
        }
        if mixer.highestGain < 0 { notes.insert("at most \(NumberText.string(from: mixer.highestGain)) dB", at: 0) }
        return row(
            isSelected: selected == nil, label: width < Self.narrow ? "0" : Self.master, gain: mixer.gain, isMuted: mixer.isMuted,
            isSoloed: false,
            isSilent: mixer.isMuted, notes: notes)
    }

    func layer(_ index: Int) -> StatusLines.Line {
        let layer = layers[index - shown.lowerBound]
        return row(
            of: index, isSelected: selected == index, label: width < Self.narrow ? "\(index + 1)" : Self.label(index, layer, style),
            gain: layer.gain,
            isMuted: mixer.mutedLayers.contains(index), isSoloed: mixer.soloedLayers.contains(index),
            isSilent: mixer.isMuted || mixer.mutedLayers.contains(index) || mixer.isSilencedBySolo(index),
            notes: [layer.isEdited ? "edited" : "", StatusLines.text(layer.kind, style: style)] + layer.parameters(style))
    }

    private static func label(_ index: Int, _ layer: TerminalMixer.Layer, _ style: StatusLines.Style) -> String {
        "\(index + 1) \(StatusLines.text(layer.name, style: style))"
    }

    /// - Parameter index: that of the layer; `nil` for the master.
    private func row(
        of index: Int? = nil, isSelected: Bool, label: String, gain: Double, isMuted: Bool, isSoloed: Bool, isSilent: Bool, notes: [String]
    ) -> StatusLines.Line {
        let mark = isSelected ? (style.isUnicode ? "▸" : ">") : " "
        let flags = (isMuted: isMuted, isSoloed: isSoloed)
        guard width >= Self.narrow else {
            let letters = (flags.isMuted ? "M" : "") + (flags.isSoloed ? "S" : "")
            let text = mark + label + " " + Self.level(gain) + (letters.isEmpty ? "" : " " + letters)
            return StatusLines.line(text, look(isSelected, isMuted, isSilent), width: width, style: style)
        }
        let name = DisplayWidth.fitted(label, columns: nameWidth, ellipsis: StatusLines.ellipsis(style))
        let padding = String(repeating: " ", count: max(0, nameWidth - DisplayWidth.columns(of: name)))
        let level = Self.level(gain)
        var head = "\(mark) \(name)\(padding) " + String(repeating: " ", count: max(0, 6 - level.count)) + level + " dB"
        if gain <= Parameter.off { head = String(head.dropLast(2)) + "  " }
        let words = flags.isMuted && flags.isSoloed ? "mute+solo" : flags.isMuted ? "muted" : flags.isSoloed ? "solo" : ""
        let bar = width >= Self.wide ? LevelBar.text(isSilent ? Parameter.off : gain, width: 12, layer: index, style: style) : nil
        var tail = words.isEmpty ? notes : [words] + notes
        tail = tail.filter { !$0.isEmpty }
        let rest = tail.isEmpty ? "" : "  " + tail.joined(separator: StatusLines.separator(style))
        let first = StatusLines.line(head + (bar == nil ? "" : "  "), look(isSelected, isMuted, isSilent), width: width, style: style)
        let last = StatusLines.line(
            rest, words.isEmpty ? .dim : look(isSelected, isMuted, isSilent), width: width - first.columns - (bar?.columns ?? 0),
            style: style)
        return StatusLines.Line(
            text: first.text + (bar?.text ?? "") + last.text, columns: first.columns + (bar?.columns ?? 0) + last.columns)
    }

    private func look(_ isSelected: Bool, _ isMuted: Bool, _ isSilent: Bool) -> StatusLines.Look {
        isMuted ? .alarm : isSelected ? .strong : isSilent ? .dim : .plain
    }

    /// A level in dB, or `off`.
    static func level(_ decibels: Double) -> String { decibels <= Parameter.off ? "off" : String(format: "%.1f", decibels) }
}

extension TerminalMixer {
    /// The master level if it is not 0 dB, and what is muted or soloed.
    var summary: [String] {
        let level = gain == 0 ? [] : ["master \(MixerLines.level(gain))" + (gain > Parameter.off ? " dB" : "")]
        return level + (isMuted ? ["master muted"] : []) + layerSummary
    }

    /// The master level, and what is muted or soloed, as a part of a line.
    package var levels: String {
        (["master " + Self.words(gain)] + (isMuted ? ["master muted"] : []) + layerSummary).joined(separator: ", ")
    }

    fileprivate static func words(_ gain: Double) -> String { MixerLines.level(gain) + (gain > Parameter.off ? " dB" : "") }

    /// A layer as it is called in a line of text; `nil` is the master.
    fileprivate func name(ofLayer index: Int?) -> String {
        guard let index else { return "master" }
        let name = layer(index).name
        return "layer \(index + 1)" + (name.isEmpty ? "" : " (\(name))")
    }

    /// The number of the first chapter with as many digits as that of the last one.
    var firstChapter: String { String(repeating: "0", count: String(chapterCount).count - 1) + "1" }

    /// The numbers of the layers that are muted or soloed.
    var layerSummary: [String] {
        [("muted", mutedLayers), ("solo", soloedLayers)].compactMap { word, layers in
            layers.isEmpty ? nil : "\(word) " + layers.sorted().map { "\($0 + 1)" }.joined(separator: ", ")
        }
    }
}

extension TerminalMixer.Layer {
    /// The parameters other than the level, in the order of the layer's kind.
    func parameters(_ style: StatusLines.Style) -> [String] {
        let known = LayerKind(rawValue: kind)?.possibleParameters ?? []
        return known.filter { $0.parameter != .gain }.compactMap { description in
            values[description.parameter].map { value in
                "\(description.parameter.rawValue) \(NumberText.string(from: (value * 1000).rounded() / 1000))"
                    + Self.suffix(description.unit, style)
            }
        }
    }

    private static func suffix(_ unit: Patches.Unit, _ style: StatusLines.Style) -> String {
        switch unit {
        case .ratio: ""
        case .degrees: style.isUnicode ? "°" : " deg"
        case .microseconds: style.isUnicode ? " µs" : " us"
        case .hertz, .decibels, .seconds: " " + unit.rawValue
        }
    }
}

extension KeyAction {
    /// A line about the change made by a key; `nil` if another line shows it.
    ///
    /// - Parameter selection: after the key.
    package func line(_ mixer: TerminalMixer, _ selection: KeySelection) -> String? {
        switch self {
        case .level(let layer?, let gain): "\(mixer.name(ofLayer: layer)): \(TerminalMixer.words(gain))"
        case .awaitChapter: "Chapter: type its number, as in \(mixer.firstChapter) of \(mixer.chapterCount)."
        case .redraw: "Selected: \(mixer.name(ofLayer: selection.layer(of: mixer)))"
        default: nil
        }
    }
}
