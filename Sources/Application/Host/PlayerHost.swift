import Dispatch
import Engine
import JACKBackend
import Logging
import OperatingSystem
import PatchFiles
import Performance
import Playback

/// The player with its sound, and with the front ends that show it. Commands come here, from wherever they are sent; what the player cannot
/// do itself is left to ``delegate``.
///
/// Everything here runs on the main queue. The objects that keep sessions, files and JACK hold the host; it does not know them.
@MainActor final class PlayerHost {
    let time: any InstanceClock
    let logger: Logger
    var player = Player()
    let center = RemoteCommandCenter()
    let chain = ResponderChain()
    let performance: LivePerformance
    /// The sound card; `nil` until it is open.
    var device: (any AudioDevice)?
    /// Informed after every change and at every tick.
    let frontEnds = FrontEndList()
    let lifecycle = Lifecycle()
    var quitSignal = QuitSignal()
    /// The time at which it is to start to play, in seconds since 1970; `nil` if no start is pending.
    var startTime: Double?
    weak var delegate: (any PlayerHostDelegate)?
    private var publisher = NowPlayingPublisher()
    private var waiters = AudibleWaiters()

    init(_ performance: LivePerformance, time: any InstanceClock, logger: Logger) {
        (self.performance, self.time, self.logger) = (performance, time, logger)
        center.addTarget(chain)
    }

    /// The playing position in seconds from the start of the current item.
    var position: Double { player.state.elapsed(at: performance.moment) }

    /// Whether the engine has not reported yet what was requested.
    var isSettling: Bool { performance.isSettling || !waiters.isEmpty }

    /// Whether a command waits to be heard before it is answered.
    var hasWaiters: Bool { !waiters.isEmpty }

    // MARK: From outside

    /// To be called first by everything that comes from outside the tick: after rare ticks, the instance catches up.
    func attend() { delegate?.attend() }

    /// Runs something that comes from outside, such as the answer of another thread.
    nonisolated func enter(_ body: @escaping @MainActor () -> Void) {
        DispatchQueue.main.async {
            self.attend()
            body()
        }
    }

    func quit(discardingChanges: Bool = false) { quitSignal.send(discardingChanges: discardingChanges) }

    var hasQuit: Bool { quitSignal.hasCome }

    // MARK: Sound

    /// The sound stops where it is, until ``beginAudio(sampleRate:unrendered:)``.
    func loseAudio() {
        player.audioLost(position: performance.position, at: performance.moment)
        performance.suspend()
    }

    /// - Parameters:
    ///   - sampleRate: in Hz.
    ///   - unrendered: Seconds in which nothing was rendered before.
    /// - Returns: the engine to render with.
    func beginAudio(sampleRate: Int, unrendered: Double = 0) -> EngineHold {
        // At a change of the sample rate, playing stops at the frame that was reached.
        if player.state.hasAudio { player.audioLost(position: performance.position, at: performance.moment) }
        let engine = performance.prepare(sampleRate: sampleRate, state: player.state)
        player.audioAvailable(sampleRate: sampleRate, at: performance.moment, unrendered: unrendered)
        carryOutEffects()
        return engine
    }

    // MARK: Changes

    /// Publishes the playing position, once the engine has reported where a start or a silence took effect.
    func settle() {
        carryOutEffects()
        performance.a4 = player.state.tuning.a4
        delegate?.adopt(player.state.transportMode)
        // A pattern or a bundle can be hundreds of commands, after which the front ends get the state once.
        guard !performance.isGathering else { return }
        delegate?.hasChanged()
        if !publisher.waits(for: performance, hasAudio: player.state.hasAudio, at: time.seconds) {
            publisher.update(
                from: player.state, at: performance.moment, clock, start: startTime, period: period, now: time.seconds)
            frontEnds.changed(snapshot)
        }
        finishWaiting()
    }

    /// The length of JACK's period in seconds; `nil` while JACK is away or freewheeling.
    private var period: Double? {
        guard let status = device?.status, status.bufferSize > 0, !status.isFreewheeling else { return nil }
        return Double(status.bufferSize) / Double(max(1, player.state.sampleRate))
    }

    // MARK: Waiting for the sound

    func whenSounding(_ done: @escaping () -> Void) {
        waiters.add(performance.mark, done)
        finishWaiting()
    }

    private func finishWaiting() {
        let heard = player.state.hasAudio
        for done in waiters.takeReady({ !heard || performance.isInTheSound($0) }) { done() }
    }

    // MARK: What front ends show

    /// Everything that front ends can show now.
    func snapshot() -> Snapshot {
        var snapshot = Snapshot()
        snapshot.player = player.state
        snapshot.moment = performance.now
        snapshot.clock = clock
        snapshot.nowPlaying = publisher.nowPlaying
        for kind in RemoteCommandKind.allCases {
            snapshot.enabled[kind] = center.isEnabled(kind, in: snapshot.player, at: snapshot.moment)
        }
        snapshot.skipIntervals = center[.skipForward].preferredIntervals
        snapshot.lifecycle = lifecycle.last?.rawValue ?? ""
        snapshot.notice = frontEnds.notice
        snapshot.start = startTime
        delegate?.complete(&snapshot)
        return snapshot
    }

    /// The conversion of moments to wall-clock time, from the beginning of the last cycle.
    private var clock: Snapshot.Clock { Snapshot.Clock(of: performance, device, time, sampleRate: player.state.sampleRate) }

    func notify(_ step: LifecycleStep) { lifecycle.notify(step) }

    /// Shows the user a sentence on every front end.
    func notify(notice text: String) { notify(Notice(text)) }

    /// Reports an error about a file, which only the terminal quotes.
    func notify(_ error: any QuotesFiles) { notify(Notice(error)) }

    private func notify(_ notice: Notice) {
        logger.notice("\(notice.text)")
        frontEnds.show(notice, snapshot)
    }
}

/// Does for the player and its sound what they cannot do themselves.
@MainActor protocol PlayerHostDelegate: AnyObject {
    /// Something has come from outside the tick.
    func attend()
    /// The player may have changed.
    func hasChanged()
    /// A command was judged, and its effects come next.
    func hasJudged(_ command: Command)
    /// Keeps JACK's transport in this mode.
    func adopt(_ mode: TransportMode)
    /// Sends a request to JACK's transport; an urgent one takes the place of those that wait.
    func send(_ request: TransportRequest, urgently: Bool)
    /// Carries out what the player cannot do itself.
    ///
    /// - Parameter sender: `nil` is the program itself.
    /// - Returns: the result, unless `answer` is called with it later.
    func carryOut(_ request: ApplicationRequest, from sender: String?, answer: @escaping @MainActor (CommandResult) -> Void)
        -> CommandResult?
    /// Adds what the player does not know to a snapshot.
    func complete(_ snapshot: inout Snapshot)
}
