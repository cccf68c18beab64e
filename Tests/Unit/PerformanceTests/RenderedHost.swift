import Engine
import InstanceSupport
import Logging
import Performance
import Playback

@testable import Application

/// The real host, whose engine the test renders.
final class RenderedHost {
    let host: PlayerHost
    /// Whether there is enough memory, to be changed by the test.
    let memory = Memory()
    private(set) var engine: EngineHold
    private(set) var left: [Float] = []
    private(set) var right: [Float] = []

    static let period = 256

    final class Memory { var isEnough = true }

    /// - Parameter softStart: seconds.
    init(_ items: [QueueItem], softStart: Double = 0) {
        let performance = LivePerformance(kernel: .baseline, ceiling: -6, hasMemory: { [memory] in memory.isEnough })
        host = PlayerHost(performance, time: TestClock(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        var state = PlayerState()
        state.items = items
        state.currentIndex = 0
        host.player = Player(state)
        host.player.protect(HearingProtection(softStart: softStart))
        engine = host.beginAudio(sampleRate: 48_000)
    }

    var player: Player {
        get { host.player }
        _modify { yield &host.player }
    }
    var performance: LivePerformance { host.performance }
    var handle: RenderHandle { engine.handle }

    func send(_ command: Command) { host.perform(command, from: nil) { _ in } }

    func carryOut() { host.carryOutEffects() }

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
        performance.poll(&host.player)
        host.settle()
    }

    func audioGoes() { host.loseAudio() }

    func audioComes(sampleRate: Int = 48_000) { engine = host.beginAudio(sampleRate: sampleRate) }

    /// The largest magnitude of the last periods.
    func level(ofLast count: Int) -> Float { left.suffix(count * Self.period).map(abs).max() ?? 0 }

    var position: Int64 { player.state.position(at: performance.moment) }
    func isSilent(from start: Int) -> Bool { left[start...].allSatisfy { $0 == 0 } }
}
