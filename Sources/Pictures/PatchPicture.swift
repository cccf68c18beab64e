import Patches

/// A picture of a patch over time: pitches on a scale of notes, beats among the bands named after brain waves, levels in dBFS, and the
/// chapters across all of them. Lines of softer layers are fainter.
///
/// The same patch gives the same bytes (on machines with the same fonts).
package struct PatchPicture {
    private let patch: Patch
    private let facts: [String]
    private let palette: Palette
    private let width: Double
    private let height: Double
    let time: TimeAxis
    let layers: [LayerCurves]

    /// - Parameters:
    ///   - facts: Texts under the title, after the length.
    ///   - size: Size of the page in points; with `nil` the height fits the patch.
    package init(_ patch: Patch, facts: [String] = [], size: (width: Double, height: Double)? = nil, isDark: Bool = false) {
        let palette = isDark ? Palette.dark : .light
        width = size?.width ?? 1200
        let time = TimeAxis(patch, from: 92, to: width - 176)
        let layers = patch.layers.indices.map { LayerCurves(patch, layer: $0, time: time, palette: palette) }
        (self.patch, self.facts, self.palette, self.time, self.layers) = (patch, facts, palette, time, layers)
        let parts = Self.parts(layers)
        height = size?.height ?? (210 + parts.reduce(0) { $0 + $1.share } * 78).rounded()
    }

    /// - Parameter pixels: Pixels per point of a PNG.
    package func bytes(_ format: PictureFormat, pixels: Double = 2) throws(PictureError) -> [UInt8] {
        let canvas = page(format, pixels: pixels)
        draw(on: canvas)
        return try canvas.finish()
    }

    /// An empty page.
    func page(_ format: PictureFormat, pixels: Double = 2) -> Canvas {
        Canvas(width: width, height: height, format: format, paper: palette.paper, pixels: pixels)
    }

    /// - Returns: The panels with their places.
    @discardableResult
    func draw(on canvas: Canvas) -> [Panel] {
        let header = PictureHeader(patch, facts, palette, time)
        let top = header.draw(on: canvas)
        let bottom = height - 40
        let panels = panels(from: top + 26, to: bottom)
        for (part, panel) in zip(Self.parts(layers), panels) {
            PanelScale(part, panel, palette, time).draw(on: canvas)
        }
        header.drawChapterLines(on: canvas, through: panels.map(\.area))
        for panel in panels { panel.draw(on: canvas, time, palette) }
        header.drawTimes(on: canvas, under: panels.last?.area.bottom ?? bottom)
        return panels
    }

    // MARK: Panels

    /// The subject of a panel, and its share of the height.
    enum Part: Equatable {
        case pitch, beat, level
        case other(Parameter)

        var share: Double {
            switch self {
            case .pitch: 3
            case .beat: 2.6
            case .level: 2.2
            case .other: 1.1
            }
        }
    }

    /// The most panels of other parameters; more would leave no room for the rest.
    private static let otherLimit = 4

    private static func parts(_ layers: [LayerCurves]) -> [Part] {
        var parts: [Part] = []
        if layers.contains(where: { $0.carrier != nil }) { parts.append(.pitch) }
        if layers.contains(where: { !$0.beats.isEmpty }) { parts.append(.beat) }
        parts.append(.level)
        var others: [Parameter] = []
        for moved in layers.flatMap(\.others).map(\.description.parameter) where !others.contains(moved) { others.append(moved) }
        return parts + others.prefix(otherLimit).map { .other($0) }
    }

    private func panels(from top: Double, to bottom: Double) -> [Panel] {
        let parts = Self.parts(layers)
        let gap = 26.0
        let room = bottom - top - gap * Double(parts.count - 1)
        let whole = parts.reduce(0) { $0 + $1.share }
        var panels: [Panel] = []
        var y = top
        for part in parts {
            let area = Area(left: time.left, top: y, right: time.right, bottom: y + room * part.share / whole)
            panels.append(panel(part, area))
            y = area.bottom + gap
        }
        return panels
    }

    private func panel(_ part: Part, _ area: Area) -> Panel {
        switch part {
        case .pitch: pitchPanel(area)
        case .beat: beatPanel(area)
        case .level: levelPanel(area)
        case .other(let parameter): otherPanel(parameter, area)
        }
    }

    private func strength(_ layer: LayerCurves) -> (Double) -> Double {
        let loudest = loudest
        return { layer.strength(at: $0, loudest: loudest) }
    }

    /// Level in dBFS of the loudest tone, without fades.
    private var loudest: Double {
        let tones = layers.filter(\.isTone)
        return tones.flatMap { [$0.gain.base] + $0.gain.moves.map(\.target) }.max() ?? 0
    }

    private func pitchPanel(_ area: Area) -> Panel {
        let tones = layers.filter { $0.carrier != nil }
        let ranges = tones.compactMap {
            $0.ears.flatMap { ears in
                ears.low.range.flatMap { low in ears.high.range.map { low.lowerBound...$0.upperBound } }
            } ?? $0.carrier?.range
        }
        let range = (ranges.map(\.lowerBound).min() ?? 200)...(ranges.map(\.upperBound).max() ?? 200)
        let grid = NoteGrid(around: range, height: area.height)
        var panel = Panel(title: "Pitch", area: area, axis: .pitch(grid.range, in: area), words: { $0.text(decimals: 1) + " Hz" })
        panel.lines = tones.map {
            .init(
                name: $0.name, ink: $0.ink, curve: $0.carrier!, automation: $0.carrierAutomation!, band: $0.ears,
                bell: $0.bell, strength: strength($0))
        }
        return panel
    }

    private func beatPanel(_ area: Area) -> Panel {
        let lines = layers.flatMap { layer in
            layer.beats.map {
                Panel.Line(
                    name: layer.beats.count > 1 ? "\(layer.name) \($0.parameter.titleOfRate)" : layer.name, ink: layer.ink, curve: $0.curve,
                    automation: $0.automation, strength: strength(layer))
            }
        }
        return Panel(
            title: beatTitle, area: area,
            axis: .beat(Self.beatRange(lines), in: area),
            words: { $0.text(decimals: 2) + " Hz" }, lines: lines)
    }

    /// The title of the panel of beats, pulses and rotations.
    var beatTitle: String {
        let hasBeats = layers.contains { !$0.isSpin && $0.beats.contains { $0.parameter == .beat } }
        let hasPulses = layers.contains { $0.beats.contains { [.pulseRate, .amRate].contains($0.parameter) } }
        let hasSpins = layers.contains { $0.isSpin || $0.beats.contains { [.spinRate, .orbitRate].contains($0.parameter) } }
        let names = [hasBeats ? "beats" : "", hasPulses ? "pulses" : "", hasSpins ? "rotations" : ""].filter { !$0.isEmpty }
        if names == ["beats"] { return "Beat" }
        let list = names.count > 2 ? "\(names[0]), \(names[1]) and \(names[2])" : names.joined(separator: " and ")
        return list.prefix(1).uppercased() + list.dropFirst()
    }

    /// At least 0 to 45 Hz, so that most pictures can be compared. Beats of the other sign get the room that they need.
    private static func beatRange(_ lines: [Panel.Line]) -> ClosedRange<Double> {
        let values = lines.compactMap(\.curve.range).flatMap { [$0.lowerBound, $0.upperBound] }
        let (least, most) = (values.min() ?? 0, values.max() ?? 0)
        return (least < 0 ? min(most > 0 ? -4 : -45, least * 1.1) : 0)...(most > 0 || least >= 0 ? max(45, most * 1.1) : 4)
    }

    /// dBFS at the bottom of the panel of levels; softer levels are not shown.
    static let floor = -72.0

    private func levelPanel(_ area: Area) -> Panel {
        Panel(
            title: "Level", area: area, axis: .linear(Self.floor...0, in: area),
            words: { $0 <= Parameter.off ? "off" : "\($0.text(decimals: 1)) dB" },
            lines: layers.map {
                .init(
                    name: $0.nameOfLevel, ink: $0.ink, curve: $0.level, automation: $0.gain, filling: $0.area, bell: $0.bell,
                    isRinging: $0.bell != nil)
            }, isLevel: true)
    }

    private func otherPanel(_ parameter: Parameter, _ area: Area) -> Panel {
        let moved = layers.compactMap { layer in layer.others.first { $0.description.parameter == parameter }.map { (layer, $0) } }
        let unit =
            switch moved[0].1.description.unit {
            case .ratio: ""
            case .degrees: "°"
            case .microseconds: " µs"
            case .hertz, .decibels, .seconds: " \(moved[0].1.description.unit.rawValue)"
            }
        let values = moved.compactMap { $0.1.curve.range }
        let range = (values.map(\.lowerBound).min() ?? 0)...(values.map(\.upperBound).max() ?? 1)
        let margin = max((range.upperBound - range.lowerBound) * 0.15, 1e-3)
        return Panel(
            title: parameter.title, area: area,
            axis: .linear(range.lowerBound - margin...range.upperBound + margin, in: area),
            words: { $0.text(decimals: 2) + unit },
            lines: moved.map { .init(name: $0.0.name, ink: $0.0.ink, curve: $0.1.curve, automation: $0.1.automation) })
    }
}

extension Parameter {
    /// The title of its panel: "Spin depth".
    var title: String {
        let words = rawValue.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
        return words.hasPrefix("am ") ? "AM" + words.dropFirst(2) : words.prefix(1).uppercased() + words.dropFirst()
    }

    /// The name of a line in Hz beside others of its layer.
    fileprivate var titleOfRate: String {
        switch self {
        case .pulseRate: "pulses"
        case .amRate: "AM"
        case .spinRate: "spin"
        case .orbitRate: "orbit"
        default: rawValue
        }
    }
}
