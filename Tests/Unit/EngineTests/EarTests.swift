import Engine
import Foundation
import Patches
import Testing

@Suite("Tones that differ between the ears")
struct EarTests {
    private func rendered(_ kind: LayerKind, _ values: [Parameter: Double], wave: Waveform = .sine) -> Samples {
        let layer = Layer(name: "one", kind: kind, values: values.merging([.gain: -20]) { a, _ in a }, wave: wave)
        return render(PlanCompiler.compile(Patch(layers: [layer]), sampleRate: 48_000), from: 960, count: 48_000)
    }

    /// A sine of -20 dBFS at `frame` of the patch.
    private func sine(_ frequency: Double, _ frame: Int, shift cycles: Double = 0) -> Double {
        0.1 * sin(2 * Double.pi * (frequency * Double(frame) / 48_000 + cycles))
    }

    private func expect(
        _ samples: [Float], within tolerance: Double = 3e-8, sourceLocation: SourceLocation = #_sourceLocation, _ exact: (Int) -> Double
    ) {
        let error = samples.indices.map { abs(Double(samples[$0]) - exact($0 + 960)) }.max()!
        #expect(error < tolerance, sourceLocation: sourceLocation)
    }

    private func pulse(_ frame: Int, rate: Double, duty: Double, edge: Double, late: Double = 0) -> Double {
        func smooth(_ t: Double) -> Double { t <= 0 ? 0 : t >= 1 ? 1 : t * t * t * (t * (6 * t - 15) + 10) }
        let cycles = rate * Double(frame) / 48_000 - late
        let x = cycles - cycles.rounded(.down)
        let length = min(edge * rate, 0.4 * duty)
        return smooth(x / length) * smooth((duty - x) / length)
    }

    @Test("A bilateral tone pulses in the left ear, and half a period later in the right ear")
    func bilateral() {
        for (rate, duty, edge) in [(5.0, 0.5, 0.02), (2.0, 0.3, 0.1), (8.0, 0.9, 0.02)] {
            let samples = rendered(.bilateral, [.carrier: 220, .pulseRate: rate, .duty: duty, .edge: edge])
            expect(samples.left, within: 6e-8) { sine(220, $0) * pulse($0, rate: rate, duty: duty, edge: edge) }
            expect(samples.right, within: 6e-8) { sine(220, $0) * pulse($0, rate: rate, duty: duty, edge: edge, late: 0.5) }
        }
    }

    @Test("The edge of a pulse has the requested length, up to 0.4 of the pulse", arguments: [0.001, 0.02, 0.05, 1])
    func edges(edge: Double) {
        let samples = rendered(.isochronic, [.carrier: 220, .pulseRate: 3, .duty: 0.6, .edge: edge])
        // The duty is a Float; the steeper the edge, the more of its height that is.
        let rounding = 0.1 * 1.875 * 2.4e-8 / min(3 * edge, 0.24)
        expect(samples.left, within: 3e-8 + 1.1 * rounding) { sine(220, $0) * pulse($0, rate: 3, duty: 0.6, edge: edge) }
    }

    @Test("The ears of a phase layer have one frequency, and their phases differ by depth sin(2πBt)", arguments: [4.0, -0.7])
    func phase(beat: Double) {
        for depth in [0.0, 90, 360] {
            let samples = rendered(.phase, [.carrier: 300, .beat: beat, .depth: depth])
            func shift(_ frame: Int) -> Double { depth / 720 * sin(2 * Double.pi * beat * Double(frame) / 48_000) }
            // The shift is a Float: half a cycle to 2^-25, times 2π at 0.1.
            expect(samples.left, within: 6e-8) { sine(300, $0, shift: shift($0)) }
            expect(samples.right, within: 6e-8) { sine(300, $0, shift: -shift($0)) }
        }
    }

    @Test("A harmonic box is two binaural beats, the lower one reversed: beats of b across, of b and 3b in the ears")
    func harmonicBox() {
        for beat in [15.0, -4] {
            let samples = rendered(.harmonicBox, [.carrier: 500, .beat: beat, .phase: 90])
            expect(samples.left) { (sine(500 + beat / 2, $0, shift: 0.25) + sine(500 - 2.5 * beat, $0, shift: 0.25)) / 2 }
            expect(samples.right) { (sine(500 - beat / 2, $0) + sine(500 - 1.5 * beat, $0)) / 2 }
        }
    }

    @Test("All of them support every wave", arguments: [LayerKind.bilateral, .phase, .harmonicBox, .bell])
    func waves(kind: LayerKind) {
        let square = rendered(kind, [.carrier: 240, .pulseRate: 1, .duty: 0.95, .beat: 0, .depth: 0], wave: .square)
        let sine = rendered(kind, [.carrier: 240, .pulseRate: 1, .duty: 0.95, .beat: 0, .depth: 0])
        for (waved, plain) in [(square.left, sine.left), (square.right, sine.right)] {
            // A square is its sign times a level that is 3 dB higher.
            let power = waved.reduce(0.0) { $0 + Double($1) * Double($1) } / plain.reduce(0.0) { $0 + Double($1) * Double($1) }
            #expect(abs(10 * log10(power) - 3.01) < 0.1)
            #expect(zip(waved, plain).allSatisfy { abs($1) < 0.01 || $0 * $1 > 0 })
        }
    }
}
