import CJACK
import Glibc

/// JACK's clock in microseconds, the clock of cycle times. Any thread. jack_get_time
public func microseconds() -> UInt64 {
    jack_get_time()
}

/// The wall-clock time at which ``microseconds()`` is 0, in seconds since 1970. The two clocks are read together three times, since a
/// thread may be preempted in between, and the closest pair is used. clock_gettime(2)
package func wallClockOrigin() -> Double {
    var closest = (span: UInt64.max, origin: 0.0)
    for _ in 0..<3 {
        var wall = timespec()
        let before = jack_get_time()
        clock_gettime(CLOCK_REALTIME, &wall)
        let after = jack_get_time()
        guard after - before < closest.span else { continue }
        let middle = Double(before) / 1e6 + Double(after - before) / 2e6
        closest = (after - before, Double(wall.tv_sec) + Double(wall.tv_nsec) / 1e9 - middle)
    }
    return closest.origin
}

/// Whether the calling thread treats denormal numbers as zero.
package func flushesDenormals() -> Bool {
    binaural_flushes_denormals() != 0
}
