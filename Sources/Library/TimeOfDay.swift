import Glibc

/// The wall-clock time of day.
package enum TimeOfDay {
    /// Seconds after midnight, in the time zone that the system is set to; below 86,401 (a leap second).
    package static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var local = tm()
        localtime_r(&time.tv_sec, &local)
        return Double(local.tm_hour) * 3600 + Double(local.tm_min) * 60 + Double(local.tm_sec) + Double(time.tv_nsec) / 1e9
    }
}
