import Foundation
import Synthesis
import SynthesisAVX2
import Testing

@Suite("Sine kernels")
struct KernelTests {
    private typealias Kernel = (UnsafeMutablePointer<Float>, Int, UInt64, UInt64, UInt64, UInt64, UInt64) -> Void

    private let kernels: [(String, Kernel)] = [
        ("baseline", { Synthesis.addSine(to: $0, count: $1, phase: $2, d1: $3, d2: $4, d3: $5, d4: $6, gain: 1) }),
        ("AVX2", { SynthesisAVX2.addSine(to: $0, count: $1, phase: $2, d1: $3, d2: $4, d3: $5, d4: $6, gain: 1) }),
    ].filter { $0.0 == "baseline" || hasAVX2 }

    @Test("The sine is within -145 dB RMS and 3e-7 of the exact one, over all phases")
    func accuracy() {
        for (name, kernel) in kernels {
            let count = 1 << 16
            let step = UInt64(1) << 48 &+ 0x1234_5678_9abc
            var samples = [Float](repeating: 0, count: count)
            kernel(&samples, count, 77, step, 0, 0, 0)
            var (sum, largest) = (0.0, 0.0)
            for k in 0..<count {
                let phase = Double((77 &+ UInt64(k) &* step) >> 11) * 0x1p-53
                let error = Double(samples[k]) - sin(2 * .pi * phase)
                sum += error * error
                largest = max(largest, abs(error))
            }
            #expect(10 * log10(sum / Double(count) / 0.5) < -145, "\(name)")
            #expect(largest < 3e-7, "\(name)")
        }
    }

    @Test("A sine has its exact values at the quarters of a cycle")
    func quarters() {
        for (name, kernel) in kernels {
            var samples = [Float](repeating: 0, count: 8)
            kernel(&samples, 8, 0, 1 << 62, 0, 0, 0)
            for (sample, exact) in zip(samples, [0, 1, 0, -1, 0, 1, 0, -1] as [Float]) {
                #expect(abs(sample - exact) <= 1.2e-7, "\(name)")
            }
        }
    }

    @Test(
        "Frequencies that change as polynomials of fourth order are followed exactly, in blocks of any length, and nothing is written beyond the end"
    )
    func moving() {
        let start = PhaseDifferences(phase: 1 << 60, d1: 1 << 55, d2: 1 << 44, d3: 0 &- (1 << 33), d4: 1 << 22)
        for (name, kernel) in kernels {
            var whole = [Float](repeating: 0, count: 1000)
            kernel(&whole, 1000, start.phase, start.d1, start.d2, start.d3, start.d4)
            for block in [1, 3, 8, 17, 64] {
                var cut = [Float](repeating: 0, count: 1016)
                var done = 0
                while done < 1000 {
                    let d = start.advanced(by: Int64(done))
                    let count = min(block, 1000 - done)
                    cut.withUnsafeMutableBufferPointer { kernel($0.baseAddress! + done, count, d.phase, d.d1, d.d2, d.d3, d.d4) }
                    done += count
                    let isUntouched = cut[done...].allSatisfy { $0 == 0 }
                    #expect(isUntouched)
                }
                let isSame = Array(cut[..<1000]) == whole
                #expect(isSame, "\(name) in blocks of \(block)")
            }
        }
    }

    static var hasAVX2: Bool {
        let flags = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n").first { $0.hasPrefix("flags") }
        return flags.map { $0.contains(" avx2 ") && $0.contains(" fma ") } ?? false
    }
}
