import Engine
import Foundation
import Patches
import Playback
import Performance

/// Output levels over the last tenth of a second, or since the last tick if that is longer.
struct Meter {
    private(set) var reading = Snapshot.Meter()
    private var lastSquares = (left: 0.0, right: 0.0)
    private var lastFrame: EngineFrame = 0
    private var peak: (left: Float, right: Float) = (0, 0)

    mutating func update(from performance: LivePerformance, _ state: PlayerState) {
        // While JACK is away there are no cycles, and the last levels are not valid any more.
        guard state.hasAudio, let status = performance.status else { return reading = Snapshot.Meter() }
        let peaks = performance.takePeaks()
        peak = (max(peak.left, peaks.left), max(peak.right, peaks.right))
        let count = Double(status.engineFrame - lastFrame)
        // A new engine counts from 0 again.
        guard count >= 0 else { return restart(status) }
        // Frames come by the period: with a tenth of a second, every other of ten readings a second would be an old one.
        guard count >= Double(state.sampleRate) * 0.08 else { return }
        reading.peakLeft = Self.decibels(Double(peak.left))
        reading.peakRight = Self.decibels(Double(peak.right))
        reading.rmsLeft = Self.decibels(((status.squareSumLeft - lastSquares.left) / count).squareRoot())
        reading.rmsRight = Self.decibels(((status.squareSumRight - lastSquares.right) / count).squareRoot())
        restart(status)
    }

    private mutating func restart(_ status: EngineStatus) {
        lastSquares = (status.squareSumLeft, status.squareSumRight)
        lastFrame = status.engineFrame
        peak = (0, 0)
    }

    private static func decibels(_ amplitude: Double) -> Double {
        amplitude > 0 ? max(Parameter.off, 20 * log10(amplitude)) : Parameter.off
    }
}
