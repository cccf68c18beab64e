import Benchmark
import Glibc

/// The measured quantity: CPU time of the thread, since a busy machine stretches any other. Its units are small, since numbers are whole.
enum Measure {
    static let sineSample = measure("ps per sine-sample")
    static let layerFrame = measure("ps per layer-frame")
    static let callback = measure("ns per callback")
    static let call = measure("ns per call")

    private static func measure(_ name: String) -> BenchmarkMetric {
        .custom(name, polarity: .prefersSmaller, useScalingFactor: false)
    }
}

/// CPU time of this thread so far, in nanoseconds. clock_gettime
func threadTime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// CPU time of `body` in nanoseconds.
func threadTime(of body: () -> Void) -> Int {
    let start = threadTime()
    body()
    return threadTime() - start
}

extension Benchmark.Configuration {
    /// `throughput` is there because the export asks for it.
    init(_ measure: BenchmarkMetric, seconds: Double = 1, iterations: Int = 100_000) {
        self.init(metrics: [.throughput, measure], warmupIterations: 3, maxDuration: .seconds(seconds), maxIterations: iterations)
    }
}
