import Glibc

/// The processor time of this thread, which a busy machine does not increase. clock_gettime(2)
package enum ProcessorClock {
    /// Seconds that the thread has run.
    package static var seconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
