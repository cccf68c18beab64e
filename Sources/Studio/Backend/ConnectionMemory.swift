/// What the two ports were connected to, so that it can be made again on a server that comes back.
package struct ConnectionMemory {
    package struct Wish: Hashable {
        /// 0 left, 1 right.
        package let port: Int
        package let destination: String
    }

    /// A server that ends takes its connections down one by one just before it says so: what went less than this before counts as connected.
    package static let lastMoments = Duration.seconds(1)

    private var present: [Wish] = []
    private var gone: [(wish: Wish, at: ContinuousClock.Instant)] = []

    package init() {}

    /// Takes down what is connected now: for each port the destinations.
    package mutating func note(_ destinations: [[String]], at now: ContinuousClock.Instant) {
        let current = destinations.enumerated().flatMap { port, names in names.map { Wish(port: port, destination: $0) } }
        gone.removeAll { $0.at + ConnectionMemory.lastMoments < now || current.contains($0.wish) }
        gone += present.filter { !current.contains($0) }.map { ($0, now) }
        present = current
    }

    /// What to connect again after a loss at `now`, in the order in which it was listed.
    package func wishes(at now: ContinuousClock.Instant) -> [Wish] {
        present + gone.filter { $0.at + ConnectionMemory.lastMoments >= now }.map(\.wish)
    }
}
