/// Limits log messages to one per interval, which gives the number of occurrences.
struct ThrottledLog {
    let interval: Double
    private var count = 0
    private var last = -Double.infinity

    init(interval: Double) { self.interval = interval }

    /// - Returns: The number of occurrences since the last log message, if one is due.
    mutating func add(at seconds: Double) -> Int? {
        count += 1
        guard seconds - last >= interval else { return nil }
        last = seconds
        defer { count = 0 }
        return count
    }
}
