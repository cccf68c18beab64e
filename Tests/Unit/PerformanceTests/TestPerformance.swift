import Engine
import Patches
import Playback
import Performance

/// Replaces control, without JACK.
final class TestPerformance {
    var player = Player()
    let center = RemoteCommandCenter()
    /// Whether there is enough memory, to be changed by the test.
    let memory = Memory()
    let performance: LivePerformance
    let chain = ResponderChain()
    var engine: EngineHold
    var handle: RenderHandle { engine.handle }
    private(set) var left: [Float] = []
    private(set) var right: [Float] = []

    static let period = 256

    final class Memory { var isEnough = true }

    /// - Parameter softStart: seconds.
    init(_ items: [QueueItem], softStart: Double = 0) {
        var state = PlayerState()
        state.items = items
        state.currentIndex = 0
        player = Player(state)
        performance = LivePerformance(kernel: .baseline, ceiling: -6, hasMemory: { [memory] in memory.isEnough })
        center.addTarget(chain)
        player.protect(HearingProtection(softStart: softStart))
        engine = performance.prepare(sampleRate: 48_000, state: player.state)
        player.audioAvailable(sampleRate: 48_000, at: performance.moment)
    }

    func send(_ command: Command) {
        let moment = performance.moment
        if let kind = command.kind {
            _ = center.perform(command, kind: kind, on: &player, at: moment)
        } else {
            _ = chain.send(command, on: &player, at: moment)
        }
        carryOut()
    }

    func carryOut() {
        for case .sound(let change) in player.takeEffects() { performance.carryOut(change, player.state) }
    }

    /// Renders periods. The engine's reports are polled after each of them, or later.
    func cycles(_ count: Int, polls: Bool = true) {
        var (left, right) = ([Float](repeating: 0, count: Self.period), [Float](repeating: 0, count: Self.period))
        for _ in 0..<count {
            handle.render(left: &left, right: &right, frames: Self.period, hostTime: 0)
            self.left += left
            self.right += right
            if polls { poll() }
        }
    }

    func poll() {
        performance.poll(&player)
        carryOut()
    }

    func audioGoes() {
        player.audioLost(position: performance.position, at: performance.moment)
        performance.suspend()
    }

    func audioComes(sampleRate: Int = 48_000) {
        engine = performance.prepare(sampleRate: sampleRate, state: player.state)
        player.audioAvailable(sampleRate: sampleRate, at: performance.moment)
        carryOut()
    }

    /// The largest magnitude of the last periods.
    func level(ofLast count: Int) -> Float { left.suffix(count * Self.period).map(abs).max() ?? 0 }

    var position: Int64 { player.state.position(at: performance.moment) }
    func isSilent(from start: Int) -> Bool { left[start...].allSatisfy { $0 == 0 } }
}
