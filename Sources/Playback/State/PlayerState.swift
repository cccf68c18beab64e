import Patches

/// The state that front ends show and a session saves.
package struct PlayerState: Equatable, Sendable {
    var queue = PlayQueue()
    package var playback = PlaybackState.stopped
    /// A position of the timeline and its moment.
    package var anchor = Anchor(position: 0, moment: Moment(frame: 0))
    /// Frames per second of positions and moments; kept while JACK is away.
    package var sampleRate = 48_000
    /// Whether JACK runs the callback.
    package var hasAudio = false

    /// The speed of the timeline that was requested; see ``rate``.
    package var chosenRate = 1.0
    package var heldSeek: HeldSeek?
    package var selectedLayer = 0
    /// The presets, in the order of their creation.
    package var presets: [Preset] = []
    package var soloedLayers: Set<Int> = []
    var mixer = Mixer()
    package internal(set) var hearing = HearingProtection()
    package var transportMode = TransportMode.none
    /// The tempo of JACK's transport in quarter notes a minute; `nil` until it is known.
    package internal(set) var tempo: Double?
    /// MIDI controllers and their addresses, in the order in which they were learnt; each address occurs once.
    package var controllers: [ControllerMapping] = []
    /// The address that the next moved controller will be mapped to; `nil` unless learning.
    package internal(set) var learning: String?

    package init() {}

    package struct Anchor: Equatable, Sendable {
        /// The position in frames from the start of the current item.
        package var position: Int64
        package var moment: Moment
    }
}

package enum PlaybackState: String, Sendable, CaseIterable {
    case playing, paused, stopped
    /// JACK went away or stalled during playing: the timeline stands still.
    case interrupted
}

extension PlayerState {
    package var current: QueueItem? { queue.current }

    package var patch: Patch? { current?.patch }

    /// The path of the current item's picture: the patch's artwork, otherwise the drawn one; empty without either.
    package var artwork: String {
        guard let current, let patch = current.patch else { return "" }
        return patch.details.artwork.isEmpty ? queue.drawnArtwork[current.id] ?? "" : patch.details.artwork
    }

    /// Speed of the timeline of the current item: frames of position per frame of sound.
    package var rate: Double { rate(ofItem: currentIndex) }

    package func rate(ofItem index: Int?) -> Double { index.flatMap { items[$0].patch }?.playableRate(chosenRate) ?? chosenRate }

    /// The tuning of the current item: its patch's own, or the session's.
    package var tuning: Tuning { Tuning(a4: patch?.tuning ?? a4) }

    package var layerCount: Int { patch?.layers.count ?? 0 }

    /// Whether something in the queue plays sound files.
    package var opensFiles: Bool { items.contains { $0.patch?.layers.contains { $0.kind == .file } ?? false } }

    /// The current item's length in frames; `nil` if it is endless or there is no item.
    package var length: Int64? {
        patch?.duration.map { Int64(($0 * Double(sampleRate)).rounded()) }
    }

    /// Position in the current item in frames, at most its length.
    package func position(at moment: Moment) -> Int64 {
        guard playback == .playing else { return anchor.position }
        let position = runningPosition(at: moment)
        return length.map { min(position, $0) } ?? position
    }

    /// Position while playing, in frames; beyond the end of the item if a followed transport rolls on.
    func runningPosition(at moment: Moment) -> Int64 {
        let passed = max(0, moment.frame - anchor.moment.frame)
        return anchor.position + (rate == 1 ? passed : Int64((Double(passed) * rate).rounded()))
    }

    /// Seconds from the start of the current item.
    package func elapsed(at moment: Moment) -> Double { Double(position(at: moment)) / Double(sampleRate) }

    package func frames(_ seconds: Double) -> Int64 { Moment.frames(seconds, sampleRate: sampleRate) }

    /// The index of the chapter at a moment; `nil` before the first one.
    package func chapterIndex(at moment: Moment) -> Int? {
        guard let patch else { return nil }
        let position = position(at: moment)
        return patch.chapters.lastIndex { frames($0.start) <= position }
    }

    /// Makes another item current, or none.
    mutating func setCurrent(_ index: Int?, at moment: Moment) {
        guard index != currentIndex else { return }
        endTouches(at: moment)
        currentIndex = index
        forgetLayers()
    }

    /// Forgets what belongs to the layers of another item.
    mutating func forgetLayers() {
        soloedLayers = []
        mixer.ramps.drop()
        if selectedLayer >= layerCount { selectedLayer = 0 }
    }

    package static let rateRange = 0.1...10.0

    /// The level in dB that the master has or is moving to.
    package var masterTarget: Double {
        hearing.isPending || isMasterMuted || isFading ? Parameter.off : masterGain
    }

    /// The waveform of a layer of the current item; `nil` if there is no such layer or it has none.
    package func wave(ofLayer layer: Int) -> Waveform? {
        guard let item = current, let patch = item.patch, patch.layers.indices.contains(layer), patch.layers[layer].hasWave else {
            return nil
        }
        return item.waves[layer].flatMap { patch.layers[layer].canHave($0) ? $0 : nil } ?? patch.layers[layer].wave
    }

    /// Whether a layer of the current item is audible, given mutes and solos.
    package func isAudible(layer: Int) -> Bool {
        guard let current, !current.mutedLayers.contains(layer) else { return false }
        return soloedLayers.isEmpty || soloedLayers.contains(layer)
    }
}

extension PlayerState {
    /// Maps a controller to an address, replacing the address's previous mapping.
    mutating func map(_ mapping: ControllerMapping) {
        if let index = controllers.firstIndex(where: { $0.address == mapping.address }) {
            controllers[index] = mapping
        } else {
            controllers.append(mapping)
        }
        if learning == mapping.address { learning = nil }
    }
}
