import Benchmark
import Engine
import Foundation
import OSC
import PatchFiles
import Patches
import Playback

let benchmarks: @Sendable () -> Void = {
    layers()
    loops()
    callbacks()
    peaks()
    plans()
    control()
}

private let kernels = Kernel.allCases.filter(\.isAvailable)

/// The cost of the whole engine: plan, layers, fades, guards, status.
private func layers() {
    for kernel in kernels {
        for motion in Motion.allCases {
            for count in [1, 2, 4, 7, 8, 16, 64, 256] {
                measure(
                    "binaural/\(count)/\(motion)/\(kernel)", .load(.binaural, count: count, motion: motion), motion, kernel,
                    Measure.sineSample, perFrame: 2 * count, edits: motion.edits(count))
            }
        }
        for kind in LayerKind.allCases where kind != .binaural && kind != .noise {
            // The noise in 256 spins would take 50 MB, far more than any cache has.
            let count = kind == .spin ? 16 : 256
            measure("\(kind)/\(count)/steady/\(kernel)", .load(kind, count: count), .steady, kernel, Measure.layerFrame, perFrame: count)
        }
        measure(
            "orbit/16/steady/\(kernel)", .load(.isochronic, count: 16, effects: [.orbit]), .steady, kernel, Measure.layerFrame, perFrame: 16
        )
        measure(
            "narrow/256/steady/\(kernel)", .load(.binaural, count: 256, width: 0.5), .steady, kernel, Measure.sineSample, perFrame: 512)
        for color in NoiseColor.allCases {
            measure(
                "noise-\(color)/16/steady/\(kernel)", .load(.noise, count: 16, color: color), .steady, kernel,
                Measure.layerFrame, perFrame: 16)
        }
    }
}

/// The innermost loop alone.
private func loops() {
    for kernel in kernels {
        for isMoving in [false, true] {
            let (metric, count, blocks) = (Measure.sineSample, 256, 8)
            Benchmark("loop/\(count)/\(isMoving ? "slides" : "steady")/\(kernel)", configuration: .init(metric)) { benchmark, loops in
                benchmark.measurement(metric, loops.run(blocks: blocks) * 1000 / (blocks * EngineLoad.blockSize * 2 * count))
            } setup: {
                SineLoops(layerCount: count, isMoving: isMoving, kernel: kernel)
            }
        }
    }
}

/// Adds a benchmark that divides the time of at least 0.1 s of sound by its frames and layers.
private func measure(
    _ name: String, _ plan: @escaping @autoclosure () -> Plan, _ motion: Motion, _ kernel: Kernel, _ metric: BenchmarkMetric, perFrame: Int,
    edits: [[Setting]] = []
) {
    Benchmark(name, configuration: .init(metric)) { benchmark, load in
        // A pulse of 10 Hz, since most of its frames cost less than its edges; moves take half of that.
        let blocks = max(75, 4096 / perFrame)
        let time = load.render(blocks: blocks)
        benchmark.measurement(metric, time * 1000 / (blocks * EngineLoad.blockSize * perFrame))
    } setup: {
        EngineLoad(plan(), frames: motion.frames, kernel: kernel, edits: edits)
    }
}

/// Single callbacks, each timed by itself, the clock's own 0.2 µs or so included.
private func callbacks() {
    // About as long as that of 64 layers in ramps. Longer runs now and then are caused by the machine: it touches no memory.
    Benchmark("callback/nothing", configuration: .init(Measure.callback, seconds: 2)) { benchmark in
        for _ in 0..<20 {
            let seed = UInt64(benchmark.currentIteration)
            benchmark.measurement(
                Measure.callback, threadTime { blackHole((0..<UInt64(17_000)).reduce(seed) { $0 &* 0x5851_F42D_4C95_7F2D &+ $1 }) })
        }
    }
    for kernel in kernels {
        let measure = Measure.callback
        Benchmark("callback/least/64/ramps/\(kernel)", configuration: .init(measure, iterations: 1)) { benchmark, load in
            for time in load.leastTimes(passes: 5) { benchmark.measurement(measure, time) }
        } setup: {
            EngineLoad(.load(.binaural, count: 64, motion: .ramps), frames: Motion.ramps.frames, kernel: kernel)
        }
        for motion in [Motion.steady, .ramps] {
            for count in [64, 8000] {
                let measure = Measure.callback
                let seconds = count > 1000 ? 3.0 : 2.0
                Benchmark("callback/\(count)/\(motion)/\(kernel)", configuration: .init(measure, seconds: seconds)) { benchmark, load in
                    for _ in 0..<(count > 1000 ? 1 : 20) { benchmark.measurement(measure, load.render(blocks: 1)) }
                } setup: {
                    EngineLoad(.load(.binaural, count: count, motion: motion), frames: motion.frames, kernel: kernel)
                }
            }
        }
    }
}

/// The callbacks that have more to do than the others.
private func peaks() {
    let metric = Measure.callback
    for color in [NoiseColor.pink, .brown] {
        Benchmark("peak/noise-\(color)/steady", configuration: .init(metric)) { benchmark, load in
            for _ in 0..<20 { benchmark.measurement(metric, load.render(blocks: 1)) }
        } setup: {
            EngineLoad(.load(.noise, count: 16, color: color), frames: 48_000 * 60, kernel: .best)
        }
        Benchmark("peak/noise-\(color)/jump", configuration: .init(metric, iterations: 1)) { benchmark, times in
            for time in times { benchmark.measurement(metric, time) }
        } setup: {
            EngineLoad(.load(.noise, count: 16, color: color), frames: 48_000 * 60, kernel: .best).leastTimesOfJumps(1000, passes: 15)
        }
        Benchmark("peak/noise-\(color)/first", configuration: .init(metric)) { benchmark, plan in
            benchmark.measurement(metric, EngineLoad.first(plan))
        } setup: {
            Plan.load(.noise, count: 16, color: color)
        }
    }
    Benchmark("peak/1024/steady", configuration: .init(metric)) { benchmark, load in
        for _ in 0..<20 { benchmark.measurement(metric, load.render(blocks: 1)) }
    } setup: {
        EngineLoad(.load(.binaural, count: 1024), frames: 48_000 * 600, kernel: .best)
    }
    Benchmark("peak/1024/edit", configuration: .init(metric, iterations: 1)) { benchmark, times in
        for time in times { benchmark.measurement(metric, time) }
    } setup: {
        EngineLoad(.load(.binaural, count: 1024), frames: 48_000 * 600, kernel: .best)
            .leastTimesOfEdits(500, passes: 5, layerCount: 1024)
    }
    // All pieces of all layers end in the same block, of which there are few.
    Benchmark("peak/1024/ends", configuration: .init(metric, iterations: 1)) { benchmark, longest in
        benchmark.measurement(metric, longest)
    } setup: {
        let load = EngineLoad(.load(.binaural, count: 1024, motion: .ramps), frames: Motion.ramps.frames, kernel: .best)
        return load.leastTimes(passes: 5).max() ?? 0
    }
    // Ten minutes, all callbacks of which are counted.
    Benchmark("peak/64/operations", configuration: .init(metric, iterations: 1)) { benchmark, times in
        for time in times { benchmark.measurement(metric, time) }
    } setup: {
        PeakLoad.leastTimes(seconds: 600, passes: 3)
    }
}

/// The work of control for a patch: it is compiled once, and changed whenever a fader moves.
private func plans() {
    // A folder of the repository that this file is in: without it there is nothing to run.
    let folder = URL(filePath: #filePath).appending(path: "../../../../patches").standardizedFileURL
    let files = try! FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    for file in files.sorted(by: { $0.lastPathComponent < $1.lastPathComponent }) where file.pathExtension == "yaml" {
        let measure = Measure.call
        Benchmark("compile/\(file.deletingPathExtension().lastPathComponent)", configuration: .init(measure, seconds: 0.3)) {
            benchmark, patch in
            benchmark.measurement(measure, threadTime { blackHole(PlanCompiler.compile(patch, sampleRate: EngineLoad.sampleRate)) })
        } setup: {
            try Patch.parse(bytes: Array(Data(contentsOf: file)), file: file.lastPathComponent)
        }
    }
    for count in [1, 16, 256] {
        let measure = Measure.call
        Benchmark("fader/\(count)", configuration: .init(measure, seconds: 0.5)) { benchmark, load in
            let value = benchmark.currentIteration % 2 == 0 ? -70.0 : -73
            benchmark.measurement(measure, load.move(Setting(layer: 0, parameter: .gain, value: value)))
        } setup: {
            EngineLoad(.load(.binaural, count: count), frames: 48_000 * 60, kernel: .best)
        }
    }
    for mode in RepeatMode.allCases {
        let measure = Measure.call
        Benchmark("fader/256/\(mode)", configuration: .init(measure, seconds: 0.5)) { benchmark, load in
            benchmark.measurement(measure, load.move(benchmark.currentIteration % 2 == 0 ? -70.0 : -73))
        } setup: {
            PlayerLoad(layerCount: 256, repeating: mode)
        }
    }
}

/// From the bytes of a packet to the answer's bytes: check, decoding, address table, command, player, reply, feedback.
private func control() {
    let messages: [(String, OSCMessage)] = [
        ("get", OSCMessage("/binaural/layer/1/gain", [])),
        ("set", OSCMessage("/binaural/layer/1/gain", [.float(-30)])),
        ("ping", OSCMessage("/binaural/ping", [])),
    ]
    for (name, message) in messages {
        let measure = Measure.call
        Benchmark("osc/\(name)", configuration: .init(measure, seconds: 0.5)) { benchmark, desk in
            let count = 20
            benchmark.measurement(measure, threadTime { for _ in 0..<count { desk.receive() } } / count)
        } setup: {
            OSCServerLoad(packet: OSCPacket.message(message).encoded)
        }
    }
}
