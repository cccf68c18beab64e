import OperatingSystem
import Patches
import Playback
import Terminal

/// Shows the player on the terminal, and interprets its keys.
@MainActor final class TerminalFrontEnd: FrontEnd {
    private let view: TerminalView
    private let address: String
    private let time: any InstanceClock
    private var lastUpdate = 0.0
    private var isMoving = true
    /// The last notice since this front end was added; an earlier one is in the snapshot.
    private var notice: Notice?
    private var noticeCount = 0
    /// The levels in words, for an output that gets one line per change.
    private var levels = SettledText()
    private var xruns = XrunReport()
    private var selection = KeySelection()
    /// Seconds between updates while something moves, often enough for the eye, and otherwise.
    private static let (interval, restingInterval) = (0.1, 1.0)

    init(_ view: TerminalView, address: String, time: any InstanceClock) {
        self.view = view
        self.address = address
        self.time = time
    }

    /// Whether somebody may watch it.
    var hasLiveLines: Bool { view.hasLiveLines }

    func changed(_ snapshot: () -> Snapshot) { show(snapshot()) }

    func notice(_ notice: Notice) {
        self.notice = notice
        noticeCount += 1
    }

    func tick(_ snapshot: () -> Snapshot) {
        guard time.seconds - lastUpdate >= (isMoving ? Self.interval : Self.restingInterval) else { return }
        show(snapshot())
    }

    func close() {}

    /// The part of a key that the instance carries out.
    enum KeyResult {
        case perform(Command)
        case leave
        case done
    }

    /// Interprets a key, given what is selected.
    func act(on key: Key, _ snapshot: Snapshot, _ center: RemoteCommandCenter) -> KeyResult {
        guard key != .help || view.hasLiveLines else {
            for line in KeyList.lines { view.print(line) }
            return .done
        }
        let mixer = TerminalMixer(snapshot)
        let action = selection.action(of: key, mixer)
        // Without live lines, the layers and the selection show nowhere else.
        if !view.hasLiveLines, let line = action.line(mixer, selection) { view.print(line) }
        switch action {
        case .toggle: return .perform(.toggle)
        case .skipForward: return .perform(.skipForward(by: center.skipInterval))
        case .skipBackward: return .perform(.skipBackward(by: center.skipInterval))
        case .next: return .perform(.next)
        case .previous: return .perform(.previous)
        case .undo: return .perform(.undo)
        case .redo: return .perform(.redo)
        case .level(nil, let gain): return .perform(.setMasterGain(gain, ramp: nil))
        case .level(let layer?, let gain): return .perform(.set(Setting(layer: layer, parameter: .gain, value: gain), ramp: nil))
        case .mute(nil, let isMuted): return .perform(.muteMaster(isMuted))
        case .mute(let layer?, let isMuted): return .perform(.mute(layer: layer, isMuted))
        case .solo(let layer, let isSoloed): return .perform(.solo(layer: layer, isSoloed))
        case .set(let layer, let parameter, let value):
            return .perform(.set(Setting(layer: layer, parameter: parameter, value: value), ramp: nil))
        case .sleep(let seconds):
            return .perform(.sleep(in: seconds, fade: snapshot.preferences.sleepFade, snapshot.preferences.sleepEasing))
        case .chapter(let number):
            guard let chapters = snapshot.player.patch?.chapters, chapters.indices.contains(number - 1) else { break }
            return .perform(.changePosition(to: chapters[number - 1].start))
        case .leave: return .leave
        case .redraw, .awaitChapter: show(snapshot)
        case .print(let lines): for line in lines { view.print(line) }
        }
        return .done
    }

    private func show(_ snapshot: Snapshot) {
        lastUpdate = time.seconds
        var status = TerminalStatus(snapshot, address: address)
        if let notice { status.notice = notice.text }
        isMoving = status.state == .playing || max(status.peak.left, status.peak.right) > Parameter.off
        levels.update(TerminalMixer(snapshot).levels, at: lastUpdate)
        xruns.update(status.xruns, at: lastUpdate)
        view.update(
            PlayerPicture(
                status: status, snapshot: snapshot, selection: selection, noticeCount: noticeCount, levels: levels, xruns: xruns))
    }
}

/// The player as the terminal shows it.
private struct PlayerPicture: TerminalPicture {
    let status: TerminalStatus
    let snapshot: Snapshot
    let selection: KeySelection
    let noticeCount: Int
    let levels: SettledText
    let xruns: XrunReport

    var notice: String? { status.notice }
    private var place: QueuePlace { QueuePlace(snapshot.player) }

    func live(size: TerminalSize, style: StatusLines.Style) -> [StatusLines.Line] {
        let player = snapshot.player
        var area = LiveArea(status)
        area.place = place
        area.chapterStarts = player.patch?.chapters.map(\.start) ?? []
        area.mixer = TerminalMixer(snapshot)
        area.selection = selection
        return area.lines(size, style: style)
    }

    func plain(style: StatusLines.Style) -> String { StatusLines.plain(status, place: place, levels: levels.text, style: style) }

    func isWorthALine(after previous: (any TerminalPicture)?) -> Bool {
        guard let previous = previous as? Self else { return true }
        return status.isWorthALine(after: previous.status) || place != previous.place || levels.isWorthALine(after: previous.levels)
            // Those that a line has shown for another reason get no line of their own.
            || xruns.total != previous.xruns.total && status.xruns != previous.status.xruns
    }
}

extension QueuePlace {
    fileprivate init(_ player: PlayerState) {
        self.init(index: player.currentIndex.map { $0 + 1 } ?? 0, count: player.items.count, rate: player.rate)
    }
}

extension TerminalMixer {
    fileprivate init(_ snapshot: Snapshot) {
        self.init()
        let player = snapshot.player
        gain = player.masterGain
        isMuted = player.isMasterMuted
        highestGain = player.hearing.highestMasterGain
        timeToSleep = player.sleep.map { _ in player.timeToSleep(at: snapshot.moment) }
        layerCount = player.layerCount
        chapterCount = player.patch?.chapters.count ?? 0
        mutedLayers = player.current?.mutedLayers ?? []
        soloedLayers = player.soloedLayers
        layer = { index in
            guard let patch = player.patch, patch.layers.indices.contains(index) else { return Layer() }
            var layer = Layer()
            layer.name = patch.layers[index].name
            layer.kind = patch.layers[index].kind.rawValue
            layer.isEdited = player.current?.isEdited(layer: index) ?? false
            for description in patch.layers[index].parameters {
                layer.values[description.parameter] = snapshot.value(of: description.parameter, layer: index)
            }
            return layer
        }
    }
}

extension TerminalStatus {
    init(_ snapshot: Snapshot, address: String) {
        self.init()
        let player = snapshot.player
        switch player.playback {
        case .playing: state = .playing
        case .paused: state = .paused
        case .stopped: state = .stopped
        case .interrupted: state = .interrupted
        }
        item = player.current?.listedTitle ?? ""
        if let patch = player.patch, !patch.chapters.isEmpty {
            let index = player.chapterIndex(at: snapshot.moment)
            chapter = Chapter(index: (index ?? -1) + 1, count: patch.chapters.count, title: index.map { patch.chapters[$0].title } ?? "")
        }
        elapsed = player.elapsed(at: snapshot.moment)
        duration = player.patch?.duration
        let isWaiting = state == .paused || state == .stopped
        startTime = snapshot.start.flatMap { isWaiting ? TimeOfDayText.string(atTime: $0) : nil }
        timeToSleep = player.sleep.map { _ in player.timeToSleep(at: snapshot.moment) }
        peak = Peak(left: snapshot.meter.peakLeft, right: snapshot.meter.peakRight)
        switch snapshot.jack.state {
        case .running: server = .running(load: snapshot.jack.load)
        case .stalled: server = .stalled
        case .away: server = .away
        }
        xruns = snapshot.jack.xruns
        self.address = address
        connections = snapshot.jack.connections.map(\.destination)
        notice = snapshot.notice.isEmpty ? nil : snapshot.notice
    }
}
