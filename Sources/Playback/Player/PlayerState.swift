import Patches

/// Everything that surfaces show and that a session keeps. All of them derive from it, none has a truth of its own.
package struct PlayerState: Equatable, Sendable {
    package var items: [QueueItem] = []
    /// Index of the current item, `nil` only while the queue is empty.
    package var currentIndex: Int?
    package var playback = PlaybackState.stopped
    /// Where the timeline was, and when.
    package var anchor = Anchor(position: 0, moment: Moment(frame: 0))
    /// Frames per second of positions and moments; kept while JACK is away.
    package var sampleRate = 48_000
    /// JACK runs our callback.
    package var hasAudio = false

    /// Speed of the timeline that was asked for; see ``rate``.
    package var chosenRate = 1.0
    package var repeatMode = RepeatMode.off
    /// `nil` plays in the listed order.
    package var shuffledOrder: PlayingOrder?
    package var heldSeek: HeldSeek?
    package var history = EditHistory()
    package var selectedLayer = 0
    /// In the order in which they were made.
    package var presets: [Preset] = []
    package var soloedLayers: Set<Int> = []
    /// Files of pictures, by the ``QueueItem/id`` of items whose patch has none of its own.
    package internal(set) var drawnArtwork: [Int: String] = [:]
    package internal(set) var ramps = RunningRamps()
    package internal(set) var held: [Fader: HeldFader] = [:]
    package var touchMode = TouchMode.latch
    package var masterGain = 0.0
    package var isMasterMuted = false
    /// `nil` unless a fade of the master runs.
    package internal(set) var fade: MasterFade?
    /// `nil` unless a sleep timer runs.
    package internal(set) var sleep: SleepTimer?
    /// Hz of the A above middle C.
    package var a4 = 440.0
    package var transportMode = TransportMode.none
    /// Of JACK's transport, in quarter notes a minute; `nil` before anybody has said it.
    package internal(set) var tempo: Double?
    /// What controllers of MIDI devices move, in the order in which it was learnt; an address once.
    package var controllers: [ControllerMapping] = []
    /// The address that the next controller is to move.
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
    /// It was playing and JACK is away or stalled: the timeline stands still.
    case interrupted
}

extension PlayerState {
    package var current: QueueItem? { currentIndex.map { items[$0] } }

    package var patch: Patch? { current?.patch }

    /// File of the current item's picture: the patch's own, or the one that was drawn of it; empty when there is none.
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

    /// Frames; `nil` is endless or no item.
    package var length: Int64? {
        patch?.duration.map { Int64(($0 * Double(sampleRate)).rounded()) }
    }

    /// Frames from the start of the current item.
    package func position(at moment: Moment) -> Int64 {
        guard playback == .playing else { return anchor.position }
        let position = runningPosition(at: moment)
        return length.map { min(position, $0) } ?? position
    }

    /// The same while playing, and on past the end of the item, where a transport that is followed may roll.
    func runningPosition(at moment: Moment) -> Int64 {
        let passed = max(0, moment.frame - anchor.moment.frame)
        return anchor.position + (rate == 1 ? passed : Int64((Double(passed) * rate).rounded()))
    }

    /// Seconds from the start of the current item.
    package func elapsed(at moment: Moment) -> Double { Double(position(at: moment)) / Double(sampleRate) }

    package func frames(_ seconds: Double) -> Int64 {
        // A patch may last days, but a wild number from outside must not trap in the conversion.
        Int64(min(max(seconds * Double(sampleRate), -1e15), 1e15).rounded())
    }

    /// Index of the chapter at a position, `nil` before the first.
    package func chapterIndex(at moment: Moment) -> Int? {
        guard let patch else { return nil }
        let position = position(at: moment)
        return patch.chapters.lastIndex { frames($0.start) <= position }
    }

    package static let rateRange = 0.1...10.0

    /// dB, what the master level is now or is on its way to.
    package var masterTarget: Double { isMasterMuted || isFading ? Parameter.off : masterGain }

    /// The wave of a layer of the current item; `nil` when there is no such layer or it has none.
    package func wave(ofLayer layer: Int) -> Waveform? {
        guard let item = current, let patch = item.patch, patch.layers.indices.contains(layer), patch.layers[layer].hasWave else {
            return nil
        }
        return item.waves[layer].flatMap { patch.layers[layer].canHave($0) ? $0 : nil } ?? patch.layers[layer].wave
    }

    /// Whether a layer of the current item is heard.
    package func isAudible(layer: Int) -> Bool {
        guard let current, !current.mutedLayers.contains(layer) else { return false }
        return soloedLayers.isEmpty || soloedLayers.contains(layer)
    }
}
