/// The time until the next try to connect, in seconds.
struct Backoff {
    private var wait = 0.25

    mutating func next() -> Double {
        defer { wait = min(2 * wait, 5) }
        return wait
    }
}
