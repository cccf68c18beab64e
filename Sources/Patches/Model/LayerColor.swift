/// The colours that distinguish layers in pictures and in the terminal, as 0xRRGGBB of sRGB.
package enum LayerColor {
    /// Layers by their index, on a light ground; the first eight also suit red-green colour blindness (after Okabe and Ito, 2008).
    package static let onLight: [UInt32] = [
        0x0072B2, 0xC7520A, 0x00875F, 0xB8548F, 0x6B4BA1, 0x9A7400, 0x2A93C9, 0x6E6259, 0x5C7A1F, 0xA32A44,
    ]
    /// The same on a dark ground.
    package static let onDark: [UInt32] = [
        0x4FB3F0, 0xF2914A, 0x35C793, 0xE48CC2, 0xAF94EA, 0xE3BC3F, 0x8FD3F4, 0xC2B5A8, 0xA9CC5E, 0xF0798E,
    ]
}
