import Patches

/// The levels, mutes and solos that the terminal shows and its keys change.
package struct TerminalMixer: Sendable {
    /// The master level in dB; -120 is off.
    package var gain = 0.0
    package var isMuted = false
    /// The highest master level in dB.
    package var highestGain = 0.0
    /// Seconds until the sleep timer ends; `nil` if it is off.
    package var timeToSleep: Double?
    package var layerCount = 0
    /// The number of chapters of the current item.
    package var chapterCount = 0
    /// Indexes of layers, from 0.
    package var mutedLayers: Set<Int> = []
    package var soloedLayers: Set<Int> = []
    /// Returns a layer by its index below ``layerCount``; only layers that are shown or changed are asked for.
    package var layer: @Sendable (Int) -> Layer = { _ in Layer() }

    package init() {}

    /// A layer of the current item.
    package struct Layer: Equatable, Sendable {
        package var name = ""
        /// Its kind as in files, such as `binaural`.
        package var kind = ""
        /// Whether a listener has changed it.
        package var isEdited = false
        /// Values in the parameter's unit.
        package var values: [Parameter: Double] = [:]

        package init() {}

        /// The level in dB; -120 is off.
        package var gain: Double { values[.gain] ?? Parameter.off }
    }

    /// Whether a layer is silent because others are soloed.
    func isSilencedBySolo(_ layer: Int) -> Bool { !soloedLayers.isEmpty && !soloedLayers.contains(layer) }
}
