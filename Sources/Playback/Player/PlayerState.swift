import Patches

/// Everything that surfaces show and a session saves. Both are derived from it.
package struct PlayerState: Equatable, Sendable {
    package var items: [QueueItem] = []
    /// Index of the current item, `nil` only while the queue is empty.
    package var currentIndex: Int?
    package var playback = PlaybackState.stopped
    /// A position of the timeline and its moment.
    package var anchor = Anchor(position: 0, moment: Moment(frame: 0))
    /// Frames per second of positions and moments; kept while JACK is away.
    package var sampleRate = 48_000
    /// Whether JACK runs the callback.
    package var hasAudio = false

    /// The speed of the timeline that was requested; see ``rate``.
    package var chosenRate = 1.0
    package var repeatMode = RepeatMode.off
    /// The shuffled order; `nil` plays in the listed order.
    package var shuffledOrder: PlayingOrder?
    package var heldSeek: HeldSeek?
    package var history = EditHistory()
    package var selectedLayer = 0
    /// In the order of their creation.
    package var presets: [Preset] = []
    package var soloedLayers: Set<Int> = []
    /// Paths of drawn pictures, by the ``QueueItem/id`` of items whose patch has no artwork.
    package internal(set) var drawnArtwork: [Int: String] = [:]
    package internal(set) var ramps = RunningRamps()
    package internal(set) var held: [Fader: HeldFader] = [:]
    package var touchMode = TouchMode.latch
    package var masterGain = 0.0
    package var isMasterMuted = false
    /// `nil` unless a fade-out of the master is pending or running.
    package internal(set) var fade: MasterFade?
    /// `nil` unless a sleep timer runs.
    package internal(set) var sleep: SleepTimer?
    /// The frequency of A4 in Hz.
    package var a4 = 440.0
    package var transportMode = TransportMode.none
    /// The tempo of JACK's transport in quarter notes a minute; `nil` until it is known.
    package internal(set) var tempo: Double?
    /// MIDI controllers and their addresses, in the order in which they were learnt; each address occurs once.
    package var controllers: [ControllerMapping] = []
    /// The address that the next moved controller will be mapped to; `nil` unless learning.
    package internal(set) var learning: String?

    package init() {}

    package struct Anchor: Equatable, Sendable {
        /// Frames from the start of the current item.
        package var position: Int64
        package var moment: Moment
    }
}

package enum PlaybackState: String, Sendable, CaseIterable {
    case playing, paused, stopped
    /// It was playing when JACK went away or stalled: the timeline stands still.
    case interrupted
}

extension PlayerState {
    package var current: QueueItem? { currentIndex.map { items[$0] } }

    package var patch: Patch? { current?.patch }

    /// The path of the current item's picture: the patch's artwork or the drawn one; empty if there is none.
    package var artwork: String {
        guard let current, let patch = current.patch else { return "" }
        return patch.details.artwork.isEmpty ? drawnArtwork[current.id] ?? "" : patch.details.artwork
    }

    /// Speed of the timeline of the current item: frames of position per frame of sound.
    package var rate: Double { rate(ofItem: currentIndex) }

    package func rate(ofItem index: Int?) -> Double { index.flatMap { items[$0].patch }?.playableRate(chosenRate) ?? chosenRate }

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

    package func frames(_ seconds: Double) -> Int64 {
        // A patch may last days, but an extreme number from outside must not trap in the conversion.
        Int64(min(max(seconds * Double(sampleRate), -1e15), 1e15).rounded())
    }

    /// The index of the chapter at a moment; `nil` before the first one.
    package func chapterIndex(at moment: Moment) -> Int? {
        guard let patch else { return nil }
        let position = position(at: moment)
        return patch.chapters.lastIndex { frames($0.start) <= position }
    }

    package static let rateRange = 0.1...10.0

    /// The level in dB that the master has or is moving to.
    package var masterTarget: Double { isMasterMuted || isFading ? Parameter.off : masterGain }

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
