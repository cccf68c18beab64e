import Glibc

/// The clock for deadlines and intervals: it never jumps when somebody sets the time of day. clock_gettime(2)
package enum MonotonicClock {
    /// Seconds since a time in the past, usually the start of the machine; time in suspend is not counted.
    package static var seconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
