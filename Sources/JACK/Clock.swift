import CJACK
import Glibc

/// JACK's clock in microseconds, the one that cycle times are given in. Any thread. jack_get_time
package func microseconds() -> UInt64 {
    jack_get_time()
}

/// What the wall clock shows when ``microseconds()`` is 0, in seconds since 1970. The two clocks are read next to each other three
/// times, since a thread may be held up in between, and the closest reading counts. clock_gettime(2)
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

/// Whether the calling thread takes denormal numbers for zero.
package func flushesDenormals() -> Bool {
    binaural_flushes_denormals() != 0
}
