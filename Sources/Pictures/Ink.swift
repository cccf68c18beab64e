import Patches

/// A colour: red, green and blue of sRGB, and its opacity, each 0...1.
struct Ink: Equatable {
    var red: Double
    var green: Double
    var blue: Double
    var cover = 1.0

    init(_ code: UInt32) {
        red = Double(code >> 16 & 0xFF) / 255
        green = Double(code >> 8 & 0xFF) / 255
        blue = Double(code & 0xFF) / 255
    }

    func covering(_ part: Double) -> Ink {
        var ink = self
        ink.cover = part
        return ink
    }
}

/// The colours of a picture.
struct Palette {
    let paper: Ink
    let panel: Ink
    /// Background of every other beat band.
    let band: Ink
    let rule: Ink
    let text: Ink
    let softText: Ink
    private let layers: [Ink]
    private let noises: [String: Ink]

    /// The colour of a layer by its index.
    func ink(ofLayer index: Int) -> Ink { layers[index % layers.count] }

    /// The colour of a noise.
    func ink(of spectrum: NoiseSpectrum) -> Ink {
        noises[spectrum.nearestColor.rawValue] ?? softText
    }

    static let light = Palette(
        paper: Ink(0xFCFBF8), panel: Ink(0xFFFFFF), band: Ink(0xF3F2EE), rule: Ink(0xDEDCD5), text: Ink(0x2B2A28), softText: Ink(0x7C7A74),
        layers: LayerColor.onLight.map { Ink($0) },
        noises: ["white": Ink(0x9AA0A6), "pink": Ink(0xD9889B), "brown": Ink(0xA0744E), "blue": Ink(0x7FA3D1), "violet": Ink(0xA58BC9)])

    static let dark = Palette(
        paper: Ink(0x17181B), panel: Ink(0x1F2125), band: Ink(0x26282D), rule: Ink(0x3A3D43), text: Ink(0xECEAE5), softText: Ink(0x9B9A96),
        layers: LayerColor.onDark.map { Ink($0) },
        noises: ["white": Ink(0xB9BEC4), "pink": Ink(0xE7A3B3), "brown": Ink(0xC39A76), "blue": Ink(0x95B8E5), "violet": Ink(0xBBA3DD)])
}

extension NoiseSpectrum {
    /// The color whose slope is nearest to that of the spectrum.
    fileprivate var nearestColor: NoiseColor {
        switch self {
        case .color(let color): color
        case .slope(let slope): Self.color(ofSlope: slope)
        case .levels(let levels):
            // The slope of the straight line that fits best; the levels span the octaves from 20 Hz to 20 kHz.
            Self.color(ofSlope: Self.slope(of: levels) * Double(levels.count - 1) / 9.966)
        }
    }

    /// The slope of a line through equally spaced values, for each of them.
    private static func slope(of levels: [Double]) -> Double {
        let middle = Double(levels.count - 1) / 2
        let moment = levels.indices.reduce(0) { $0 + (Double($1) - middle) * levels[$1] }
        return moment / levels.indices.reduce(0) { $0 + (Double($1) - middle) * (Double($1) - middle) }
    }

    /// - Parameter slope: In dB per octave.
    private static func color(ofSlope slope: Double) -> NoiseColor {
        switch slope {
        case ..<(-4.5): .brown
        case ..<(-1.5): .pink
        case ..<1.5: .white
        case ..<4.5: .blue
        default: .violet
        }
    }
}
