import Engine
import Patches
import Performance
import Playback

/// A player with one item that a fader of the first layer changes, from the command to the render thread and back. No sockets.
final class PlayerLoad {
    private var player: Player
    private let center = RemoteCommandCenter()
    private let chain = ResponderChain()
    private let performance = LivePerformance(kernel: .best, ceiling: -6)
    private let engine: EngineHold
    private let output = UnsafeMutablePointer<Float>.allocate(capacity: 2 * EngineLoad.blockSize)

    init(layerCount: Int, repeating mode: RepeatMode) {
        let layers = (0..<layerCount).map {
            Layer(name: "layer\($0)", kind: .binaural, values: [.gain: -80, .carrier: 100 + Double($0), .beat: 4])
        }
        var state = PlayerState()
        state.items = [QueueItem(reference: "load", patch: Patch(duration: 3600, layers: layers))]
        state.currentIndex = 0
        state.repeatMode = mode
        player = Player(state)
        center.addTarget(chain)
        engine = performance.prepare(sampleRate: Int(EngineLoad.sampleRate), state: player.state)
        player.audioAvailable(sampleRate: Int(EngineLoad.sampleRate), at: performance.moment)
        perform(.play)
        for _ in 0..<1000 { render() }
    }

    deinit { output.deallocate() }

    /// CPU time in nanoseconds of moving the fader: the command, the change of the plan, and taking back the old one. The callbacks in
    /// between, 20 ms of them, are not counted.
    func move(_ value: Double) -> Int {
        var time = threadTime { perform(.set(Setting(layer: 0, parameter: .gain, value: value), ramp: nil)) }
        for _ in 0..<15 { render() }
        time += threadTime(of: poll)
        return time
    }

    private func perform(_ command: Command) {
        _ = center.perform(command, or: chain, on: &player, at: performance.moment)
        carryOut()
    }

    private func poll() {
        performance.poll(&player)
        carryOut()
    }

    private func carryOut() {
        for case .sound(let change) in player.takeEffects() { performance.carryOut(change, player.state) }
    }

    private func render() {
        flushingDenormals {
            engine.handle.render(left: output, right: output + EngineLoad.blockSize, frames: EngineLoad.blockSize, hostTime: 0)
        }
    }
}

extension RemoteCommandCenter {
    /// Performs a command as control does: itself, or through the responder chain. It has to succeed.
    func perform(_ command: Command, or chain: ResponderChain, on player: inout Player, at moment: Moment) -> CommandResult {
        let result =
            if let kind = command.kind {
                perform(command, kind: kind, on: &player, at: moment)
            } else {
                chain.send(command, on: &player, at: moment) ?? CommandResult(.noActionableNowPlayingItem, "nobody")
            }
        precondition(result.status == .success, "The load is refused: \(result).")
        return result
    }
}
