import Engine
import Synthesis
import SynthesisAVX2

/// The innermost loop without the engine round it, called as the engine calls it: what the engine cannot be below with these sines.
final class SineLoops {
    private let kernel: Kernel
    private let isMoving: Bool
    private let layerCount: Int
    private let left: UnsafeMutablePointer<Float>
    private let right: UnsafeMutablePointer<Float>
    private let gains: UnsafeMutablePointer<Float>

    /// - Parameter isMoving: Frequencies that move in straight lines and a gain that moves as a polynomial of fifth degree; both steady else.
    init(layerCount: Int, isMoving: Bool, kernel: Kernel) {
        self.kernel = kernel
        self.isMoving = isMoving
        self.layerCount = layerCount
        left = .allocate(capacity: EngineLoad.blockSize)
        right = .allocate(capacity: EngineLoad.blockSize)
        left.initialize(repeating: 0, count: EngineLoad.blockSize)
        right.initialize(repeating: 0, count: EngineLoad.blockSize)
        gains = .allocate(capacity: EngineLoad.blockSize)
    }

    deinit {
        left.deallocate()
        right.deallocate()
        gains.deallocate()
    }

    /// CPU time in nanoseconds of `count` blocks after each other, phases of each layer close to 200 Hz.
    func run(blocks count: Int) -> Int {
        threadTime {
            for block in 0..<count {
                for layer in 0..<layerCount {
                    let phase = UInt64(truncatingIfNeeded: block &* layer &* 0x1234_5678_9ABC)
                    let step = UInt64(200.0 / EngineLoad.sampleRate * 0x1p64) &+ UInt64(layer) << 44
                    isMoving ? addMoving(phase, step, first: Int32(block % 4096 * EngineLoad.blockSize)) : addSteady(phase, step)
                }
            }
        }
    }

    private func addSteady(_ phase: UInt64, _ step: UInt64) {
        let count = EngineLoad.blockSize
        switch kernel {
        case .baseline:
            Synthesis.addSines(
                to: left, right, count: count, leftPhase: phase, step, 0, 0, 0, rightPhase: phase, step, 0, 0, 0, leftGain: 0x1p-20,
                rightGain: 0x1p-20)
        case .avx2:
            SynthesisAVX2.addSines(
                to: left, right, count: count, leftPhase: phase, step, 0, 0, 0, rightPhase: phase, step, 0, 0, 0, leftGain: 0x1p-20,
                rightGain: 0x1p-20)
        }
    }

    private func addMoving(_ phase: UInt64, _ step: UInt64, first: Int32) {
        let (count, bend) = (EngineLoad.blockSize, UInt64(1) << 32)
        switch kernel {
        case .baseline:
            Synthesis.addSines(
                to: left, right, count: count, leftPhase: phase, step, bend, 0, 0, rightPhase: phase, step, bend, 0, 0,
                gains: gains, first: first, inverseLength: 1 / 480_000, 0x1p-20, 0x1p-21, 0x1p-22, 0x1p-23, 0x1p-24, 0x1p-25)
        case .avx2:
            SynthesisAVX2.addSines(
                to: left, right, count: count, leftPhase: phase, step, bend, 0, 0, rightPhase: phase, step, bend, 0, 0,
                gains: gains, first: first, inverseLength: 1 / 480_000, 0x1p-20, 0x1p-21, 0x1p-22, 0x1p-23, 0x1p-24, 0x1p-25)
        }
    }
}
