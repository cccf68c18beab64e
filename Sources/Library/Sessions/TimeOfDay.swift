import Glibc

/// The wall-clock time of day.
package enum TimeOfDay {
    /// Seconds after midnight, in the time zone that the system is set to; below 86,401 (a leap second).
    package static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return seconds(at: time.tv_sec, nanoseconds: time.tv_nsec)
    }

    /// The seconds after midnight at a time since 1970.
    package static func seconds(at seconds: Int, nanoseconds: Int) -> Double {
        var (seconds, local) = (seconds, tm())
        localtime_r(&seconds, &local)
        return Double(local.tm_hour) * 3600 + Double(local.tm_min) * 60 + Double(local.tm_sec) + Double(nanoseconds) / 1e9
    }
}
